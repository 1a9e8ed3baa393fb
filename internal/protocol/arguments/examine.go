package arguments

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An Examination lists the problems of arguments before they are sent. It changes nothing.
type Examination struct {
	Violations []schema.Violation `json:"violations"` // of the schema; the call is held back unless the user insists
	Cautions   []Notice           `json:"cautions"`   // valid, but held back unless the user insists
	Fixes      []finding.Fix      `json:"fixes"`      // suggested corrections, such as 42 for "42"
}

// OK reports whether there is no reason to hold the arguments back.
func (e Examination) OK() bool { return len(e.Violations) == 0 && len(e.Cautions) == 0 }

// Examine validates arguments against the schema, compiled and as written.
func Examine(compiled *schema.Schema, inputSchema, arguments json.RawMessage) Examination {
	b := newBuilder(inputSchema)
	e := Examination{Violations: compiled.Validate(arguments), Cautions: []Notice{}, Fixes: []finding.Fix{}}
	if e.Violations == nil {
		e.Violations = []schema.Violation{}
	}
	e.Cautions = append(e.Cautions, b.nullLists(inputSchema, arguments, "", 0)...)
	for _, violation := range e.Violations {
		e.Fixes = append(e.Fixes, b.corrections(inputSchema, arguments, violation)...)
	}
	return e
}

// corrections suggests how to correct a violation. If a value matches no alternative, the first one that corrections make
// valid is meant.
func (b *builder) corrections(inputSchema, arguments json.RawMessage, v schema.Violation) []finding.Fix {
	if fix, ok := b.correction(inputSchema, arguments, v); ok {
		return []finding.Fix{fix}
	}
	for _, branch := range v.Branches {
		var fixes []finding.Fix
		for _, violation := range branch {
			if fix, ok := b.correction(inputSchema, arguments, violation); ok {
				fixes = append(fixes, fix)
			}
		}
		if len(fixes) == len(branch) {
			return fixes
		}
	}
	return nil
}

// nullLists finds null where the schema allows an array or null: an optional array is sent as [] or omitted.
func (b *builder) nullLists(where, value json.RawMessage, label string, depth int) []Notice {
	members, err := schema.Members(value)
	if err != nil || where == nil || depth > schema.MaxDepth {
		return nil
	}
	var cautions []Notice
	for _, m := range members {
		inner := b.inside(where, step{name: m.Name})
		at := join(label, m.Name)
		if schema.Kind(m.Value) == 'n' && b.isOptionalList(where, inner, m.Name) {
			cautions = append(cautions, Notice{at, fmt.Sprintf("%s: null instead of a list; send [] or omit it", at)})
			continue
		}
		cautions = append(cautions, b.nullLists(inner, m.Value, at, depth+1)...)
	}
	return cautions
}

// isOptionalList reports whether a property is a nullable list that can also be omitted.
func (b *builder) isOptionalList(object, property json.RawMessage, name string) bool {
	if schema.Kind(property) != '{' {
		return false
	}
	n, err := b.resolver.Resolve(property)
	if err != nil {
		return false
	}
	n, nullable, err := b.withoutNull(n)
	if err != nil || !nullable {
		return false
	}
	parent, _ := b.resolver.Resolve(object)
	def, _ := n.Get("default")
	kind, err := kindOf(&n)
	return err == nil && kind == KindList && !nullMeant(slices.Contains(requiredNames(&parent), name), string(def))
}

// correction suggests the value that a string would have as typed text.
func (b *builder) correction(inputSchema, arguments json.RawMessage, v schema.Violation) (finding.Fix, bool) {
	if v.Rule != "type" && v.Rule != "enum" {
		return finding.Fix{}, false
	}
	raw, found := schema.Get(arguments, v.Path)
	text, isText := schema.Text(raw)
	tokens, _ := schema.Tokens(v.Path)
	if !found || !isText || len(tokens) == 0 {
		return finding.Fix{}, false
	}
	where, value := inputSchema, arguments
	for _, token := range tokens {
		where = b.inside(where, step{name: token, append: schema.Kind(value) == '['})
		value, _ = schema.Get(value, "/"+schema.Token(token))
	}
	if schema.Kind(where) != '{' {
		return finding.Fix{}, false
	}
	corrected, failed := b.convert(where, schema.Label(v.Path), text)
	if failed != nil || schema.Kind(corrected) == '"' {
		return finding.Fix{}, false
	}
	return finding.Fix{Message: fmt.Sprintf("%s: send %s instead of %s", schema.Label(v.Path), corrected,
		clip.Text(string(raw), maxDisplayed)),
		Edits: []finding.Edit{{Pointer: v.Path, Value: corrected}}}, true
}
