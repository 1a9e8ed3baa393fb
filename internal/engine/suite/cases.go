package suite

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// Parameters make several tests of one.
type Parameters struct {
	Cases *Cases `yaml:"cases" doc:"values for ${name} in this test: it is run once for each case; a list, a table, a file, or cases generated from the schema of the tool" example:"[{name: small, n: 1}, {name: large, n: 1000}]"`
}

// Cases are the inputs of one test: a list, a table, a CSV or JSON file, or generated from the schema of a tool.
type Cases struct {
	document.Position
	Rows     []*Row
	File     string
	Generate []string
}

// A Row is one case. What it sets replaces what the test has.
type Row struct {
	document.Position
	Name   string
	Args   *document.Node
	Expect *Expectations
	Skip   string
	XFail  string
	Values map[string]*document.Node // for ${name}
	order  []string                  // of the values, as written

	isInline bool // it is written in the suite, as a mapping
}

// VariantKinds are the kinds of cases that can be generated.
var VariantKinds = []string{Omitted, Boundary, Invalid}

// The kinds of generated cases.
const (
	Omitted  = "omitted"    // an optional argument is omitted
	Boundary = "boundaries" // a value at the edge of what the schema allows
	Invalid  = "invalid"    // a value that the schema forbids: the call must be rejected
)

// maxRows is the maximum number of cases of one test.
const maxRows = 10_000

// ReadNode reads a list of cases, or a mapping with their source.
func (c *Cases) ReadNode(n *document.Node, d *document.Decoder) {
	switch n.Kind {
	case document.List:
		c.list(n, d)
	case document.Map:
		c.source(n, d)
	default:
		d.AddProblem(n, "%s, expected a list of cases, or one of table, file and generate", document.Describe(n))
	}
}

// source reads {table: …}, {file: …} or {generate: …}.
func (c *Cases) source(n *document.Node, d *document.Decoder) {
	if len(n.Pairs) != 1 {
		d.AddProblem(n, "cases requires exactly one of table, file and generate, got %d keys", len(n.Pairs))
		return
	}
	switch p := n.Pairs[0]; p.Key {
	case "table":
		c.table(p.Value, d)
	case "file":
		d.Decode(p.Value, &c.File)
	case "generate":
		d.Decode(p.Value, &c.Generate)
		for _, kind := range c.Generate {
			if !slices.Contains(VariantKinds, kind) {
				d.AddProblem(p.Value, "generate: unknown %q; %s", kind, meant(kind, VariantKinds))
			}
		}
		if len(c.Generate) == 0 {
			d.AddProblem(p.Value, "generate is empty, expected some of %s", strings.Join(VariantKinds, ", "))
		}
	default:
		d.AddProblem(n, "unknown key %q of cases; %s", p.Key, meant(p.Key, []string{"table", "file", "generate"}))
	}
}

func (c *Cases) list(n *document.Node, d *document.Decoder) {
	if len(n.Items) == 0 || len(n.Items) > maxRows {
		d.AddProblem(n, "cases has %d items, expected 1 to %d", len(n.Items), maxRows)
		return
	}
	for _, item := range n.Items {
		if item.Kind != document.Map {
			d.AddProblem(item, "%s, expected a case as a mapping of names to values", document.Describe(item))
			continue
		}
		row := readRow(item, d)
		row.isInline = true
		c.Rows = append(c.Rows, row)
	}
}

// table reads a list of lists, of which the first has the names.
func (c *Cases) table(n *document.Node, d *document.Decoder) {
	if n.Kind != document.List || len(n.Items) < 2 || len(n.Items) > maxRows {
		d.AddProblem(n, "%s, expected a list of rows, of which the first has the names", document.Describe(n))
		return
	}
	names := n.Items[0]
	for _, row := range n.Items[1:] {
		if row.Kind != document.List || len(row.Items) != len(names.Items) {
			d.AddProblem(row, "row of the table: expected %d values, got %d", len(names.Items), len(row.Items))
			continue
		}
		pairs := &document.Node{Kind: document.Map, Line: row.Line, Column: row.Column}
		for i, value := range row.Items {
			pairs.Pairs = append(pairs.Pairs, document.Pair{Key: names.Items[i].Text, Line: value.Line,
				Column: value.Column, Value: value})
		}
		c.Rows = append(c.Rows, readRow(pairs, d))
	}
}

// readRow reads one case: the keys of a test that it replaces, and values.
func readRow(n *document.Node, d *document.Decoder) *Row {
	r := &Row{Position: document.Position{File: d.File, Line: n.Line, Column: n.Column},
		Values: map[string]*document.Node{}}
	for _, p := range n.Pairs {
		switch p.Key {
		case "name":
			d.Decode(p.Value, &r.Name)
		case "skip":
			d.Decode(p.Value, &r.Skip)
		case "xfail":
			d.Decode(p.Value, &r.XFail)
		case "args":
			r.Args = p.Value
		case "expect":
			r.Expect = &Expectations{}
			d.Decode(p.Value, r.Expect)
		default:
			r.Values[p.Key] = p.Value
			r.order = append(r.order, p.Key)
		}
	}
	return r
}

