package arguments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// withoutNull splits T|null into T and whether null is allowed. Other combinations are unchanged.
func (b *builder) withoutNull(n schema.Node) (schema.Node, bool, error) {
	types := n.Types()
	if len(types) == 2 && slices.Contains(types, "null") {
		other := types[0]
		if other == "null" {
			other = types[1]
		}
		return replaced(n, "type", jsonText(other)), true, nil
	}
	if len(types) > 2 && slices.Contains(types, "null") {
		rest := slices.DeleteFunc(types, func(name string) bool { return name == "null" })
		list, _ := json.Marshal(rest)
		return replaced(n, "type", list), true, nil
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		rest, ok := b.branchesBesideNull(&n, keyword)
		switch {
		case !ok:
			continue
		case len(rest) > 1:
			return replaced(n, keyword, arrayOf(rest)), true, nil
		}
		merged, err := b.resolver.Resolve(conjunction(rest[0], n.Members, keyword))
		return merged, true, err
	}
	return n, false, nil
}

func arrayOf(elements []json.RawMessage) json.RawMessage {
	raw := json.RawMessage("[")
	for i, element := range elements {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, element...)
	}
	return append(raw, ']')
}

// branchesBesideNull finds the alternatives of anyOf that are not null, if null is one of them.
func (b *builder) branchesBesideNull(n *schema.Node, keyword string) ([]json.RawMessage, bool) {
	raw, ok := n.Get(keyword)
	if !ok {
		return nil, false
	}
	branches, err := schema.Elements(raw)
	if err != nil {
		return nil, false
	}
	var rest []json.RawMessage
	for _, branch := range branches {
		resolved, err := b.resolver.Resolve(branch)
		if types := resolved.Types(); err == nil && len(types) == 1 && types[0] == "null" {
			continue
		}
		rest = append(rest, branch)
	}
	return rest, len(rest) > 0 && len(rest) < len(branches)
}

// conjunction combines the outer keywords, which come first and so take precedence as annotations, and the
// valueBuilder into one schema.
func conjunction(branch json.RawMessage, outer []schema.Member, without string) json.RawMessage {
	raw := json.RawMessage("{")
	for _, m := range outer {
		if m.Name != without && m.Name != "allOf" {
			raw = append(append(append(append(raw, m.Key...), ':'), m.Value...), ',')
		}
	}
	return append(append(append(raw, `"allOf":[`...), branch...), "]}"...)
}

func replaced(n schema.Node, keyword string, value json.RawMessage) schema.Node {
	n.Members = slices.Clone(n.Members)
	for i := range n.Members {
		if n.Members[i].Name == keyword {
			n.Members[i].Value = value
		}
	}
	return n
}

// kindOf returns the type, or the one implied by other keywords.
func kindOf(n *schema.Node) (Kind, error) {
	types := n.Types()
	if len(types) > 1 {
		return KindJSON, nil
	}
	if len(types) == 0 {
		return impliedKind(n), nil
	}
	switch types[0] {
	case "integer", "number", "string", "boolean", "null", "object":
		return Kind(types[0]), nil
	case "array":
		return KindList, nil
	}
	return "", fmt.Errorf("unknown type %q", types[0])
}

// impliedKind returns the type that other keywords imply. Without any, every value is allowed.
func impliedKind(n *schema.Node) Kind {
	implied := []struct {
		kind     Kind
		keywords []string
	}{
		{KindObject, []string{"properties", "additionalProperties", "patternProperties"}},
		{KindList, []string{"items", "prefixItems"}},
		{KindString, []string{"pattern", "minLength", "maxLength", "format"}},
		{KindNumber, []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
	}
	for _, candidate := range implied {
		if slices.ContainsFunc(candidate.keywords, n.Has) {
			return candidate.kind
		}
	}
	return KindJSON
}

// isList reports whether a field is sent as an array.
func (f *Field) isList() bool {
	kind := f.Shape().Kind
	return kind == KindList || kind == KindRows || kind == KindTuple
}

// nullMeant reports whether null is a value for a nullable list. An optional list is sent as [] or omitted, unless its
// default is null, as of Optional[list] = None in Python.
func nullMeant(required bool, def string) bool { return required || def == "null" }

// describe copies the annotations to show next to the input.
func describe(f *Field, n *schema.Node) {
	f.Label, _ = n.Text("title")
	f.Description, _ = n.Text("description")
	if value, ok := n.Get("default"); ok {
		f.Default = string(value)
	}
	if raw, ok := n.Get("examples"); ok {
		examples, _ := schema.Elements(raw)
		for _, example := range examples {
			f.Examples = append(f.Examples, string(example))
		}
	}
	f.Format = formatOf(n)
	f.Limits = limitsOf(n)
	if f.Limits != nil {
		f.Step = f.Limits.MultipleOf
	}
}

// longText is the length from which text gets a multi-line input.
const longText = 200

func formatOf(n *schema.Node) string {
	format, _ := n.Text("format")
	switch format {
	case "textarea", "markdown", "code", "multiline":
		return "multiline"
	case "":
		raw, _ := n.Get("maxLength")
		fallback, _ := n.Get("default")
		if len(raw) > 3 || len(raw) == 3 && string(raw) >= fmt.Sprint(longText) ||
			strings.Contains(string(fallback), `\n`) {
			return "multiline"
		}
	}
	return format
}

func limitsOf(n *schema.Node) *Limits {
	var l Limits
	for _, m := range n.Members { // of duplicates the last is used
		switch m.Name {
		case "minimum":
			l.Minimum = numeral(m.Value)
		case "maximum":
			l.Maximum = numeral(m.Value)
		case "exclusiveMinimum":
			l.ExclusiveMinimum = numeral(m.Value)
		case "exclusiveMaximum":
			l.ExclusiveMaximum = numeral(m.Value)
		case "multipleOf":
			l.MultipleOf = numeral(m.Value)
		case "minLength":
			l.MinLength = numeral(m.Value)
		case "maxLength":
			l.MaxLength = numeral(m.Value)
		case "minItems":
			l.MinItems = numeral(m.Value)
		case "maxItems":
			l.MaxItems = numeral(m.Value)
		case "pattern":
			l.Pattern, _ = schema.Text(m.Value)
		case "uniqueItems":
			l.UniqueItems = schema.Kind(m.Value) == 't'
		}
	}
	if l == (Limits{}) {
		return nil
	}
	found := l // only this one is allocated
	return &found
}

// numeral returns the text of a number; empty for any other value.
func numeral(raw json.RawMessage) string {
	if schema.Kind(raw) != '0' {
		return ""
	}
	return string(raw)
}
