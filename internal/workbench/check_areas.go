package workbench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// look connects and reads the server's identity and features. An unresponsive server times out after the given
// duration, unless a timeout is set.
func (c *checking) look(ctx context.Context, patience time.Duration) error {
	c.w.event(Event{Step: &Step{Text: "connecting"}})
	looking := c.in.Connection
	if looking.Timeout == 0 {
		looking.Timeout = min(patience, timeout.Default)
	}
	s, err := c.w.Open(ctx, &looking)
	if err != nil {
		return err
	}
	c.session = s
	name, _ := schema.Get(s.Server, "/name")
	version, _ := schema.Get(s.Server, "/version")
	text, _ := schema.Text(name)
	number, _ := schema.Text(version)
	c.result.Server = strings.TrimSpace(fmt.Sprintf("%s %s", cmp.Or(text, "unnamed server"), number)) +
		fmt.Sprintf(", protocol %s %s", s.Version, s.Target().Transport().Phrase())
	c.readLists(ctx, patience/listShare)
	return nil
}

// readLists reads the server's lists. A list that cannot be read makes the areas that need it incomplete.
func (c *checking) readLists(ctx context.Context, within time.Duration) {
	bounded, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("no response within %v", within))
	defer cancel()
	surface, err := c.session.Surface(bounded)
	if err != nil && bounded.Err() != nil {
		err = context.Cause(bounded)
	}
	c.surface, c.unlisted = surface, err
	count := func(l *mcp.List, one string) string {
		if l == nil {
			return ""
		}
		return plural(len(l.Items), one)
	}
	var has []string
	for _, text := range []string{count(surface.Tools, "tool"), count(surface.Resources, "resource"),
		count(surface.Templates, "template"), count(surface.Prompts, "prompt")} {
		if text != "" {
			has = append(has, text)
		}
	}
	c.result.Offers = cmp.Or(strings.Join(has, ", "), "nothing")
}

// conform tests the protocol.
func (c *checking) conform(ctx context.Context, within time.Duration) *areaOutcome {
	in := &ConformInput{Connection: c.in.Connection, AllowDisruptive: c.in.AllowDisruptive, Within: max(within, time.Second),
		openWorld: checkOpenWorld, Allow: c.permit().Tools, unannotated: c.permit().Unannotated, processes: conform.Many}
	if c.one {
		in.processes = conform.One
	}
	r, err := runConform(ctx, c.w, in)
	if err != nil {
		return failedArea("protocol", err)
	}
	area, enough := protocolEvidence(r.Report)
	out := &areaOutcome{CheckArea: area, engine: "conform", report: r.Report}
	if enough {
		out.Grade = gradeOf(r.Report.Findings())
	}
	out.Evidence += " by " + strings.Join(r.Outcome.Revisions, ", ")
	if len(r.Outcome.NotCalled) > 0 {
		out.notes = append(out.notes, "tools not called: "+
			strings.Join(r.Outcome.NotCalled, ", ")+" (use check --tools NAME to call one)")
	}
	if out.State == Incomplete {
		out.notes = append(out.notes, "protocol: "+out.About+" ("+moreTime+")")
	}
	skipped := 0
	for _, one := range r.Report.Results {
		if one.Status() == finding.Skipped {
			skipped++
		}
	}
	out.notes = append(out.notes, plural(skipped, "check")+" that do not apply to this server (use mcptest conform --verbose to list them)")
	return out
}

// failedArea is an area whose engine could not run although the server was reachable before.
func failedArea(name string, err error) *areaOutcome {
	return &areaOutcome{CheckArea: CheckArea{Name: name, State: Incomplete, Evidence: "nothing", About: err.Error()},
		report: &finding.Report{Results: []finding.Result{{Name: name, Broken: err.Error()}}}}
}

// lint tests the schemas of the tools.
func (c *checking) lint(ctx context.Context) *areaOutcome {
	opts, err := (&LintInput{Connection: c.in.Connection}).options(c.w.Version)
	if err != nil {
		return failedArea("schemas", err)
	}
	list, absent := c.surface.Tools, !c.session.Declares("tools")
	switch {
	case absent:
		list, err = c.session.List(ctx, "tools/list") // some servers have tools without declaring the capability
		if err != nil || list.Refused != nil || len(list.Items) == 0 {
			list = &mcp.List{}
		}
	case list == nil:
		return failedArea("schemas", fmt.Errorf("tools/list: %w", c.unlisted))
	}
	source, err := listedTools(c.session, list)
	if err != nil {
		return failedArea("schemas", err)
	}
	opts.Protocol, c.result.tools = source.protocol, source.catalog
	c.result.Hosts = arrivals(c.in.serverName(""), source.catalog)
	out := &areaOutcome{engine: "lint", report: lint.Run(ctx, source.catalog, opts)}
	tools := len(source.catalog.Tools)
	out.CheckArea = CheckArea{Name: "schemas", State: Graded, Grade: gradeOf(out.report.Findings()), Evidence: plural(tools, "tool")}
	if tools == 0 {
		out.State, out.Grade, out.Evidence, out.About, out.absent = NotTested, "", "no tools", noTools, absent
	}
	return out
}

