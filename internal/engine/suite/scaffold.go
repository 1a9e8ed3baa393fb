package suite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// A Scaffold is a first suite for a server.
type Scaffold struct {
	YAML    []byte
	Tests   int
	Skipped []string // tools without a test, and why
}

// maxScaffold is the maximum number of resources and prompts that get a test.
const maxScaffold = 20

// ScaffoldCalls is how often each tool is called, to see whether its results differ.
const ScaffoldCalls = 2

// ScaffoldOptions are how a server is inspected.
type ScaffoldOptions struct {
	Server  string        // how the suite reaches the server, as lines of YAML
	Permit  safety.Permit // tools that are called although they are not safe
	Timeout time.Duration // of each call; 0 means that of the session
	// Here contains texts that are specific to this machine, such as a path: a result with one of them is not stored
	// as a snapshot.
	Here []string
	// Again opens the server again after a call that crashed or blocked it.
	Again func(context.Context) (*mcp.Session, error)
}

// NewScaffold inspects a server and writes a suite for it: a call of each safe tool, reads of resources, prompts
// without arguments, the quality of the tools, coverage. Each call is made twice: a result that is the same is stored
// as a snapshot when the suite first runs. A call that crashes the server does not affect the next ones. If the context
// ends, the rest is skipped, and the suite is returned with the error.
func NewScaffold(ctx context.Context, s *mcp.Session, opts *ScaffoldOptions) (*Scaffold, error) {
	surface, err := s.Surface(ctx)
	if err != nil {
		return nil, err
	}
	w := &scaffolder{ScaffoldOptions: opts, ctx: ctx, session: s, given: s, out: &Scaffold{}}
	defer w.release()
	w.line("# yaml-language-server: $schema=./mcptest.schema.json  (mcptest schema suite > mcptest.schema.json)")
	w.line("servers:")
	w.text.WriteString(w.Server)
	tools := items(surface.Tools)
	w.tools(tools)
	w.resources(items(surface.Resources))
	w.prompts(items(surface.Prompts))
	if len(tools) > 0 {
		w.line("\ntool_quality:\n  - name: tool descriptions")
		w.line("\ncoverage:\n  - name: tool coverage\n    tools: %v", percent(w.called, len(tools)))
		w.out.Tests += 2
	}
	w.out.YAML = []byte(w.text.String())
	return w.out, ctx.Err()
}

// AddLocked adds a test that compares the server with an entry of the lock file, whose name is YAML.
func (s *Scaffold) AddLocked(server string) {
	s.YAML = fmt.Appendf(s.YAML, "\nlocked:\n  - name: as approved\n    with: {server: %s}\n", server)
	s.Tests++
}

// release closes the session, unless it belongs to the caller.
func (w *scaffolder) release() {
	if w.session != w.given {
		_ = w.session.Close()
	}
}

// items are those of a list, which a server may not have.
func items(list *mcp.List) []mcp.Item {
	if list == nil {
		return nil
	}
	return list.Items
}

// noAnswers is the script of a client without input.
var noAnswers *script

type scaffolder struct {
	*ScaffoldOptions
	ctx     context.Context
	session *mcp.Session
	given   *mcp.Session // belongs to the caller
	blocked bool         // the last call timed out: the server may still be busy with it
	text    strings.Builder
	out     *Scaffold
	called  int
}

func (w *scaffolder) line(format string, args ...any) { fmt.Fprintf(&w.text, format+"\n", args...) }

func (w *scaffolder) skip(name, why string) {
	w.out.Skipped = append(w.out.Skipped, name+": "+why)
	w.line("  # no test for %s: %s", oneLine(name), oneLine(why))
}

// oneLine keeps server text from breaking out of a comment.
func oneLine(text string) string {
	return clip.Sized(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0x7f {
			return ' '
		}
		return r
	}, text), maxDisplayed)
}

func (w *scaffolder) tools(items []mcp.Item) {
	if len(items) == 0 {
		return
	}
	w.line("\ntools:")
	for _, item := range items {
		may := w.Permit.Of(item.Raw)
		input, _ := schema.Get(item.Raw, "/inputSchema")
		args, err := schema.Sample(input, nil)
		switch {
		case may.Calls < ScaffoldCalls:
			w.skip(item.Name, may.Why)
			continue
		case err != nil:
			w.skip(item.Name, err.Error())
			continue
		}
		call := calls.Call{Method: calls.Tool, Name: item.Name, Arguments: args, Definition: item.Raw}
		if w.test("tool", call, fmt.Sprintf("    args: %s", args)) {
			w.called++
		}
	}
}

func (w *scaffolder) resources(items []mcp.Item) {
	if len(items) == 0 {
		return
	}
	w.line("\nresources:")
	for _, item := range items[:min(len(items), maxScaffold)] {
		uri, _ := schema.Get(item.Raw, "/uri")
		w.test("uri", calls.Call{Method: calls.Resource, Name: flat(uri)}, "")
	}
}

func (w *scaffolder) prompts(items []mcp.Item) {
	first := true
	for _, item := range items[:min(len(items), maxScaffold)] {
		arguments, _ := schema.Get(item.Raw, "/arguments")
		if needed, _ := schema.Elements(arguments); len(needed) > 0 {
			continue
		}
		if first {
			w.line("\nprompts:")
			first = false
		}
		w.test("prompt", calls.Call{Method: calls.Prompt, Name: item.Name, Definition: item.Raw}, "")
	}
}

// test writes a test, after making the call: a call that fails gets no test, and a result that differs from call to
// call is not a snapshot.
func (w *scaffolder) test(key string, call calls.Call, more string) (written bool) {
	first, failed, err := w.look(call)
	if err != nil {
		w.skip(call.Name, err.Error())
		return false
	}
	if failed != "" {
		w.skip(call.Name, "a sample call fails ("+failed+")")
		return false
	}
	second, _, err := w.look(call)
	w.out.Tests++
	w.line("  - %s: %s", key, quoted(call.Name))
	if more != "" {
		w.line("%s", more)
	}
	switch {
	case err != nil || !equal(first, second):
		w.line("    expect: {exists: true} # the response differs from call to call")
	case w.local(first):
		w.line("    expect: {exists: true} # the response is specific to this machine")
	default:
		w.line("    expect: {snapshot: true}")
	}
	return true
}

// local reports whether a response contains something that is different on another machine.
func (w *scaffolder) local(result json.RawMessage) bool {
	return slices.ContainsFunc(w.Here, func(text string) bool {
		return text != "" &&
			bytes.Contains(result, []byte(text))
	})
}

func (w *scaffolder) look(call calls.Call) (result json.RawMessage, failed string, err error) {
	if w.ctx.Err() != nil {
		return nil, "", context.Cause(w.ctx)
	}
	if w.session.Err() != nil || w.blocked {
		fresh, err := w.Again(w.ctx)
		if err != nil {
			return nil, "", err
		}
		w.release()
		w.session, w.blocked = fresh, false
	}
	request := call.Request(w.session)
	request.Input, request.Alone, request.Timeout = noAnswers.respond, true, w.Timeout
	ex, err := w.session.Do(w.ctx, request)
	if w.ctx.Err() != nil {
		err = context.Cause(w.ctx)
	}
	if err != nil {
		var late *mcp.TimeoutError
		w.blocked = errors.As(err, &late)
		return nil, "", err
	}
	a := &callOutcome{exchange: ex, verdict: call.Evaluate(w.session, ex)}
	return a.result(), cmp.Or(a.failure(), clip.Sized(strings.Join(a.malformed(), "; "), maxDisplayed)), nil
}
