// Package scaffold writes first suites for servers, and adds tests to existing ones.
package scaffold

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// A Scaffold is a first suite for a server, or what an existing one lacks.
type Scaffold struct {
	Server  string // how the suite reaches the server, as lines of YAML
	Tests   int
	Skipped []string // what is not called, and why

	sections []*scaffoldSection
}

// A scaffoldSection is one section of the suite: items of a list, with their comments.
type scaffoldSection struct {
	name  string
	items []string
}

// maxScaffold is the maximum number of resources and prompts that get a test.
const maxScaffold = 20

// Calls is how often a tool is called that is not safe, to see whether its results differ.
const Calls = 2

// Options are how a server is inspected.
type Options struct {
	Server  string        // how the suite reaches the server, as lines of YAML
	Permit  safety.Permit // tools that are called although they are not safe
	Timeout time.Duration // of each call
	Vary    suite.Vary    // makes more calls of a safe tool; may be nil
	// Here contains texts that are specific to this machine, such as a path: a result with one of them is not expected.
	Here []string
	// Scrub removes secrets; a result that has some is not expected. May be nil.
	Scrub func(string) string
	// Has reports whether the suite that is extended has a test of a subject; nil for a new suite.
	Has func(subject string) bool
	// Quality are the expectations on the tools that hold now, as lines of YAML.
	Quality string
	// Again opens the server again after a call that crashed or blocked it.
	Again func(context.Context) (*mcp.Session, error)
}

// New inspects a server and writes tests for it. A safe tool gets its minimal call, calls without each optional
// argument, with values at the limits, and with one wrong value for each constraint; what is expected is what the
// server returned, by its form. Tools that are not called are skipped tests. A call that crashes the server does not
// affect the next ones. If the context ends, the rest is skipped, and the suite is returned with the error.
func New(ctx context.Context, s *mcp.Session, opts *Options) (*Scaffold, error) {
	surface, err := s.Surface(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{Options: opts, ctx: ctx, session: s, given: s, out: &Scaffold{Server: opts.Server}}
	if w.Has == nil {
		w.Has = func(string) bool { return false }
	}
	defer w.release()
	tools := items(surface.Tools)
	w.tools(tools)
	w.resources(items(surface.Resources))
	w.prompts(items(surface.Prompts))
	if len(tools) > 0 && !w.Has("tool_quality") {
		w.add("tool_quality", "  - name: tool descriptions\n"+w.Quality)
	}
	if len(tools) > 0 && !w.Has("coverage") {
		w.add("coverage", fmt.Sprintf("  - name: tool coverage\n    tools: %v\n", suite.Percent(w.called, len(tools))))
	}
	return w.out, ctx.Err()
}

// AddLocked adds a test that compares the server with an entry of the lock file, whose name is YAML.
func (s *Scaffold) AddLocked(server string) {
	s.add("locked", fmt.Sprintf("  - name: as approved\n    with: {server: %s}\n", server))
}

// add adds an item to a section.
func (s *Scaffold) add(section, item string) {
	at := slices.IndexFunc(s.sections, func(known *scaffoldSection) bool { return known.name == section })
	if at < 0 {
		at = len(s.sections)
		s.sections = append(s.sections, &scaffoldSection{name: section})
	}
	s.sections[at].items = append(s.sections[at].items, item)
	s.Tests++
}

// scaffoldHead is the beginning of a new suite.
const scaffoldHead = `# yaml-language-server: $schema=./mcptest.schema.json  (mcptest schema suite > mcptest.schema.json)
#
# This suite expects what the server returned when it was written. To adjust it:
#   - Replace sample arguments by ones that matter to you, and expect the values that they lead to.
#   - "todo" tests are skipped: their tools were not called. Check the arguments, and remove skip.
#   - "xfail" cases fail now. They report when the server is fixed; then remove xfail.
# Run "mcptest init" again to add tests of new tools. It changes nothing that is here.
`

// YAML is the scaffold as a new suite.
func (s *Scaffold) YAML() []byte {
	var b strings.Builder
	b.WriteString(scaffoldHead + "servers:\n" + s.Server)
	for _, section := range s.sections {
		b.WriteString("\n" + section.name + ":\n" + strings.Join(section.items, ""))
	}
	return []byte(b.String())
}

// release closes the session, unless it belongs to the caller.
func (w *writer) release() {
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

// noAnswer implements mcp.Request.Input: the client has no input.
func noAnswer(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, error) {
	return nil, fmt.Errorf("the server sent %s, but the test has no answers", method)
}

type writer struct {
	*Options
	ctx     context.Context
	session *mcp.Session
	given   *mcp.Session // belongs to the caller
	blocked bool         // the last call timed out: the server may still be busy with it
	out     *Scaffold
	called  int
}

func (w *writer) add(section, item string) { w.out.add(section, item) }

// todo adds a skipped test of something that was not called.
func (w *writer) todo(section, key, name, more, why string) {
	w.out.Skipped = append(w.out.Skipped, name+": "+why)
	w.add(section, fmt.Sprintf("  - %s: %s\n%s    skip: %s\n", key, quotedYAML(name), more,
		quotedYAML("todo: "+suite.OneLine(why))))
	w.out.Tests--
}

// quotedYAML is a text that a suite reads as this text.
func quotedYAML(text string) string { return string(variables.Quoted(variables.Escape(text))) }

// flowYAML is JSON that a suite reads as this JSON.
func flowYAML(raw json.RawMessage) string { return variables.Escape(string(raw)) }

func (w *writer) resources(items []mcp.Item) {
	for _, item := range items[:min(len(items), maxScaffold)] {
		raw, _ := schema.Get(item.Raw, "/uri")
		uri := match.Flat(raw)
		if w.Has(uri) {
			continue
		}
		first := w.look(calls.Call{Method: calls.Resource, Name: uri})
		if first.why() != "" {
			w.todo("resources", "uri", uri, "", first.why())
			continue
		}
		w.add("resources", fmt.Sprintf("  - uri: %s\n    expect: {%s}\n", quotedYAML(uri),
			nonEmpty(first.result(), "contents")))
	}
}

func (w *writer) prompts(items []mcp.Item) {
	for _, item := range items[:min(len(items), maxScaffold)] {
		if w.Has(item.Name) {
			continue
		}
		if why := w.Permit.Prompt(item.Raw); why != "" {
			w.todo("prompts", "prompt", item.Name, "    args: {}\n", why)
			continue
		}
		arguments, _ := schema.Get(item.Raw, "/arguments")
		if needed, _ := schema.Elements(arguments); len(needed) > 0 {
			w.todo("prompts", "prompt", item.Name, "    args: {}\n", "set its arguments")
			continue
		}
		first := w.look(calls.Call{Method: calls.Prompt, Name: item.Name, Definition: item.Raw})
		if first.why() != "" {
			w.todo("prompts", "prompt", item.Name, "", first.why())
			continue
		}
		w.add("prompts", fmt.Sprintf("  - prompt: %s\n    expect: {%s}\n", quotedYAML(item.Name),
			nonEmpty(first.result(), "messages")))
	}
}

// nonEmpty expects that a list of a result is not empty, if it is not.
func nonEmpty(result json.RawMessage, list string) string {
	if _, some := schema.Get(result, "/"+list+"/0"); !some {
		return "exists: true"
	}
	return "target: result." + list + ", length: {min: 1}"
}
