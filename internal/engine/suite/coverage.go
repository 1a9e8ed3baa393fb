package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A usage is what tests have called: tools and their parameters, by server.
type usage struct {
	mu    sync.Mutex
	calls map[string]map[string]map[string]bool // server, tool, parameter
}

func newUsage() *usage { return &usage{calls: map[string]map[string]map[string]bool{}} }

func (u *usage) call(server string, c *Call, params json.RawMessage) {
	if c.Kind != "tool" {
		return
	}
	name, _ := schema.Get(params, "/name")
	arguments, _ := schema.Get(params, "/arguments")
	members, _ := schema.Members(arguments)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calls[server] == nil {
		u.calls[server] = map[string]map[string]bool{}
	}
	tool := flat(name)
	if u.calls[server][tool] == nil {
		u.calls[server][tool] = map[string]bool{}
	}
	for _, m := range members {
		u.calls[server][tool][m.Name] = true
	}
}

func (u *usage) has(server, tool string) (parameters map[string]bool, called bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	parameters, called = u.calls[server][tool]
	return parameters, called
}

// called lists the parameters that were used, by server and tool.
func (u *usage) called() map[string]map[string][]string {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := map[string]map[string][]string{}
	for server, tools := range u.calls {
		all[server] = map[string][]string{}
		for tool, parameters := range tools {
			all[server][tool] = slices.Sorted(maps.Keys(parameters))
		}
	}
	return all
}

// add adds what another shard called.
func (u *usage) add(called map[string]map[string][]string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for server, tools := range called {
		if u.calls[server] == nil {
			u.calls[server] = map[string]map[string]bool{}
		}
		for tool, parameters := range tools {
			if u.calls[server][tool] == nil {
				u.calls[server][tool] = map[string]bool{}
			}
			for _, name := range parameters {
				u.calls[server][tool][name] = true
			}
		}
	}
}

// coverage compares what the tests of the run called with what the server has. A shard leaves that to the report of all
// shards.
func (r *run) coverage(ctx context.Context, s *Suite, t *Test, l *lease) (findings []finding.Finding, broken,
	skipped string) {
	if !r.opts.Whole && r.shard.Of < 2 {
		return nil, "", "coverage is not computed for a partial run"
	}
	list, err := l.session.List(ctx, "tools/list")
	if err != nil {
		return nil, explain(err), ""
	}
	expect := t.Expect
	if expect == nil {
		if expect, err = readExpectations(t.minimums()); err != nil {
			return nil, err.Error(), ""
		}
	}
	tools := coverageTools(list.Items)
	if r.shard.Of < 2 {
		return r.covered(ctx, t, tools, expect, s.scope), "", ""
	}
	raw, err := expect.json(s.scope)
	if err != nil {
		return nil, err.Error(), ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.undecided = append(r.undecided, finding.CoverageTest{Name: t.ID, Server: t.Server, Tools: tools, Expect: raw,
		Where: finding.Location{Subject: t.ID, File: t.File, Line: t.Line}, Reproduce: r.reproduce(t)})
	return nil, "", "coverage is computed from all shards: run mcptest report merge"
}

// coverageTools are the tools of a server, with their parameters.
func coverageTools(items []mcp.Item) []finding.CoverageTool {
	var all []finding.CoverageTool
	for _, item := range items {
		tool := finding.CoverageTool{Name: item.Name}
		properties, _ := schema.Get(item.Raw, "/inputSchema/properties")
		members, _ := schema.Members(properties)
		for _, m := range members {
			tool.Parameters = append(tool.Parameters, m.Name)
		}
		all = append(all, tool)
	}
	return all
}

// covered checks how much of the tools was called.
func (r *run) covered(ctx context.Context, t *Test, list []finding.CoverageTool, expect *Expectations,
	in scope) []finding.Finding {
	var tools, parameters reach
	for _, tool := range list {
		used, called := r.used.has(t.Server, tool.Name)
		tools.count(tool.Name, called)
		for _, name := range tool.Parameters {
			parameters.count(tool.Name+"."+name, used[name])
		}
	}
	figures, _ := json.Marshal(map[string]any{"tools": percent(tools.used, tools.all),
		"parameters": percent(parameters.used, parameters.all),
		// plain data always marshals
		"missing_tools": orEmpty(tools.missed), "missing_parameters": orEmpty(parameters.missed)})
	findings := r.figures(ctx, t, expect, figures, nil, in, nil)
	for i := range findings {
		if len(tools.missed) > 0 {
			findings[i].Evidence = append(findings[i].Evidence,
				"untested tools: "+clip.Sized(strings.Join(tools.missed, ", "), maxDisplayed))
		}
		if len(parameters.missed) > 0 {
			findings[i].Evidence = append(findings[i].Evidence,
				"untested parameters: "+clip.Sized(strings.Join(parameters.missed, ", "), maxDisplayed))
		}
	}
	return findings
}

// minimums are the expectations for the percentages of a coverage block; all tools if it has none.
func (t *Test) minimums() string {
	var lines []string
	for _, name := range []string{"tools", "parameters"} {
		if p := t.min[name]; p != nil {
			lines = append(lines, fmt.Sprintf("- {target: %s, matcher: {schema: {minimum: %g}}}", name, *p))
		}
	}
	if len(lines) == 0 {
		return "- {target: tools, matcher: {schema: {minimum: 100}}}"
	}
	return strings.Join(lines, "\n")
}

// A reach is how many items of a kind the tests use, and which they do not use.
type reach struct {
	all, used int
	missed    []string
}

func (r *reach) count(name string, used bool) {
	r.all++
	if used {
		r.used++
	} else {
		r.missed = append(r.missed, name)
	}
}

// percent is truncated to one decimal, so that 100 means all.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return float64(int(float64(part)/float64(whole)*1000)) / 10
}

func orEmpty(list []string) []string { return slices.Concat([]string{}, list) }
