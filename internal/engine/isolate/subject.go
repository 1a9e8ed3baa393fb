package isolate

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// placeholder stands for a canary in params.
const placeholder = "{{canary}}"

// A subject is a tool, a prompt, a resource or a resource template that both users use.
type subject struct {
	method, name string
	forms        []json.RawMessage // possible params, the best first
	params       json.RawMessage   // the chosen ones, with a placeholder if they can carry a canary
	calls        int               // how many more are allowed
	listed       map[string]bool   // by user
	tasks        bool              // it may run as a task
	before       *answer           // to the other user, before the owner was active; nil if it is not known
	after        *answer           // to the owner, if it always differs from before; nil if it is not known
}

func (s *subject) String() string { return s.method + " " + s.name }

// varies reports whether a request can carry a canary.
func (s *subject) varies() bool { return strings.Contains(string(s.params), placeholder) }

// An answer is the response to a request, with its canary replaced by the placeholder.
type answer struct {
	text  string
	ok    bool // it is a result, without isError
	code  int64
	frame int
	err   error // there was no response
}

func (a *answer) same(b *answer) bool { return a.err == nil && b.err == nil && a.text == b.text }

// ask sends the request of a subject as a user with a canary. The canary is also the progress token.
func (p *pair) ask(ctx context.Context, u *user, s *subject, canary string) *answer {
	params := json.RawMessage(strings.ReplaceAll(string(s.params), placeholder, canary))
	if s.calls--; s.method == "tools/call" {
		params, _ = schema.Apply(params, []finding.Edit{{Pointer: "/_meta",
			Value: mcp.Object("progressToken", canary)}})
	}
	limited, cancel := context.WithTimeoutCause(ctx, p.opts.Timeout, // progress must not extend it
		fmt.Errorf("no response within %v", p.opts.Timeout))
	defer cancel()
	ex, err := u.s.Do(limited, mcp.Request{Method: s.method, Params: params, Timeout: p.opts.Timeout})
	if err != nil {
		return &answer{err: err}
	}
	a := &answer{frame: ex.Reply.Frame.Seq}
	if e := ex.Reply.Error; e != nil {
		a.text, a.code = e.Error()+string(e.Data), e.Code
	} else {
		failed, _ := schema.Get(ex.Reply.Result, "/isError")
		a.text, a.ok = string(ex.Reply.Result), string(failed) != "true"
	}
	a.text = strings.ReplaceAll(a.text, canary, placeholder)
	return a
}

// own asks with a canary of the user.
func (p *pair) own(ctx context.Context, u *user, s *subject) *answer {
	return p.ask(ctx, u, s, p.ledger.canary(u.Name, s.String()))
}

// prepare adds what a user lists to the subjects.
func (p *pair) prepare(ctx context.Context, u *user) error {
	surface, err := u.s.Surface(ctx)
	if err != nil {
		return err
	}
	add := func(list *mcp.List, method string, most int, make func(mcp.Item) *subject) {
		if list == nil {
			return
		}
		for _, item := range list.Items {
			if item.Odd != "" {
				continue
			}
			if known := p.find(method, item.Name); known != nil {
				known.listed[u.Name] = true
				continue
			}
			if p.count(method) >= most {
				p.report.notCalled(item.Name, fmt.Sprintf("only %d are tested", most))
				continue
			}
			if s := make(item); s != nil {
				s.method, s.name, s.listed = method, item.Name, map[string]bool{u.Name: true}
				p.subjects = append(p.subjects, s)
			}
		}
	}
	add(surface.Tools, "tools/call", maxTools, p.tool)
	add(surface.Prompts, "prompts/get", maxPrompts, prompt)
	add(surface.Resources, "resources/read", maxResources, resource)
	add(surface.Templates, "resources/read", maxResources+maxTemplates, template)
	return nil
}

func (p *pair) find(method, name string) *subject {
	for _, s := range p.subjects {
		if s.method == method && s.name == name {
			return s
		}
	}
	return nil
}

func (p *pair) count(method string) int {
	n := 0
	for _, s := range p.subjects {
		if s.method == method {
			n++
		}
	}
	return n
}

// maxForms is how many arguments of a tool are tried as a location for the canary.
const maxForms = 4

