package suite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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

// NewScaffold inspects a server and writes a suite for it: a call of each read-only tool, reads of resources, prompts
// without arguments, the quality of the tools, coverage. Each call is made twice: a result that is the same is stored
// as a snapshot when the suite first runs. If a call crashes the server, it is opened again for the next one, if again
// is not nil. The server is how the suite reaches it, as lines of YAML. Here contains texts that are specific to this
// machine, such as a path: a result with one of them is not stored as a snapshot either.
func NewScaffold(ctx context.Context, s *mcp.Session, again func(context.Context) (*mcp.Session, error), server string, here ...string) (*Scaffold, error) {
	surface, err := s.Surface(ctx)
	if err != nil {
		return nil, err
	}
	w := &scaffolder{ctx: ctx, session: s, again: again, out: &Scaffold{}, here: here}
	defer func() {
		if w.session != s {
			_ = w.session.Close()
		}
	}()
	w.line("# yaml-language-server: $schema=./mcptest.schema.json  (mcptest schema suite > mcptest.schema.json)")
	w.line("servers:")
	w.text.WriteString(server)
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
	ctx     context.Context
	session *mcp.Session
	again   func(context.Context) (*mcp.Session, error)
	text    strings.Builder
	out     *Scaffold
	called  int
	here    []string
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
	}, text), maxShown)
}

func (w *scaffolder) tools(items []mcp.Item) {
	if len(items) == 0 {
		return
	}
	w.line("\ntools:")
	for _, item := range items {
		may := safety.Of(item.Raw)
		input, _ := schema.Get(item.Raw, "/inputSchema")
		args, err := schema.Sample(input, nil)
		switch {
		case may.Calls < 2: // it is called twice
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
	return slices.ContainsFunc(w.here, func(text string) bool { return text != "" && bytes.Contains(result, []byte(text)) })
}

func (w *scaffolder) look(call calls.Call) (result json.RawMessage, failed string, err error) {
	if w.session.Err() != nil && w.again != nil {
		fresh, err := w.again(w.ctx)
		if err != nil {
			return nil, "", err
		}
		_ = w.session.Close() // it has already exited
		w.session = fresh
	}
	request := call.Request(w.session)
	request.Input, request.Alone = noAnswers.answer, true
	ex, err := w.session.Do(w.ctx, request)
	if err != nil {
		return nil, "", err
	}
	a := &answer{exchange: ex, verdict: call.Judge(w.session, ex)}
	return a.result(), cmp.Or(a.failure(), clip.Sized(strings.Join(a.malformed(), "; "), maxShown)), nil
}
