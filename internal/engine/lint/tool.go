package lint

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Tool is one tool definition, stored verbatim, with the data that the rules need.
type Tool struct {
	Raw    json.RawMessage
	Server string // the server of the tool, if the catalog holds those of several servers
	Index  int    // its index in the list
	Page   int    // its page of the list, from 1; 0 if that is unknown

	Name   string          // empty if the definition has none or it is not a string
	Fields []schema.Member // the members of the definition; nil if it is not an object
	Odd    string          // why the definition is unreliable; empty for valid JSON

	// The following fields are set only while rules check this tool.

	Input  *Document // nil if inputSchema is missing or is not a schema
	Output *Document // nil if outputSchema is missing or is not a schema

	texts   []Text
	unusual []Text   // those with characters beyond printable ASCII
	words   []string // of the description
	plan    *plan
	losses  []loss // nil until a rule asks for them
	score   Score
	tokens  int

	optional int  // optional properties
	offset   int  // where Raw starts in the catalog's file
	sound    bool // it is an object that was read strictly, so it has no oddity
	clipped  bool // it has more text than was checked
}

func newTool(raw json.RawMessage, index, offset int) *Tool {
	t := &Tool{Raw: raw, Index: index, offset: offset}
	t.Fields, _ = schema.Members(raw)
	t.Name, _ = t.Text("name")
	return t
}

// forRun is a copy of the tool to fill in for one run, so that several runs can use a catalog concurrently.
func (t *Tool) forRun() *Tool {
	copied := *t
	return &copied
}

// read fills in what every rule may need of every tool.
func (t *Tool) read() {
	if !t.sound {
		t.Odd = oddity(t.Raw)
	}
	t.tokens = hosts.Tokens(t.Raw)
}

// open fills in what rules need of the tool that they check. It takes many times the memory of the definition, so it is
// released as soon as the rules are done.
func (t *Tool) open() {
	t.Input = t.document("inputSchema")
	t.Output = t.document("outputSchema")
	t.texts, t.clipped = collectTexts(t.Raw)
	for _, text := range t.texts {
		if !ordinary(text.Value) {
			t.unusual = append(t.unusual, text)
		}
	}
	t.plan = newPlan(t.Input, Strict)
	t.words = wordsOf(clip.Head(t.Description(), maxText))
	t.score = scoreOf(t)
	t.optional = 0
	for _, place := range t.subschemas() {
		t.optional += len(missingRequired(place))
	}
}

// release clears what open filled in, except for the data used by catalog rules.
func (t *Tool) release() {
	t.Input, t.Output, t.texts, t.unusual, t.plan, t.words, t.losses = nil, nil, nil, nil, nil, nil, nil
}

// subschemas lists every subschema of the inputSchema of an open tool.
func (t *Tool) subschemas() []*Subschema {
	if t.Input == nil {
		return nil
	}
	return t.Input.Subschemas
}

// oddity returns why readers may interpret raw differently.
func oddity(raw json.RawMessage) string {
	if schema.Kind(raw) != '{' {
		return fmt.Sprintf("a tool is %s, expected an object", kindName(raw))
	}
	dec := newDecoder(raw)
	_, err := dec.ReadValue()
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return fmt.Sprintf("duplicate key %s in one object at %s", quoted(syntax.JSONPointer.LastToken()),
			orRoot(string(syntax.JSONPointer.Parent())))
	}
	return fmt.Sprintf("the definition is not valid JSON: %v", err)
}

func orRoot(pointer string) string {
	if pointer == "" {
		return "its top level"
	}
	return pointer
}

// Subject names the tool in a finding: its name, or its position where it has none.
func (t *Tool) Subject() string {
	name := t.Name
	if name == "" {
		name = fmt.Sprintf("tools[%d]", t.Index)
	}
	if t.Server != "" {
		return t.Server + ": " + name
	}
	return name
}

// Get returns a field of the definition. Of duplicates, the last one counts.
func (t *Tool) Get(field string) (json.RawMessage, bool) {
	for i := len(t.Fields) - 1; i >= 0; i-- {
		if t.Fields[i].Name == field {
			return t.Fields[i].Value, true
		}
	}
	return nil, false
}

// Text returns a field of the definition that is a string.
func (t *Tool) Text(field string) (string, bool) {
	value, ok := t.Get(field)
	if !ok {
		return "", false
	}
	return schema.Text(value)
}

// Description is the tool's description; empty if it has none.
func (t *Tool) Description() string {
	text, _ := t.Text("description")
	return text
}

// Texts lists every string in the definition, including property names: everything that a model may read.
func (t *Tool) Texts() []Text { return t.texts }

func (t *Tool) document(field string) *Document {
	raw, ok := t.Get(field)
	if !ok || schema.Kind(raw) != '{' {
		return nil
	}
	return newDocument("/"+field, raw)
}

// kindName returns the kind of a JSON value, for messages.
func kindName(raw []byte) string { return rawjson.KindName(raw) }
