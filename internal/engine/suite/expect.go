package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// Expectations are the conditions on a response: a list of {target, matcher} or of short forms, or a mapping of short
// forms.
type Expectations struct {
	document.Position `yaml:"-"`
	All               []*Assertion
}

// An Assertion is one of them.
type Assertion struct {
	document.Position
	Target string         // empty means the default target of the test
	Name   string         // of the matcher
	Arg    *document.Node // the argument of the matcher
	accept match.Accept   // created when the file is read, unless the argument refers to variables
	path   outcome.Path
}

// shorts are keywords for an assertion on an implied target.
var shorts = []struct{ word, target, matcher, doc string }{
	{"rejected", "rejected", "exact", "whether the call was rejected: with a JSON-RPC error, or by the tool (isError)"},
	{"is_error", "result.isError", "exact", "whether the tool returned an error"},
	{"error_code", "error.code", "exact", "the code of the JSON-RPC error"},
	{"max_duration_ms", "duration_ms", "schema", "the maximum duration of the call in milliseconds"},
}

// assertionKeys lists the keys of an assertion.
func assertionKeys() []string {
	all := append(match.Names(), "target", "matcher")
	for _, s := range shorts {
		all = append(all, s.word)
	}
	return all
}

// ReadNode reads every form.
func (e *Expectations) ReadNode(n *document.Node, d *document.Decoder) {
	switch n.Kind {
	case document.List:
		for _, item := range n.Items {
			e.item(item, d)
		}
	case document.Map:
		if list := n.Get("assertions"); list != nil && list.Kind == document.List {
			for _, item := range list.Items {
				e.item(item, d)
			}
		}
		e.item(n, d)
	default:
		d.AddProblem(n, "%s, expected a list of {target, matcher}, or a short form such as contains: text",
			document.Describe(n))
	}
}

// item reads {target, matcher: {…}}, or short forms side by side: {contains: x, is_error: false}.
func (e *Expectations) item(n *document.Node, d *document.Decoder) {
	if n.Kind != document.Map {
		d.AddProblem(n, "%s, expected {target: …, matcher: …} or a short form such as contains: text",
			document.Describe(n))
		return
	}
	target := ""
	if t := n.Get("target"); t != nil {
		target = t.Text
	}
	for _, p := range n.Pairs {
		switch p.Key {
		case "target", "assertions":
		case "matcher":
			e.matcher(target, p.Value, d)
		default:
			e.short(target, p, d)
		}
	}
	if target != "" && len(n.Pairs) == 1 {
		d.AddProblem(n, "target without a matcher, expected matcher: {contains: …} next to it")
	}
}

func (e *Expectations) matcher(target string, n *document.Node, d *document.Decoder) {
	if n.Kind == document.String { // matcher: snapshot
		e.add(target, document.Pair{Key: n.Text, Line: n.Line, Column: n.Column,
			Value: &document.Node{Kind: document.Bool, Text: "true", Line: n.Line, Column: n.Column}}, d)
		return
	}
	if n.Kind != document.Map || len(n.Pairs) != 1 {
		d.AddProblem(n, "%s, expected one matcher with its argument, such as {contains: text}", document.Describe(n))
		return
	}
	e.add(target, n.Pairs[0], d)
}

func (e *Expectations) short(target string, p document.Pair, d *document.Decoder) {
	for _, s := range shorts {
		if s.word != p.Key {
			continue
		}
		if s.word == "max_duration_ms" {
			if p.Value.Kind != document.Number {
				d.AddProblem(p.Value, "%s, expected a number of milliseconds", document.Describe(p.Value))
				return
			}
			p.Value = &document.Node{Kind: document.Map, Line: p.Line, Column: p.Column,
				Pairs: []document.Pair{{Key: "maximum", Value: p.Value}}}
		}
		p.Key = s.matcher
		e.add(s.target, p, d)
		return
	}
	if _, ok := match.Find(p.Key); ok {
		e.add(target, p, d)
		return
	}
	if positive, negated := strings.CutPrefix(p.Key, "not_"); negated {
		if _, ok := match.Find(positive); ok {
			d.AddProblem(&document.Node{Line: p.Line, Column: p.Column}, "unknown key %q; use not: {%s: …}", p.Key,
				positive)
			return
		}
	}
	known := assertionKeys()
	if meant := typo.Best(p.Key, slices.Concat(known, slices.Sorted(maps.Keys(match.Aliases)))); meant != "" {
		d.AddTypo(p, "key", meant)
		return
	}
	d.AddProblem(&document.Node{Line: p.Line, Column: p.Column}, "unknown key %q, expected one of %s", p.Key,
		strings.Join(known, ", "))
}