// tool returns the calls of a tool; nil if it may not be called.
func (p *pair) tool(item mcp.Item) *subject {
	may := p.opts.May(item.Raw)
	if may.Calls == 0 {
		p.report.notCalled(item.Name, may.Why)
		return nil
	}
	input, _ := schema.Get(item.Raw, "/inputSchema")
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		p.report.notCalled(item.Name, "its inputSchema is invalid")
		return nil
	}
	arguments, err := compiled.Sample(&schema.SampleOptions{Style: schema.Typical})
	if err != nil {
		p.report.notCalled(item.Name, "no arguments could be generated")
		return nil
	}
	support := schema.TextAt(item.Raw, "/execution/taskSupport")
	s := &subject{calls: may.Calls, tasks: support == "optional" || support == "required"}
	for _, pointer := range places(input, arguments) {
		changed, err := schema.Apply(arguments, []finding.Edit{{Pointer: pointer,
			Value: json.RawMessage(`"` + strings.Repeat("x", canaryLength) + `"`)}})
		if err != nil || len(compiled.Validate(changed)) > 0 || len(s.forms) == maxForms {
			continue
		}
		changed, _ = schema.Apply(changed, []finding.Edit{{Pointer: pointer,
			Value: json.RawMessage(`"` + placeholder + `"`)}})
		s.forms = append(s.forms, mcp.Object("name", item.Name, "arguments", changed))
	}
	s.forms = append(s.forms, mcp.Object("name", item.Name, "arguments", arguments))
	return s
}

// places lists where the arguments of a tool may have a canary: its properties, and the strings in them.
func places(input, arguments json.RawMessage) []string {
	var all []string
	properties, _ := schema.Get(input, "/properties")
	members, _ := schema.Members(properties)
	for _, m := range members {
		pointer := "/" + schema.Token(m.Name)
		all = append(all, pointer)
		if value, ok := schema.Get(arguments, pointer); ok {
			all = append(all, stringsIn(value, pointer)...)
		}
	}
	return all
}

// stringsIn lists the strings inside a value.
func stringsIn(value json.RawMessage, pointer string) []string {
	var all []string
	inside := func(token string, value json.RawMessage) {
		if at := pointer + "/" + token; value[0] == '"' {
			all = append(all, at)
		} else {
			all = append(all, stringsIn(value, at)...)
		}
	}
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) == nil {
		for i, element := range elements {
			inside(strconv.Itoa(i), element)
		}
		return all
	}
	members, _ := schema.Members(value)
	for _, m := range members {
		inside(schema.Token(m.Name), m.Value)
	}
	return all
}

func prompt(item mcp.Item) *subject {
	list, _ := schema.Get(item.Raw, "/arguments")
	var arguments []struct {
		Name     string `json:"name"`
		Required bool   `json:"required"`
	}
	_ = json.Unmarshal(list, &arguments) // a wrong list has no arguments
	values := map[string]string{}
	for i, a := range arguments {
		if i == 0 {
			values[a.Name] = placeholder
		} else if a.Required {
			values[a.Name] = "example"
		}
	}
	form, _ := json.Marshal(map[string]any{"name": item.Name, "arguments": values}) // strings always marshal
	return &subject{calls: many, forms: []json.RawMessage{form}}
}

func resource(item mcp.Item) *subject {
	return &subject{calls: many, forms: []json.RawMessage{mcp.Object("uri", item.Name)}}
}

// many is the limit for requests that call no tool.
const many = 1000

var variable = regexp.MustCompile(`\{[+#./;?&]?([A-Za-z0-9_]+)\*?\}`)

// template returns the reads of a resource template. Only simple variables are expanded.
func template(item mcp.Item) *subject {
	first := true
	uri := variable.ReplaceAllStringFunc(item.Name, func(string) string {
		if first {
			first = false
			return placeholder
		}
		return "1"
	})
	if first || strings.ContainsAny(strings.ReplaceAll(uri, placeholder, ""), "{}") {
		return nil
	}
	return &subject{calls: many, forms: []json.RawMessage{mcp.Object("uri", uri)}}
}

// choose tries the forms of a subject as a user, and chooses the first one that succeeds.
func (p *pair) choose(ctx context.Context, u *user, s *subject) *answer {
	var last *answer
	start := time.Now()
	defer func() {
		if time.Since(start) > slowCall {
			s.calls = min(s.calls, slowCalls)
		}
	}()
	for _, form := range s.forms {
		s.params = form
		if last = p.own(ctx, u, s); last.err != nil {
			s.calls = 0
			p.report.notCalled(s.name, "called once: "+last.err.Error())
			return last
		}
		if last.ok || s.calls < 4 {
			return last
		}
	}
	s.params = s.forms[0]
	return last
}
