package isolate

import (
	"context"
	"encoding/json"
	"fmt"
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

// request sends the request of a subject as a user with a canary. The canary is also the progress token.
func (p *pair) request(ctx context.Context, u *user, s *subject, canary string) *answer {
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
	return p.request(ctx, u, s, p.ledger.canary(u.Name, s.String()))
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
	add(surface.Prompts, "prompts/get", maxPrompts, p.prompt)
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
