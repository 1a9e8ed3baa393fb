package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// alternatives reports that none of several subschemas matched. If it is clear which one was intended, its
// violations are more helpful than the failure of all; T|null with an invalid T is the usual case.
func (r *reporter) alternatives(err *jsonschema.ValidationError, rule string) {
	path := pointerOf(err.InstanceLocation)
	branches := r.branches(err)
	meant := slices.DeleteFunc(slices.Clone(branches), func(b []Violation) bool { return wrongType(b, path) })
	if len(meant) > 1 {
		meant = slices.DeleteFunc(meant, func(b []Violation) bool { return wrongTag(b, path) })
	}
	switch {
	case len(meant) == 1:
		r.violations = append(r.violations, meant[0]...)
	case slices.ContainsFunc(branches, func(b []Violation) bool { return !wrongType(b, path) }):
		r.addMessage(err, rule, fmt.Sprintf("one of %d alternatives", len(branches)), r.show(err),
			"matches none of the alternatives: "+summary(branches))
		for i := range branches {
			branches[i] = sortViolations(branches[i])
		}
		r.violations[len(r.violations)-1].Branches = branches
	default:
		r.mergeTypes(err, rule, branches)
	}
}

// branches reports each alternative separately.
func (r *reporter) branches(err *jsonschema.ValidationError) [][]Violation {
	var branches [][]Violation
	for _, cause := range err.Causes {
		alone := reporter{root: r.root}
		alone.collect(cause)
		branches = append(branches, alone.violations)
	}
	return branches
}

// wrongType reports whether an alternative failed only because of the type of the whole value.
func wrongType(branch []Violation, path string) bool {
	return len(branch) == 1 && branch[0].Rule == "type" && branch[0].Path == path
}

// wrongTag reports whether an alternative failed at a constant directly inside the value: the tag of a union.
func wrongTag(branch []Violation, path string) bool {
	return slices.ContainsFunc(branch, func(v Violation) bool {
		inside, ok := strings.CutPrefix(v.Path, path+"/")
		return ok && !strings.Contains(inside, "/") && (v.Rule == "const" || v.Rule == "enum")
	})
}

func (r *reporter) mergeTypes(err *jsonschema.ValidationError, rule string, branches [][]Violation) {
	var expected []string
	received := "no match"
	for _, branch := range branches {
		if !slices.Contains(expected, branch[0].Expected) {
			expected = append(expected, branch[0].Expected)
		}
		received = branch[0].Received
	}
	if len(branches) > 0 {
		rule = "type"
	}
	r.addMessage(err, rule, strings.Join(expected, " or "), received,
		fmt.Sprintf("expected %s, received %s", strings.Join(expected, " or "), r.typed(err, received)))
}

// summary returns the first violation of each of the first alternatives.
func summary(branches [][]Violation) string {
	var parts []string
	for i, branch := range branches {
		if i == 3 {
			return strings.Join(parts, "; ") + "; …"
		}
		if len(branch) > 0 {
			parts = append(parts, fmt.Sprintf("(%d) %s", i+1, sortViolations(slices.Clone(branch))[0].Message))
		}
	}
	return strings.Join(parts, "; ")
}
