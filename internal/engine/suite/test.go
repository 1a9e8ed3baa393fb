package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// A Test is one thing that passes or fails.
type Test struct {
	Case
	ID     string // the file, the section and the name: the ID for --filter, shards and snapshots
	Kind   string // the section that it belongs to
	Steps  []Call
	Engine string // of a block: the engine; the steps are empty then
	With   *document.Node
	min    map[string]*float64 // of a coverage block: percentages, by target
	suite  string              // the file that the test belongs to, also if an import has it

	row      *Row     // the case of a test with cases; else nil
	generate []string // the kinds of cases to generate from the schema of the tool, when the test is run
	parent   *Test    // of a generated case: its test
}

// A Call is one request of a test.
type Call struct {
	Case
	Kind    string // tool, resource, prompt, completion or method
	Subject string // the tool's name, the resource's URI …
	Method  string
	Args    *document.Node
	Extra   json.RawMessage // of a completion: the parameters other than arguments
	Soft    bool            // a failure of this step does not end the test
}

// nodes are the parts that may refer to variables.
func (c *Call) nodes() []*document.Node {
	all := []*document.Node{c.Args}
	if c.Expect != nil {
		for _, a := range c.Expect.All {
			all = append(all, a.Arg)
		}
	}
	if c.Answers != nil {
		all = append(append(append(all, c.Answers.Elicitation...), c.Answers.Sampling...), c.Answers.Roots...)
	}
	return all
}

// tests creates the tests of a file, in the order of its sections.
func (s *Suite) tests() []*Test {
	var all []*Test
	add := func(kind string, c Case, cases *Cases, name string, steps ...Call) *Test {
		t := &Test{Case: c, Kind: kind, Steps: steps, suite: filepath.ToSlash(s.Position.File)}
		t.Name = OneLine(cmp.Or(c.Name, name)) // a tool can have any name
		t.ID = t.suite + "/" + kind + "/" + t.Name
		t.Timeout = cmp.Or(c.Timeout, s.RunOptions.Timeout, timeout.Default)
		all = append(all, t.expand(cases)...)
		return t
	}
	for _, t := range s.Tools {
		add("tools", t.Case, t.Cases, t.Tool, Call{Case: t.Case, Kind: "tool", Subject: t.Tool, Method: "tools/call",
			Args: t.Args})
	}
	for _, t := range s.Resources {
		add("resources", t.Case, t.Cases, t.URI, Call{Case: t.Case, Kind: "resource", Subject: t.URI,
			Method: "resources/read"})
	}
	for _, t := range s.Prompts {
		add("prompts", t.Case, t.Cases, t.Prompt, Call{Case: t.Case, Kind: "prompt", Subject: t.Prompt, Method: "prompts/get",
			Args: t.Args})
	}
	for _, t := range s.Completions {
		add("completions", t.Case, nil, cmp.Or(t.Prompt, t.Template)+" "+t.Argument,
			Call{Case: t.Case, Kind: "completion", Subject: cmp.Or(t.Prompt, t.Template), Method: "completion/complete",
				Extra: t.params()})
	}
	for _, t := range s.Raw {
		add("raw", t.Case, t.Cases, t.Method, Call{Case: t.Case, Kind: "method", Subject: t.Method, Method: t.Method,
			Args: t.Params})
	}
	for i, t := range s.Sequences {
		add("sequences", t.Case, t.Cases, fmt.Sprintf("sequence %d", i+1), t.calls()...)
	}
	for _, b := range s.blocks() {
		t := add(b.engine, b.Case, nil, b.engine)
		t.Engine, t.With = b.engine, b.With
	}
	for _, c := range s.Coverage {
		t := add("coverage", c.Case, nil, "coverage")
		t.Engine, t.min = "coverage", c.percentages()
	}
	return all
}

type engineBlock struct {
	Block
	engine string
}

