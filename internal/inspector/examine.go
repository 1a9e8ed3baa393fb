package inspector

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Form returns the form for the arguments of a tool.
func (i *Inspector) Form(ctx context.Context, id, tool string) (view.ToolForm, error) {
	definition, err := i.tool(ctx, id, tool)
	if err != nil {
		return view.ToolForm{}, err
	}
	input := inputSchema(definition)
	output, _ := schema.Get(definition, "/outputSchema")
	form := arguments.Model(input)
	start := form.Start()
	out := view.ToolForm{Tool: tool, Form: form, Start: start, InputSchemaJSON: view.Indent(input),
		OutputSchemaJSON: view.Indent(output)}
	out.Examination = examine(input, view.Typed{Value: &start})
	return out, nil
}

// Examine returns what would be sent for the user's input.
func (i *Inspector) Examine(ctx context.Context, id string, typed view.Typed) (view.Examination, error) {
	definition, err := i.tool(ctx, id, typed.Tool)
	if err != nil {
		return view.Examination{}, err
	}
	return examine(inputSchema(definition), typed), nil
}

// Sample generates arguments from the tool's schema.
func (i *Inspector) Sample(ctx context.Context, id string, in view.SampleInput) (view.Examination, error) {
	definition, err := i.tool(ctx, id, in.Tool)
	if err != nil {
		return view.Examination{}, err
	}
	input := inputSchema(definition)
	sample, err := schema.Sample(input, &schema.SampleOptions{Seed: uint64(max(0, in.Seed)), Style: schema.Typical})
	if err != nil {
		return view.Examination{}, view.Usage("cannot generate example arguments: %v",
			err).WithHint("enter the arguments")
	}
	text := string(sample)
	return examine(input, view.Typed{JSON: &text}), nil
}

// Fix applies a suggested correction.
func (i *Inspector) Fix(ctx context.Context, id string, in view.FixInput) (view.Examination, error) {
	definition, err := i.tool(ctx, id, in.Tool)
	if err != nil {
		return view.Examination{}, err
	}
	fixed, err := schema.Apply(json.RawMessage(in.ArgumentsJSON), edits(in.Edits))
	if err != nil {
		return view.Examination{}, view.Usage("cannot apply the correction: %v", err)
	}
	text := string(fixed)
	return examine(inputSchema(definition), view.Typed{JSON: &text}), nil
}

func edits(in []view.Edit) []finding.Edit {
	var all []finding.Edit
	for _, e := range in {
		edit := finding.Edit{Pointer: e.Pointer}
		if e.ValueJSON != nil {
			edit.Value = json.RawMessage(*e.ValueJSON)
		}
		all = append(all, edit)
	}
	return all
}

// tool returns the definition of a tool as the server lists it.
func (i *Inspector) tool(ctx context.Context, id, name string) (json.RawMessage, error) {
	c, err := i.conn(id)
	if err != nil {
		return nil, err
	}
	return c.tool(ctx, name)
}

func (c *conn) tool(ctx context.Context, name string) (json.RawMessage, error) {
	list, err := c.list(ctx, "tools", false)
	if err != nil {
		return nil, err
	}
	item, ok := list.Find(name)
	if !ok {
		return nil, view.NotFound("unknown tool %q: the server does not list it", name)
	}
	return item.Raw, nil
}

func inputSchema(tool json.RawMessage) json.RawMessage {
	if input, ok := schema.Get(tool, "/inputSchema"); ok {
		return input
	}
	return json.RawMessage(`{}`)
}