func (e *Expectations) add(target string, p document.Pair, d *document.Decoder) {
	at := &document.Node{Line: p.Line, Column: p.Column}
	m, ok := match.Find(p.Key)
	if meant := typo.Best(p.Key, match.Names()); !ok && meant != "" {
		d.AddTypo(p, "matcher", meant)
		return
	}
	if !ok {
		d.AddProblem(at, "%v", match.Unknown(p.Key))
		return
	}
	a := &Assertion{Position: document.Position{File: d.File, Line: p.Line, Column: p.Column}, Target: target,
		Name: m.Name, Arg: p.Value}
	if target != "" {
		parsed, err := outcome.ParsePath(target)
		if err != nil {
			d.AddProblem(at, "target: %v", err)
			return
		}
		a.path = parsed
	}
	if !hasReferences(p.Value) {
		accept, err := m.New(p.Value.JSON())
		if err != nil {
			d.AddProblem(p.Value, "%s: %v", m.Name, err)
			return
		}
		a.accept = accept
	}
	e.All = append(e.All, a)
}

// hasReferences reports whether a node has references, or escaped ones: both are replaced.
func hasReferences(n *document.Node) bool {
	return n.Kind == document.String && variables.Refers(n.Text) || slices.ContainsFunc(n.Items, hasReferences) ||
		slices.ContainsFunc(n.Pairs, func(p document.Pair) bool { return hasReferences(p.Value) })
}

// evaluate is the function that checks values, with the current variables.
func (a *Assertion) evaluate(in scope) (match.Accept, error) {
	if a.accept != nil {
		return a.accept, nil
	}
	arg, err := in.JSON(a.Arg)
	if err != nil {
		return nil, err
	}
	m, _ := match.Find(a.Name)
	accept, err := m.New(arg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	return accept, nil
}

// looksAt reports whether any assertion has a target that begins with one of the words.
func (e *Expectations) looksAt(words ...string) bool {
	if e == nil {
		return false
	}
	return slices.ContainsFunc(e.All, func(a *Assertion) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return a.Target == w ||
				strings.HasPrefix(a.Target, w+".")
		})
	})
}

// JSONSchema refers to the definitions: every test has expectations.
func (e *Expectations) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"$ref":"#/$defs/expect"}`)
}

// Definitions describes every form once.
func (e *Expectations) Definitions() []document.Definition {
	var matchers, shortForms, again strings.Builder
	for _, m := range match.All() {
		fmt.Fprintf(&matchers, ",%s:%s", quoted(m.Name), described(m.Schema, m.Doc))
		fmt.Fprintf(&shortForms, `,%s:{"$ref":"#/$defs/matcher/properties/%s"}`, quoted(m.Name), m.Name)
		if m.Name == match.Aliases["equals"] { // the only alias that the documentation has
			fmt.Fprintf(&matchers, `,"equals":%s`, described(m.Schema, "Another name for "+m.Name+"."))
			fmt.Fprint(&shortForms, `,"equals":{"$ref":"#/$defs/matcher/properties/equals"}`)
		}
	}
	for _, s := range shorts {
		kind := map[string]string{"rejected": "boolean", "is_error": "boolean", "error_code": "integer",
			"max_duration_ms": "number"}[s.word]
		fmt.Fprintf(&shortForms, `,%s:{"type":%q,"description":%s}`, quoted(s.word), kind,
			quoted(strings.ToUpper(s.doc[:1])+s.doc[1:]+"."))
	}
	for _, name := range append(assertionKeys(), "equals") {
		fmt.Fprintf(&again, `,%s:{"$ref":"#/$defs/assertion/properties/%s"}`, quoted(name), name)
	}
	const object = `{"type":"object","minProperties":1,"additionalProperties":false,`
	return []document.Definition{
		{Name: "expect", Schema: json.RawMessage(`{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/assertion"}},` +
			object +
			`"properties":{"assertions":{"type":"array","items":{"$ref":"#/$defs/assertion"}}` + again.String() +
			`}}]}`)},
		{Name: "assertion", Schema: json.RawMessage(object + `"properties":{` +
			`"target":{"type":"string","description":"Location in the response: result.content[0].text, error.code, ` +
			`duration_ms …","examples":["result.structuredContent.sum"]},` +
			`"matcher":{"anyOf":[{"const":"snapshot"},{"$ref":"#/$defs/matcher"}],"description":"The condition to ` +
			`meet. The name of the matcher may also be used as a key directly."}` + shortForms.String() + `}}`)},
		{Name: "matcher", Schema: json.RawMessage(object + `"maxProperties":1,"properties":{` +
			strings.TrimPrefix(matchers.String(), ",") + `}}`)},
	}
}

func described(schema json.RawMessage, doc string) string {
	if string(schema) == "{}" {
		return `{"description":` + string(quoted(doc)) + `}`
	}
	return string(schema[:len(schema)-1]) + `,"description":` + string(quoted(doc)) + `}`
}