func (s *Suite) blocks() []engineBlock {
	var all []engineBlock
	for _, group := range []struct {
		engine string
		blocks []Block
	}{{"tool_quality", s.ToolQuality}, {"schema_lint", s.SchemaLint}, {"conform", s.Conform}, {"fuzz", s.Fuzz},
		{"performance", s.Performance}, {"locked", s.Locked}, {"find", s.Find}} {
		for _, b := range group.blocks {
			all = append(all, engineBlock{b, group.engine})
		}
	}
	return all
}

func (q *Sequence) calls() []Call {
	var all []Call
	for _, s := range q.Steps {
		c := Call{Case: s.Case, Args: s.Args, Soft: s.Soft}
		switch {
		case s.Resource != "":
			c.Kind, c.Subject, c.Method = "resource", s.Resource, "resources/read"
		case s.Prompt != "":
			c.Kind, c.Subject, c.Method = "prompt", s.Prompt, "prompts/get"
		case s.Method != "":
			c.Kind, c.Subject, c.Method, c.Args = "method", s.Method, s.Method, s.Params
		default:
			c.Kind, c.Subject, c.Method = "tool", s.Tool, "tools/call"
		}
		if c.Answers == nil {
			c.Answers = q.Answers
		}
		all = append(all, c)
	}
	if n := len(all); n > 0 && q.Expect != nil && all[n-1].Expect == nil {
		all[n-1].Expect = q.Expect // the expectations of the sequence apply to its last step
	}
	return all
}

func (t *CompletionTest) params() json.RawMessage {
	ref := `{"type":"ref/prompt","name":` + string(quoted(t.Prompt)) + `}`
	if t.Template != "" {
		ref = `{"type":"ref/resource","uri":` + string(quoted(t.Template)) + `}`
	}
	out := `{"ref":` + ref + `,"argument":{"name":` + string(quoted(t.Argument)) + `,"value":` +
		string(quoted(t.Value)) + `}`
	if len(t.Context) > 0 {
		known, _ := json.Marshal(t.Context) // strings always marshal
		out += `,"context":{"arguments":` + string(known) + `}`
	}
	return json.RawMessage(out + "}")
}

// params are the parameters to send, with variables replaced.
func (c *Call) params(in scope) (json.RawMessage, error) {
	if c.Extra != nil {
		return c.Extra, nil
	}
	args, err := in.JSON(c.Args)
	if err != nil {
		return nil, err
	}
	subject, err := in.Text(c.Subject)
	if err != nil {
		return nil, err
	}
	switch c.Kind {
	case "method":
		return args, nil
	case "resource":
		return json.RawMessage(`{"uri":` + string(quoted(subject)) + `}`), nil
	}
	out := `{"name":` + string(quoted(subject))
	if args != nil {
		out += `,"arguments":` + string(args)
	}
	return json.RawMessage(out + "}"), nil
}

// usualTarget is the default target of an assertion.
func (c *Call) usualTarget(a *Assertion) string {
	if a.Name == "snapshot" || a.Name == "image" || a.Name == "expression" || a.Name == "exists" {
		return "result"
	}
	switch c.Kind {
	case "tool":
		return toolTarget(a)
	case "resource":
		return "result.contents[0].text"
	case "prompt":
		return "result.messages[0].content.text"
	case "completion":
		return "result.completion.values"
	}
	return "result"
}

// toolTarget depends on the expectation: the structured content of a response, or its text.
func toolTarget(a *Assertion) string {
	plain := a.Arg.Kind == document.String || a.Arg.Kind == document.Bool || a.Arg.Kind == document.Null
	if a.Name == "schema" || !plain && a.Name != "length" && a.Name != "not" {
		return "result.structuredContent"
	}
	return "text"
}

// HasTag reports whether the test has one of the tags.
func (t *Test) HasTag(tags []string) bool {
	for _, tag := range t.Tags {
		for _, want := range tags {
			if strings.EqualFold(tag, want) {
				return true
			}
		}
	}
	return false
}