// examine validates the user's input against a schema. Nothing is changed.
func examine(input json.RawMessage, typed view.Typed) view.Examination {
	form := arguments.Model(input)
	x := view.Examination{Fields: []view.FieldState{}, Errors: []arguments.FieldError{}, Violations: []view.Violation{},
		Cautions: []arguments.Notice{},
		Notices:  []arguments.Notice{}, Fixes: []view.Fix{}}
	value := arguments.Value{}
	var raw json.RawMessage
	switch {
	case typed.JSON != nil:
		if x.Syntax = syntaxOf(*typed.JSON); x.Syntax != nil {
			return x
		}
		raw = json.RawMessage(*typed.JSON)
		if parsed, notices, err := form.Parse(raw); err == nil && form.Mode == arguments.ModeForm {
			value, x.Value = parsed, &parsed
			x.Notices = append(x.Notices, notices...)
		}
	default:
		if typed.Value != nil {
			value = *typed.Value
		}
		var wrong []arguments.FieldError
		raw, wrong = form.EncodeAnyway(value)
		x.Errors = append(x.Errors, wrong...)
	}
	x.ArgumentsJSON, x.Warning = string(raw), duplicateName(raw)
	violations := validate(&x, input, raw)
	var perField []view.Violation
	if x.Fields, perField = view.FieldStates(form, value, raw, x.Errors, violations); typed.JSON == nil {
		x.Violations = perField
	}
	withoutDoubles(&x)
	x.OK = len(x.Errors) == 0 && len(x.Violations) == 0 && len(x.Cautions) == 0
	if typed.JSON != nil && !x.OK {
		x.ConvertedJSON = converted(input, raw, x.Fixes)
	}
	return x
}

// converted returns JSON arguments with every fix applied, such as 42 for "42" where an integer is required; empty if they
// are not valid then either.
func converted(input, raw json.RawMessage, fixes []view.Fix) string {
	var all []finding.Edit
	for _, fix := range fixes {
		all = append(all, edits(fix.Edits)...)
	}
	fixed, err := schema.Apply(raw, all)
	if len(all) == 0 || err != nil {
		return ""
	}
	var x view.Examination
	if validate(&x, input, fixed); len(x.Violations) > 0 || len(x.Cautions) > 0 || x.Unchecked != "" {
		return ""
	}
	return string(fixed)
}

// validate validates the arguments against the schema, and returns the violations.
func validate(x *view.Examination, input, raw json.RawMessage) []schema.Violation {
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		x.Unchecked = "invalid input schema, so the arguments are not validated: " + err.Error()
		return nil
	}
	e := arguments.Examine(compiled, input, raw)
	x.Violations = append(x.Violations, view.ShowViolations(e.Violations)...)
	x.Cautions = append(x.Cautions, e.Cautions...)
	x.Fixes = append(x.Fixes, showFixes(e.Fixes)...)
	return e.Violations
}

// withoutDoubles omits schema violations of text that could not be converted.
func withoutDoubles(x *view.Examination) {
	wrong := map[string]bool{}
	for _, e := range x.Errors {
		for _, f := range x.Fields {
			if f.Path == e.Field {
				wrong[f.Pointer] = true
			}
		}
	}
	kept := []view.Violation{}
	for _, v := range x.Violations {
		if !wrong[v.Path] {
			kept = append(kept, v)
		}
	}
	x.Violations = kept
}

// duplicateName returns a warning about a name that occurs twice in an object: readers differ in which value they use.
func duplicateName(raw json.RawMessage) string {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true))
	_, err := dec.ReadValue()
	var syntax *jsontext.SyntacticError
	if !errors.Is(err, jsontext.ErrDuplicateName) || !errors.As(err, &syntax) {
		return ""
	}
	return fmt.Sprintf("duplicate name %s: servers differ in which value they use",
		clip.Text(schema.Label(string(syntax.JSONPointer)), 80))
}

// syntaxOf returns where a text stops being a single JSON value; nil if it is valid.
func syntaxOf(text string) *view.Syntax {
	dec := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadValue(); err != nil {
		return syntaxAt(text, err)
	}
	if rest := strings.TrimLeft(text[dec.InputOffset():], " \t\r\n"); rest != "" {
		return syntaxAtOffset(text, len(text)-len(rest), "unexpected text after the value")
	}
	return nil
}

func syntaxAt(text string, err error) *view.Syntax {
	var syntax *jsontext.SyntacticError
	switch {
	case strings.TrimSpace(text) == "":
		return syntaxAtOffset(text, 0, "enter a JSON object such as {}")
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return syntaxAtOffset(text, len(text), "unexpected end of text")
	case errors.As(err, &syntax):
		return syntaxAtOffset(text, int(syntax.ByteOffset), strings.TrimPrefix(fmt.Sprint(syntax.Err), "jsontext: "))
	}
	return syntaxAtOffset(text, 0, err.Error())
}

func syntaxAtOffset(text string, offset int, message string) *view.Syntax {
	offset = min(max(offset, 0), len(text))
	before := []byte(text[:offset])
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:])))
	return &view.Syntax{Message: message, Line: line, Column: column, Offset: offset}
}
