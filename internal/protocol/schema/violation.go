package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Violation is one violation of a schema by a value.
type Violation struct {
	Path     string `json:"path"`     // JSON Pointer into the value
	Rule     string `json:"rule"`     // the violated keyword, or "limit" if one of our limits was exceeded
	Expected string `json:"expected"` // what the schema requires
	Received string `json:"received"` // the actual value
	Message  string `json:"message"`  // both in one sentence with the location

	// Missing are the names of the missing properties, if rule is required.
	Missing []string `json:"-"`
	// Branches are the violations of each alternative, if a value matches none and it is not clear which was intended.
	Branches [][]Violation `json:"-"`
}

// missing returns the violation of an object that lacks required properties.
func missing(path string, names []string) Violation {
	text := "missing required: " + naming(names)
	if label := Label(path); label != "" {
		text = label + ": " + text
	}
	return Violation{Path: path, Rule: "required", Expected: naming(names), Received: "nothing", Message: text,
		Missing: names}
}

// PerName splits a violation with several missing properties into one for each.
func (v Violation) PerName() []Violation {
	if len(v.Missing) < 2 {
		return []Violation{v}
	}
	var all []Violation
	for _, name := range v.Missing {
		all = append(all, missing(v.Path, []string{name}))
	}
	return all
}

// RuleLimit is the rule of a violation that is not a keyword: the value could not be validated within the
// limits.
const RuleLimit = "limit"

// Label formats a JSON Pointer for display: user.tags[0]. It is empty for the whole value.
func Label(pointer string) string {
	tokens, _ := Tokens(pointer)
	var label strings.Builder
	for _, token := range tokens {
		if _, isIndex := index(token); isIndex && label.Len() > 0 {
			label.WriteString("[" + token + "]")
			continue
		}
		if label.Len() > 0 {
			label.WriteByte('.')
		}
		label.WriteString(token)
	}
	return label.String()
}

// sortViolations sorts by path, then by rule. The library's own order is that of Go's maps.
func sortViolations(violations []Violation) []Violation {
	slices.SortFunc(violations, func(a, b Violation) int {
		return cmp.Or(comparePaths(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(violations, func(a, b Violation) bool {
		return a.Path == b.Path && a.Rule == b.Rule && a.Message == b.Message && slices.Equal(a.Missing, b.Missing)
	})
}

// comparePaths sorts a parent before its children and element 2 before element 10.
func comparePaths(a, b string) int {
	for a != b {
		x, restA, moreA := strings.Cut(strings.TrimPrefix(a, "/"), "/")
		y, restB, moreB := strings.Cut(strings.TrimPrefix(b, "/"), "/")
		if order := compareTokens(x, y); order != 0 {
			return order
		}
		if !moreA || !moreB {
			return cmp.Compare(len(a), len(b))
		}
		a, b = restA, restB
	}
	return 0
}

func compareTokens(x, y string) int {
	i, iok := index(x)
	j, jok := index(y)
	if iok && jok {
		return cmp.Compare(i, j)
	}
	return cmp.Compare(x, y)
}

// maxViolations is the maximum number of listed violations; one more states how many are omitted.
const maxViolations = 1_000

// atMost truncates a sorted list.
func atMost(violations []Violation, omitted int) []Violation {
	if omitted == 0 {
		return violations
	}
	return append(violations, Violation{Rule: RuleLimit, Expected: fmt.Sprintf("at most %d violations", maxViolations),
		Received: fmt.Sprint(maxViolations + omitted),
		Message:  fmt.Sprintf("%d more violations are not listed", omitted)})
}
