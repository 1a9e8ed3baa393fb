package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/ops/hosttools"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/timeout"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// look connects and reads the server's identity and features. An unresponsive server times out after the given
// duration, unless a timeout is set.
func (c *checkRun) look(ctx context.Context, patience time.Duration) error {
	c.w.Event(workbench.Event{Step: &workbench.Step{Text: "connecting"}})
	looking := c.in.Connection
	if looking.Timeout == 0 {
		looking.Timeout = min(patience, timeout.Default)
	}
	s, err := c.w.Open(ctx, &looking)
	if err != nil {
		var failed *wire.Error
		if c.in.Budget > 0 && c.in.Timeout == 0 && patience < timeout.Default && errors.As(err, &failed) &&
			errors.Is(err, context.DeadlineExceeded) {
			failed.Hint = "use a longer {--budget}: half of it is for connecting"
		}
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
func (c *checkRun) readLists(ctx context.Context, within time.Duration) {
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
		return workbench.Plural(len(l.Items), one)
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
func (c *checkRun) conform(ctx context.Context, within time.Duration) *areaOutcome {
	in := &engines.ConformInput{Connection: c.in.Connection, AllowDisruptive: c.in.AllowDisruptive,
		Within: max(within, time.Second)}
	processes := conform.Many
	if c.one {
		processes = conform.One
	}
	in.ForCheck(c.permit(), checkOpenWorld, processes)
	r, err := engines.RunConform(ctx, c.w, in)
	if err != nil {
		out := failedArea("protocol", err)
		if refused := conform.SecondClientRefused(err); refused != nil && (c.refused || c.isConnected(ctx)) {
			out.engine, out.report = "conform", refused
		}
		return out
	}
	area, enough := protocolEvidence(r.Report, c.result.SDK)
	out := &areaOutcome{Area: area, engine: "conform", report: r.Report}
	if enough {
		out.Grade = gradeOf(r.Report.Findings())
	}
	if r.Outcome.Silent > 0 && out.State == Graded {
		out.State, out.About = Incomplete, "checks that need the result of a call were skipped: no call of "+
			workbench.Plural(r.Outcome.Silent, "tool")+" got a response in time"
	}
	c.printsInCalls = r.Outcome.PrintsInCalls
	out.Evidence += " of " + strings.Join(r.Outcome.Revisions, ", ")
	if len(r.Outcome.NotCalled) > 0 {
		out.notes = append(out.notes, "tools not called: "+
			strings.Join(r.Outcome.NotCalled, ", ")+" (use check --tools NAME to call one)")
	}
	if len(r.Outcome.NotRequested) > 0 {
		out.notes = append(out.notes, "prompts not requested: "+
			strings.Join(r.Outcome.NotRequested, ", ")+" (use conform --allow NAME to request one)")
	}
	if strings.HasSuffix(out.About, workbench.ErrTimeLimit.Error()) {
		out.About += " (" + c.in.moreTimeHint() + ")"
	}
	for _, one := range r.Report.Results {
		if one.Status() == finding.Skipped {
			c.result.Skipped++
		}
	}
	return out
}

// isConnected reports whether the first client of a server over HTTP still gets responses.
func (c *checkRun) isConnected(ctx context.Context) bool {
	if c.session.Target().URL == "" {
		return false
	}
	ex, err := c.session.Call(ctx, "ping", nil)
	return err == nil && ex.Reply.Error == nil
}

// failedArea is an area whose engine could not run although the server was reachable before.
func failedArea(name string, err error) *areaOutcome {
	return &areaOutcome{Area: Area{Name: name, State: Incomplete, Evidence: "nothing", About: err.Error()},
		report: &finding.Report{Results: []finding.Result{{Name: name, Broken: err.Error()}}}}
}

// lint tests the schemas of the tools.
func (c *checkRun) lint(ctx context.Context) *areaOutcome {
	opts, err := (&engines.LintInput{Connection: c.in.Connection}).Options(c.w.Version)
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
	source, err := engines.ListedTools(c.session, list)
	if err != nil {
		return failedArea("schemas", err)
	}
	opts.Protocol, c.result.tools = source.Protocol, source.Catalog
	name := hosttools.ServerName(&c.in.Connection, "")
	c.result.Hosts = arrivals(name, source.Catalog, list.Ends)
	c.result.Context = newContext(name, c.session.Instructions, source.Catalog)
	out := &areaOutcome{engine: "lint", report: lint.Run(ctx, source.Catalog, opts)}
	for i := range out.report.Results {
		warnOfHosts(out.report.Results[i].Findings)
	}
	tools := len(source.Catalog.Tools)
	out.Area = Area{Name: "schemas", State: Graded, Grade: gradeOf(out.report.Findings()),
		Evidence: workbench.Plural(tools, "tool")}
	if tools == 0 {
		out.State, out.Grade, out.Evidence, out.About, out.absent = NotTested, "", "no tools", noTools, c.needsNoTools()
	}
	return out
}

// needsNoTools reports whether a server without tools has nothing to test there: it does not declare them, or offers
// something else. Some SDKs declare them for every server.
func (c *checkRun) needsNoTools() bool {
	if !c.session.Declares("tools") {
		return true
	}
	for _, list := range []*mcp.List{c.surface.Resources, c.surface.Templates, c.surface.Prompts} {
		if list != nil && len(list.Items) > 0 {
			return true
		}
	}
	return false
}

// fuzz tests how tools handle arguments, at least until the other engines are finished.
func (c *checkRun) fuzz(ctx context.Context, ends time.Time, beside <-chan struct{}) *areaOutcome {
	if tools := c.result.tools; tools != nil && len(tools.Tools) == 0 {
		return &areaOutcome{Area: Area{Name: "robustness", State: NotTested, Evidence: "no calls", About: noTools,
			absent: c.needsNoTools()}}
	}
	within := time.Until(ends)
	if within < time.Second {
		return failedArea("robustness", workbench.ErrTimeLimit)
	}
	in := c.fuzzInput()
	opts, err := engines.FuzzOptions(c.w, in)
	if err != nil {
		return failedArea("robustness", err)
	}
	opts.Open = c.withSecond(opts.Open)
	opts.Duration, opts.Beside, opts.Shrink = min(within, checkFuzz), beside, 2*time.Second
	opts.Hang = max(min(within/hangShare, sureHang), time.Second)
	bounded, cancel := context.WithDeadlineCause(ctx, ends, workbench.ErrTimeLimit)
	defer cancel()
	r, err := fuzz.Run(bounded, opts)
	if err != nil {
		return failedArea("robustness", err)
	}
	record := c.record(r)
	record.suspects = append(dropInconclusive(r, opts.Hang, c.result.SDK), record.suspects...)
	in.Reproduce(r, opts)
	r.Report.Results = slices.DeleteFunc(r.Report.Results, func(one finding.Result) bool { return one.Rule == "" })
	area, enough := robustnessEvidence(record)
	out := &areaOutcome{Area: area, engine: "fuzz", report: r.Report}
	if enough {
		out.Grade = gradeOf(r.Report.Findings())
	}
	for _, tool := range record.suspects {
		out.notes = append(out.notes, fmt.Sprintf("whether %s always responds: a call got no response within %v (use "+
			"mcptest fuzz --tool %[1]s for a longer timeout)",
			tool, opts.Hang.Round(time.Second)))
	}
	for _, tool := range r.NoCalls {
		out.notes = append(out.notes, uncalledNote(tool))
	}
	for _, tool := range r.Slow {
		out.notes = append(out.notes, slowNote(tool))
	}
	for _, tool := range r.Failing {
		out.notes = append(out.notes, failingNote(tool, c.w.Secrets))
	}
	return out
}

// uncalledNote states why a tool that may be called was not called.
func uncalledNote(tool fuzz.UncalledTool) string {
	_, reason, found := strings.Cut(tool.Why.Error(), schema.ErrNoSample.Error()+": ")
	if !found {
		reason = tool.Why.Error()
	}
	return fmt.Sprintf("%s, which was never called: no valid arguments could be generated (%s)", tool.Name, reason)
}

// maxSaid is the length of an error in a note.
const maxSaid = 200

// failingNote states that only the errors of a tool were seen.
func failingNote(tool fuzz.FailingTool, secrets *redact.Secrets) string {
	note := fmt.Sprintf("the results of %s: none of %d valid calls succeeded", tool.Name, tool.Calls)
	if said := strings.Join(strings.Fields(secrets.Text(tool.Said)), " "); said != "" {
		note += ", the first failed with: " + clip.Sized(said, maxSaid)
	}
	return note
}

// slowNote states what was not tested of a slow tool.
func slowNote(tool fuzz.SlowTool) string {
	if tool.OnlyInvalid {
		return fmt.Sprintf("valid arguments of %s: a call takes too long for this check (use mcptest fuzz --tool %[1]s to "+
			"run all cases)", tool.Name)
	}
	return fmt.Sprintf("more arguments of %s: the tool is slow, and %s took %v (use mcptest fuzz --tool %[1]s to run all "+
		"cases)", tool.Name, workbench.Plural(tool.Calls, "call"), tool.Spent)
}

func (c *checkRun) fuzzInput() *engines.FuzzInput {
	in := &engines.FuzzInput{Connection: c.in.Connection, Seed: 1, Cases: checkCases,
		AllowDisruptive: c.in.AllowDisruptive}
	in.ForCheck(c.permit(), safety.OpenWorldCalls-checkOpenWorld)
	return in
}

// record counts the calls of a fuzz run.
func (c *checkRun) record(r *fuzz.Result) callRecord {
	record := callRecord{calls: int(r.Report.Metrics["cases_run"]), called: int(r.Report.Metrics["tools"]),
		ended: r.Ended, late: r.Late}
	if c.result.tools != nil {
		record.tools = len(c.result.tools.Tools)
		record.limited = !slices.ContainsFunc(c.result.tools.Tools, func(t *lint.Tool) bool {
			return c.permit().Of(t.Raw).Calls == safety.Unlimited
		})
	}
	record.tools = max(record.tools, record.called)
	_, succeeded := r.Report.Metrics["result_tokens_median"]
	record.onlyErrors = !succeeded && !slices.ContainsFunc(r.Found, func(f *fuzz.Found) bool {
		return f.Severity.AtLeast(finding.Warning)
	})
	for _, name := range r.Unsure {
		if !slices.ContainsFunc(r.Found, func(f *fuzz.Found) bool {
			return f.Rule.ID == hangRule &&
				toolOf(f) == name
		}) {
			record.suspects = append(record.suspects, name)
		}
	}
	slices.Sort(record.suspects)
	if record.ended != "" && slices.ContainsFunc(r.Found,
		func(f *fuzz.Found) bool { return f.Severity.AtLeast(finding.Error) }) {
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

// dropInconclusive removes calls from a result that got no response, but not for long enough to be a hang, and
// returns their tools. Of calls that the SDK is known not to respond to, a shorter time is enough.
func dropInconclusive(r *fuzz.Result, hang time.Duration, library *sdk.SDK) []string {
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
		if _, known := sdkCause(library, &found); known || f.Repeats && hang >= sureHang || f.Silence >= sureHang {
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
