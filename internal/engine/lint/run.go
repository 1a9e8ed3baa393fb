package lint

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Run applies the selected rules to a catalog. The report has one result per tool, in the order of the catalog, and one
// for the catalog itself if it has a finding; findings are in the order of the rules. Tools that were not reached
// before ctx ended are marked as skipped.
func Run(ctx context.Context, c *Catalog, opts *Options) *finding.Report {
	if opts == nil {
		opts = &Options{}
	}
	r := newRun(c, opts)
	r.each(ctx, func(i int) { r.tools[i].read() })
	r.each(ctx, r.checkTool)
	if ctx.Err() == nil {
		r.checkWhole()
		r.checkEntries()
	}
	r.each(ctx, r.finish)
	return r.report()
}

// RunTools is [Run] on the tools that a server listed.
func RunTools(ctx context.Context, name string, tools []json.RawMessage, opts *Options) *finding.Report {
	return Run(ctx, NewCatalog(name, tools), opts)
}

type run struct {
	catalog  *Catalog
	tools    []*Tool // the run's own copies
	opts     *Options
	rules    []*Rule
	order    map[string]int // of the rules, by id
	revision spec.Revision
	started  time.Time
	results  []finding.Result  // one per tool
	whole    []finding.Finding // not about a single tool
	entries  []finding.Result  // one per entry
}

func newRun(c *Catalog, opts *Options) *run {
	r := &run{catalog: c, opts: opts, rules: opts.selected(), revision: opts.revision(), started: time.Now(),
		order: map[string]int{}}
	for i, rule := range r.rules {
		r.order[rule.ID] = i
	}
	r.results = make([]finding.Result, len(c.Tools))
	for i, t := range c.Tools {
		r.tools = append(r.tools, t.forRun())
		r.results[i] = finding.Result{Name: t.Subject(), Skipped: "the run was stopped"}
	}
	return r
}

// each calls do for every tool, on all cores, until ctx ends.
func (r *run) each(ctx context.Context, do func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(r.results)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(r.results) && ctx.Err() == nil; i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	workers.Wait()
}

// maxFindings is the maximum number of findings of one rule on one tool that are listed; one more finding gives the
// number of the others.
const maxFindings = 1000

// usualFindings is about the number of findings of a tool of a real server if the rules of all hosts are selected.
const usualFindings = 12

func (r *run) checkTool(i int) {
	started := time.Now()
	tool := r.tools[i]
	tool.open()
	defer tool.release()
	result := finding.Result{Name: tool.Subject()}
	pass := Pass{Revision: r.revision, Tool: tool, Tools: r.tools}
	found := 0
	pass.report = func(_ *Tool, f finding.Finding) {
		if found++; found > maxFindings {
			return
		}
		if result.Findings == nil {
			result.Findings = make([]finding.Finding, 0, usualFindings)
		}
		result.Findings = append(result.Findings, f)
	}
	for _, rule := range r.rules {
		if rule.Whole || rule.Check == nil {
			continue
		}
		pass.Rule, found = rule, 0
		rule.Check(&pass)
		if more := found - maxFindings; more > 0 {
			found = 0
			pass.Report("", "%d more findings not listed", more)
		}
	}
	result.Elapsed = time.Since(started)
	r.results[i] = result
}

// checkWhole runs the rules about the catalog; their findings about a tool are added to that tool's result.
func (r *run) checkWhole() {
	at := make(map[*Tool]int, len(r.tools))
	for i, t := range r.tools {
		at[t] = i
	}
	pass := Pass{Revision: r.revision, Tools: r.tools}
	pass.report = func(t *Tool, f finding.Finding) {
		if t == nil {
			f.Where.File = r.catalog.file()
			r.whole = append(r.whole, f)
			return
		}
		result := &r.results[at[t]]
		result.Findings = append(result.Findings, f)
	}
	for _, rule := range r.rules {
		if rule.Whole {
			pass.Rule = rule
			rule.Check(&pass)
		}
	}
}

// finish drops findings below the floor, sorts the rest in the order of the rules, and adds file and line.
func (r *run) finish(i int) {
	result := &r.results[i]
	result.Findings = aboveFloor(result.Findings, r.opts.Severity)
	slices.SortStableFunc(result.Findings, func(a, b finding.Finding) int { return r.order[a.Rule] - r.order[b.Rule] })
	if len(result.Findings) == 0 || r.catalog.data == nil {
		return
	}
	var pointers []string
	for _, f := range result.Findings {
		pointers = append(pointers, f.Where.Pointer)
	}
	lines := r.catalog.locate(r.tools[i].Raw, r.tools[i].offset, pointers)
	for j := range result.Findings {
		where := &result.Findings[j].Where
		where.File, where.Line = r.catalog.Name, lines[where.Pointer]
	}
}

func (c *Catalog) file() string {
	if c.data == nil {
		return ""
	}
	return c.Name
}

func aboveFloor(findings []finding.Finding, floor finding.Severity) []finding.Finding {
	if floor == "" {
		return findings
	}
	var kept []finding.Finding
	for _, f := range findings {
		if f.Severity.AtLeast(floor) {
			kept = append(kept, f)
		}
	}
	return kept
}

func (r *run) report() *finding.Report {
	report := &finding.Report{
		Engine: "lint", Target: r.catalog.Name, Version: r.opts.Version, Started: r.started, Results: r.results,
	}
	for _, rule := range r.rules {
		report.Rules = append(report.Rules, rule.Rule)
	}
	if findings := aboveFloor(r.whole, r.opts.Severity); len(findings) > 0 {
		report.Results = append(report.Results, finding.Result{Name: "the whole catalog", Findings: findings})
	}
	report.Results = append(report.Results, r.entries...)
	report.Metrics = metrics(r.tools, report)
	return report
}
