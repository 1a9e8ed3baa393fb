package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// coverage compares what the tests of the file called with what the server has. A shard leaves that to the report of all
// shards.
func (r *run) coverage(ctx context.Context, s *Suite, t *Test, l *lease, result *finding.Result) (
	findings []finding.Finding, broken, skipped string) {
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
		return r.covered(ctx, t, tools, expect, s.scope, result), "", ""
	}
	raw, err := expect.json(s.scope)
	if err != nil {
		return nil, err.Error(), ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.undecided = append(r.undecided, finding.CoverageTest{Name: t.ID, Suite: t.suite, Server: t.Server, Tools: tools,
		Expect: raw, Where: finding.Location{Subject: t.ID, File: t.File, Line: t.Line}, Reproduce: r.reproduce(t)})
	return nil, "", "coverage is computed from all shards: run mcptest report merge"
}

// coverageTools are the tools of a server, with what calls of them can cover.
func coverageTools(items []mcp.Item) []finding.CoverageTool {
	var all []finding.CoverageTool
	for _, item := range items {
		tool := finding.CoverageTool{Name: item.Name}
		properties, _ := schema.Get(item.Raw, "/inputSchema/properties")
		members, _ := schema.Members(properties)
		for _, m := range members {
			tool.Parameters = append(tool.Parameters, m.Name)
		}
		for _, v := range enumValues(item.Raw) {
			tool.EnumValues = append(tool.EnumValues, v.label)
		}
		all = append(all, tool)
	}
	return all
}

// covered checks how much of the tools was called, and adds the figures to the result.
func (r *run) covered(ctx context.Context, t *Test, list []finding.CoverageTool, expect *Expectations, in scope,
	result *finding.Result) []finding.Finding {
	shares := r.shares(t, list)
	result.Coverage = shares
	result.Notes = append(result.Notes, shares.String())
	figures, missed := map[string]any{}, map[string][]string{}
	for _, s := range shares.All() {
		figures[s.Key] = Percent(s.Covered, s.Total)
		figures["missing_"+s.Key], missed[s.Key] = orEmpty(s.Missing), s.Missing
	}
	raw, _ := json.Marshal(figures) // plain data always marshals
	var findings []finding.Finding
	for _, assertion := range expect.All {
		for _, f := range r.figures(ctx, t, &Expectations{All: []*Assertion{assertion}}, raw, nil, in, nil) {
			key := strings.TrimPrefix(assertion.Target, "missing_")
			if names := missed[key]; len(names) > 0 {
				f.Evidence = append(f.Evidence, untested[key]+": "+clip.Sized(strings.Join(names, ", "), maxDisplayed))
			}
			findings = append(findings, f)
		}
	}
	return findings
}

// untested is what a failed expectation calls the items that no test covers.
var untested = map[string]string{"tools": "untested tools", "parameters": "untested parameters",
	"enum_values": "untested enum values", "error_paths": "tools that never failed"}

// shares counts what the calls covered.
func (r *run) shares(t *Test, list []finding.CoverageTool) *finding.CoverageShares {
	s := &finding.CoverageShares{}
	for _, tool := range list {
		used, called := r.used.of(t.suite, t.Server, tool.Name)
		s.Tools.Count(tool.Name, called)
		s.ErrorPaths.Count(tool.Name, used.failed)
		for _, name := range tool.Parameters {
			s.Parameters.Count(tool.Name+"."+name, used.parameters[name])
		}
		for _, value := range tool.EnumValues {
			s.EnumValues.Count(tool.Name+"."+value, used.enumValues[value])
		}
	}
	return s
}

// minimums are the expectations for the percentages of a coverage block; all tools if it has none.
func (t *Test) minimums() string {
	var lines []string
	for _, s := range (&finding.CoverageShares{}).All() {
		if p := t.min[s.Key]; p != nil {
			lines = append(lines, fmt.Sprintf("- {target: %s, matcher: {schema: {minimum: %g}}}", s.Key, *p))
		}
	}
	if len(lines) == 0 {
		return "- {target: tools, matcher: {schema: {minimum: 100}}}"
	}
	return strings.Join(lines, "\n")
}

// percentages are those of a coverage block, by target.
func (c *Coverage) percentages() map[string]*float64 {
	return map[string]*float64{"tools": c.Tools, "parameters": c.Parameters, "enum_values": c.EnumValues,
		"error_paths": c.ErrorPaths}
}

// Percent is truncated to one decimal, so that 100 means all.
func Percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return float64(int(float64(part)/float64(whole)*1000)) / 10
}

func orEmpty(list []string) []string { return slices.Concat([]string{}, list) }
