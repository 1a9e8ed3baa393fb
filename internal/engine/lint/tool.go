package lint

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Tool is one tool definition, kept as it was written, with what the rules need to know of it.
type Tool struct {
	Raw    json.RawMessage
	Server string // whose tool it is, where the catalog holds those of several servers
	Index  int    // its place in the list

	Name   string          // empty where the definition has none that is a string
	Fields []schema.Member // the members of the definition; nil where it is no object
	Odd    string          // why the definition cannot be relied on; empty for sound JSON

	// What follows is there only while rules look at this very tool.

	Input  *Document // nil where inputSchema is missing or is no schema
	Output *Document // nil where outputSchema is missing or is no schema

	texts   []Text
	unusual []Text   // those with more than printable ASCII
	words   []string // of the description
	plan    *plan
	score   Score
	tokens  int

	optional int  // properties that a call may leave out
	offset   int  // where Raw starts in the catalog's file
	sound    bool // it is an object that was read strictly, so that nothing about it is odd
	clipped  bool // it has more text than was looked at
}

func newTool(raw json.RawMessage, index, offset int) *Tool {
	t := &Tool{Raw: raw, Index: index, offset: offset}
	t.Fields, _ = schema.Members(raw)
	t.Name, _ = t.Text("name")
	return t
}

// forRun is a copy of the tool for one run to fill in, so that a catalog can be run by many at once.
func (t *Tool) forRun() *Tool {
	copied := *t
	return &copied
}

// read fills in what every rule may ask of every tool.
func (t *Tool) read() {
	if !t.sound {
		t.Odd = oddity(t.Raw)
	}
	t.tokens = Tokens(t.Raw)
}

// open fills in what rules ask of the tool that they look at. It takes many times the memory of the definition, so it
// is released as soon as the rules are through.
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
	t.words = wordsOf(head(t.Description(), longestText))
	t.score = scoreOf(t)
	t.optional = 0
	for _, place := range t.places() {
		t.optional += len(missingRequired(place))
	}
}

// release forgets what open filled in, but for what whole catalogs are judged by.
func (t *Tool) release() {
	t.Input, t.Output, t.texts, t.unusual, t.plan, t.words = nil, nil, nil, nil, nil, nil
}

// places lists every subschema of the inputSchema of an open tool.
func (t *Tool) places() []*Place {
	if t.Input == nil {
		return nil
	}
	return t.Input.Places
}

// oddity says why raw is not a definition that every reader reads alike.
func oddity(raw json.RawMessage) string {
	if schema.Kind(raw) != '{' {
		return fmt.Sprintf("a tool is %s; want an object", kindName(raw))
	}
	dec := newDecoder(raw)
	_, err := dec.ReadValue()
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return fmt.Sprintf("the key %s stands twice in one object at %s", quoted(syntax.JSONPointer.LastToken()), orRoot(string(syntax.JSONPointer.Parent())))
	}
	return fmt.Sprintf("the definition is not sound JSON: %v", err)
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

// Get returns a field of the definition. Of duplicates the last counts.
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

// Description is the tool's description; empty where it has none.
func (t *Tool) Description() string {
	text, _ := t.Text("description")
	return text
}

// Texts lists every string in the definition, names of members included: whatever a model may get to read.
func (t *Tool) Texts() []Text { return t.texts }

func (t *Tool) document(field string) *Document {
	raw, ok := t.Get(field)
	if !ok || schema.Kind(raw) != '{' {
		return nil
	}
	return newDocument("/"+field, raw)
}

// kindName says what a JSON value is, for messages.
func kindName(raw []byte) string { return rawjson.KindName(raw) }