// fuzz tests how tools handle arguments.
func (c *checking) fuzz(ctx context.Context, ends time.Time) *areaOutcome {
	if tools := c.result.tools; tools != nil && len(tools.Tools) == 0 {
		return &areaOutcome{CheckArea: CheckArea{Name: "robustness", State: NotTested, Evidence: "no calls", About: noTools,
			absent: !c.session.Declares("tools")}}
	}
	within := time.Until(ends)
	if within < time.Second {
		return failedArea("robustness", ErrTimeOver)
	}
	in := c.fuzzInput()
	opts, err := c.w.fuzzOptions(in)
	if err != nil {
		return failedArea("robustness", err)
	}
	opts.Open = c.withSecond(opts.Open)
	opts.Duration, opts.Shrink = min(within, checkFuzz), 2*time.Second
	opts.Hang = max(min(within/hangShare, sureHang), time.Second)
	bounded, cancel := context.WithDeadlineCause(ctx, ends, ErrTimeOver)
	defer cancel()
	r, err := fuzz.Run(bounded, opts)
	if err != nil {
		return failedArea("robustness", err)
	}
	record := c.called(r)
	record.suspects = append(leaveUnsure(r, opts.Hang), record.suspects...)
	in.reproduce(r, opts)
	r.Report.Results = slices.DeleteFunc(r.Report.Results, func(one finding.Result) bool { return one.Rule == "" })
	area, enough := robustnessEvidence(record)
	out := &areaOutcome{CheckArea: area, engine: "fuzz", report: r.Report}
	if enough {
		out.Grade = gradeOf(r.Report.Findings())
	}
	for _, tool := range record.suspects {
		out.notes = append(out.notes, fmt.Sprintf("whether %s always responds: a call got no response within %v (use mcptest fuzz --tool %[1]s for a longer timeout)",
			tool, opts.Hang.Round(time.Second)))
	}
	return out
}

func (c *checking) fuzzInput() *FuzzInput {
	return &FuzzInput{Connection: c.in.Connection, Seed: 1, Cases: checkCases, AllowDisruptive: c.in.AllowDisruptive,
		openWorld: safety.OpenWorldCalls - checkOpenWorld, permit: c.permit()}
}

// called counts the calls of a fuzz run.
func (c *checking) called(r *fuzz.Result) callRecord {
	record := callRecord{calls: int(r.Report.Metrics["cases_run"]), called: int(r.Report.Metrics["tools"]), ended: r.Ended}
	if c.result.tools != nil {
		record.tools = len(c.result.tools.Tools)
	}
	record.tools = max(record.tools, record.called)
	for _, name := range r.Unsure {
		if !slices.ContainsFunc(r.Found, func(f *fuzz.Found) bool { return f.Rule.ID == hangRule && toolOf(f) == name }) {
			record.suspects = append(record.suspects, name)
		}
	}
	slices.Sort(record.suspects)
	if record.ended != "" && slices.ContainsFunc(r.Found, func(f *fuzz.Found) bool { return f.Severity.AtLeast(finding.Error) }) {
		record.ended = "" // the finding is why
	}
	return record
}

func toolOf(f *fuzz.Found) string {
	if len(f.Steps) == 0 {
		return ""
	}
	return f.Steps[len(f.Steps)-1].Tool
}

// leaveUnsure removes calls from a result that got no response, but not for long enough to be a hang, and
// returns their tools.
func leaveUnsure(r *fuzz.Result, hang time.Duration) []string {
	silent := slices.IndexFunc(r.Report.Results, func(one finding.Result) bool { return one.Rule == hangRule })
	if silent < 0 {
		return nil
	}
	var suspects []string
	var kept []finding.Finding
	at := 0 // the findings are in the order of Found
	r.Found = slices.DeleteFunc(r.Found, func(f *fuzz.Found) bool {
		if f.Rule.ID != hangRule {
			return false
		}
		found := r.Report.Results[silent].Findings[at]
		at++
		if f.Repeats && hang >= sureHang {
			kept = append(kept, found)
			return false
		}
		if !slices.Contains(suspects, found.Where.Subject) {
			suspects = append(suspects, found.Where.Subject)
		}
		return true
	})
	r.Report.Results[silent].Findings, r.Report.Metrics["hangs"] = kept, float64(len(kept))
	return suspects
}

const noTools = "the server has no tools"

// checkOpenWorld is how many of the calls of an open-world tool conform makes; the others are left for fuzz.
const checkOpenWorld = 2

// hangRule is the rule that every call must get a response.
const hangRule = "FUZZ-002"

// joinNames lists names, at most three of them.
func joinNames(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
