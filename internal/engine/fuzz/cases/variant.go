package cases

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// variant samples a value by the rules of a node with some keywords changed, so that a value at or beyond one limit
// satisfies all other rules: an array of distinct items, a string that matches the pattern. A change without a value
// removes the keyword.
func (n *node) variant(changes ...schema.Member) (string, bool) {
	var members []schema.Member
	for _, m := range n.rules.Members {
		if !slices.ContainsFunc(changes, func(c schema.Member) bool { return c.Name == m.Name }) && !isHint(m.Name) {
			members = append(members, m)
		}
	}
	members = append(members, changes...)
	for _, name := range []string{"$defs", "definitions"} {
		if raw, ok := schema.Get(n.source.root, "/"+name); ok && !n.rules.Has(name) {
			members = append(members, schema.Member{Name: name, Value: raw})
		}
	}
	out := []byte{'{'}
	for _, m := range members {
		if m.Value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(rawjson.AppendQuote(out, m.Name), ':'), m.Value...)
	}
	sample, err := schema.Sample(append(out, '}'), nil)
	return string(sample), err == nil
}

// isHint reports whether a keyword suggests values, which a variant must not use.
func isHint(keyword string) bool {
	return keyword == "default" || keyword == "example" || keyword == "examples"
}

// change sets a keyword of a variant to a number.
func change(keyword string, value int) schema.Member {
	return schema.Member{Name: keyword, Value: json.RawMessage(strconv.Itoa(value))}
}

// sized is a string or an array of a given size that satisfies all rules except those about its size.
func (n *node) sized(size int) (string, bool) {
	least, most := "minLength", "maxLength"
	if n.kind == '[' {
		least, most = "minItems", "maxItems"
	}
	if size < 0 || size > maxSized {
		return "", false
	}
	if n.kind == '"' && !n.rules.Has("pattern") && !n.rules.Has("format") {
		return text(size), true
	}
	return n.variant(change(least, size), change(most, size))
}

// maxSized is the maximum size of a generated value that has to satisfy other rules.
const maxSized = hugeText
