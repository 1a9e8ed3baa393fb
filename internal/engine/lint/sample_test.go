package lint

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// sampleFor makes a sample of a schema. The promise is about samples with all declared properties, and the sampler
// leaves some out where a schema is deep.
func sampleFor(doc *Document) (json.RawMessage, bool) {
	sample, err := schema.Sample(doc.Raw, &schema.SampleOptions{AllProperties: true})
	if err != nil {
		return nil, false
	}
	return sample, complete(doc.Root(), sample, 0)
}

// complete reports whether a value has every property that the place declares, at every level.
func complete(place *Subschema, value json.RawMessage, depth int) bool {
	if depth > schema.MaxDepth {
		return false
	}
	if target := place.Ref(); target != nil && !complete(target, value, depth+1) {
		return false
	}
	whole := func(branch *Subschema) bool {
		return complete(branch, value, depth+1) && holds(branch, value) && pure(place, branch, value)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := place.Under(keyword); len(branches) > 0 && !slices.ContainsFunc(branches, whole) {
			return false
		}
	}
	if slices.ContainsFunc(place.Under("allOf"), func(q *Subschema) bool { return !complete(q, value, depth+1) }) {
		return false
	}
	return completeObject(place, value, depth) && completeArray(place, value, depth)
}

func completeObject(place *Subschema, value json.RawMessage, depth int) bool {
	if schema.Kind(value) != '{' {
		return true
	}
	for _, q := range place.Declared() {
		member, ok := schema.Get(value, "/"+schema.Token(q.Name))
		if !ok && !never(q) || ok && !complete(q, member, depth+1) {
			return false
		}
	}
	return true
}

func completeArray(place *Subschema, value json.RawMessage, depth int) bool {
	elements, err := schema.Elements(value)
	if err != nil {
		return true
	}
	for _, items := range place.Under("items") {
		if slices.ContainsFunc(elements, func(e json.RawMessage) bool { return !complete(items, e, depth+1) }) {
			return false
		}
	}
	return true
}

// holds reports whether a branch accepts a value by itself. Of an object and a branch with references that cannot be
// said, and then the sample is not counted as complete.
func holds(branch *Subschema, value json.RawMessage) bool {
	if schema.Kind(value) == '{' && bytes.Contains(branch.Raw, []byte(`"$ref"`)) {
		return false
	}
	return refuses(branch, value) == ""
}

// pure reports whether a value is of one branch, and has no property that only another branch declares: to refuse such
// mixtures is what closing is for.
func pure(owner, branch *Subschema, value json.RawMessage) bool {
	members, err := schema.Members(value)
	return err != nil || !slices.ContainsFunc(members, func(m schema.Member) bool {
		return !owner.Declares(m.Name) && !declaredBeside(branch)[m.Name]
	})
}