// JSONSchema refers to the definition of a case.
func (c *Cases) JSONSchema() json.RawMessage {
	kinds, _ := json.Marshal(VariantKinds) // strings always marshal
	return json.RawMessage(`{"anyOf":[{"type":"array","minItems":1,"items":{"$ref":"#/$defs/case"}},` +
		`{"type":"object","minProperties":1,"maxProperties":1,"additionalProperties":false,"properties":{` +
		`"table":{"type":"array","minItems":2,"items":{"type":"array"},"description":"Rows of values; the first has ` +
		`the names."},` +
		`"file":{"type":"string","description":"A CSV file with a row of names, or a JSON file with a list of ` +
		`mappings; relative to this file."},` +
		`"generate":{"type":"array","minItems":1,"items":{"enum":` + string(kinds) + `},"description":"Cases from the ` +
		`schema of the tool, based on args."}}}]}`)
}

// Definitions describes one case.
func (c *Cases) Definitions() []document.Definition {
	return append((&Expectations{}).Definitions(), document.Definition{Name: "case", Schema: json.RawMessage(
		`{"type":"object","minProperties":1,"properties":{` +
			`"name":{"type":"string","description":"Name of the case; made from its values by default."},` +
			`"args":{"type":"object","description":"Arguments of the call, instead of those of the test."},` +
			`"expect":{"$ref":"#/$defs/expect","description":"Expectations, instead of those of the test."},` +
			`"skip":{"type":"string","description":"Why the case is not run."},` +
			`"xfail":{"type":"string","description":"Why the case is expected to fail."}}}`)})
}

// expand makes a test of each case.
func (t *Test) expand(c *Cases) []*Test {
	if c == nil {
		return []*Test{t}
	}
	if len(c.Generate) > 0 {
		t.generate = c.Generate
		return []*Test{t}
	}
	var all []*Test
	for _, row := range c.Rows {
		one := t.with(row)
		if c.File == "" {
			one.Position = row.Position
			if len(one.Steps) == 1 {
				one.Steps[0].Position = row.Position
			}
		}
		all = append(all, one)
	}
	return all
}

// with is a copy of a test with what a case sets.
func (t *Test) with(row *Row) *Test {
	one := *t
	one.row = row
	one.Name = t.Name + " [" + row.label() + "]"
	one.ID = t.ID + " [" + row.label() + "]"
	one.Steps = slices.Clone(t.Steps)
	if row.Skip != "" {
		one.Skip = row.Skip
	}
	if row.XFail != "" {
		one.XFail = row.XFail
	}
	if row.Args != nil && len(one.Steps) == 1 {
		one.Steps[0].Args = row.Args
	}
	if last := len(one.Steps) - 1; row.Expect != nil && last >= 0 {
		one.Steps[last].Expect = row.Expect
	}
	return &one
}

// maxLabel is the maximum length of a name that is made from values.
const maxLabel = 60

// label is the name of a case: its own, or its values.
func (r *Row) label() string {
	if r.Name != "" {
		return OneLine(r.Name)
	}
	var parts []string
	for _, name := range r.order {
		parts = append(parts, name+"="+labelValue(r.Values[name]))
	}
	if len(parts) == 0 && r.Args != nil {
		for _, p := range r.Args.Pairs {
			parts = append(parts, p.Key+"="+labelValue(p.Value))
		}
	}
	if len(parts) == 0 {
		return "no values"
	}
	return OneLine(clip.Sized(strings.Join(parts, ", "), maxLabel))
}

func labelValue(n *document.Node) string {
	if n.Kind == document.String {
		return n.Text
	}
	return string(n.JSON())
}

// unusedValues finds values of a written case that nothing refers to: most are misspelled. Files may have more columns.
func (l *loader) unusedValues(t *Test) {
	if t.row == nil || !t.row.isInline {
		return
	}
	used := map[string]bool{}
	note := func(_ *document.Node, name string) { used[name] = true }
	for _, step := range t.Steps {
		for _, n := range step.nodes() {
			variables.Names(n, note)
		}
		variables.NamesIn(step.Subject, func(name string) { used[name] = true })
	}
	for _, value := range t.row.Values {
		variables.Names(value, note)
	}
	for _, name := range t.row.order {
		if !used[name] {
			l.wrong(t.row.Position, "%s: value %q of a case is not used: add ${%[2]s} to the test%s", t.Name, name,
				keyMeant(name))
		}
	}
}

func keyMeant(name string) string {
	if hint := typo.Best(name, []string{"name", "args", "expect", "skip", "xfail"}); hint != "" {
		return "; or did you mean " + hint + "?"
	}
	return ""
}

// scope resolves names for a test: those of its case, and those of the file.
func (t *Test) scope(s *Suite) scope {
	in := s.scope
	if t.row != nil {
		in.Row = t.row.Values
	}
	return in
}

// parameters lists the cases of all tests; nil for those without.
func (s *Suite) parameters() []*Cases {
	var all []*Cases
	for _, t := range s.Tools {
		all = append(all, t.Cases)
	}
	for _, t := range s.Resources {
		all = append(all, t.Cases)
	}
	for _, t := range s.Prompts {
		all = append(all, t.Cases)
	}
	for _, t := range s.Raw {
		all = append(all, t.Cases)
	}
	for _, t := range s.Sequences {
		all = append(all, t.Cases)
	}
	return all
}

// generates reports whether cases can be generated: only tools have a schema.
func (s *Suite) generates(c *Cases) bool {
	return slices.ContainsFunc(s.Tools, func(t ToolTest) bool { return t.Cases == c })
}
