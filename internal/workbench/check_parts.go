package workbench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// look sees what the server is and has. One that stays silent is given up within patience, unless a timeout is given.
func (c *checking) look(ctx context.Context, patience time.Duration) error {
	c.w.event(Event{Step: &Step{Text: "connecting"}})
	looking := c.in.Connection
	if looking.Timeout == 0 {
		looking.Timeout = min(patience, time.Minute)
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
	c.result.Server = strings.TrimSpace(fmt.Sprintf("%s %s", cmp.Or(text, "a server without a name"), number)) + fmt.Sprintf(", speaks %s over %s", s.Version, s.Target().Transport())
	surface, err := s.Surface(ctx)
	if err != nil {
		return err
	}
	count := func(l *mcp.List, one string) string {
		if l == nil {
			return ""
		}
		return plural(len(l.Items), one)
	}
	var has []string
	for _, text := range []string{count(surface.Tools, "tool"), count(surface.Resources, "resource"), count(surface.Templates, "template"), count(surface.Prompts, "prompt")} {
		if text != "" {
			has = append(has, text)
		}
	}
	c.result.Offers = cmp.Or(strings.Join(has, ", "), "nothing")
	return nil
}

// add takes over the results of an engine, which judges an area.
func (c *checking) add(engine, area string, r *finding.Report) {
	for _, rule := range r.Rules {
		c.result.area[rule.ID] = area
	}
	c.report.Rules = append(c.report.Rules, r.Rules...)
	c.report.Results = append(c.report.Results, r.Results...)
	for name, value := range r.Metrics {
		c.report.Metrics[engine+"."+name] = value
	}
}

func (c *checking) conform(ctx context.Context, within time.Duration) error {
	in := &ConformInput{Connection: c.in.Connection, AllowDisruptive: c.in.AllowDisruptive, Within: max(within, time.Second)}
	r, err := runConform(ctx, c.w, in)
	if err != nil {
		return err
	}
	late := r.Outcome.LeaveUnreached(ErrTimeOver.Error())
	if late > 0 {
		c.result.NotTested = append(c.result.NotTested, plural(late, "check")+" of the protocol for which the time was over ("+moreTime+")")
	}
	c.add("conform", "protocol", r.Report)
	about := fmt.Sprintf("%d of 100 by %s", r.Outcome.Score, strings.Join(r.Outcome.Revisions, ", "))
	if late > 0 {
		about += fmt.Sprintf(", as far as it was looked at: %s were not reached", plural(late, "check"))
	}
	c.result.Areas = append(c.result.Areas, CheckArea{"protocol", r.Outcome.Grade, about})
	if len(r.Outcome.NotCalled) > 0 {
		c.result.NotTested = append(c.result.NotTested, "tools that do not say that they are read-only: "+strings.Join(r.Outcome.NotCalled, ", ")+" (mcptest fuzz --tool NAME calls one)")
	}
	skipped := 0
	for _, one := range r.Report.Results {
		if one.Status() == finding.Skipped && one.Skipped != ErrTimeOver.Error() {
			skipped++
		}
	}
	c.result.NotTested = append(c.result.NotTested, plural(skipped, "check")+" of the protocol that the server has no use for (mcptest conform --verbose lists them)")
	return nil
}

func (c *checking) lint(ctx context.Context) error {
	in := &LintInput{Connection: c.in.Connection}
	opts, err := in.options(c.w.Version)
	if err != nil {
		return err
	}
	in.On(c.session)
	source, err := c.w.tools(ctx, in)
	if err != nil {
		c.result.NotTested = append(c.result.NotTested, "schemas: "+err.Error())
		return nil
	}
	opts.Protocol, c.result.tools = source.protocol, source.catalog
	r := lint.Run(ctx, source.catalog, opts)
	c.add("lint", "schemas", r)
	score := lintScore(r)
	about := fmt.Sprintf("%d of 100; %s", score, foundInTools(r, len(source.catalog.Tools)))
	c.result.Areas = append(c.result.Areas, CheckArea{"schemas", gradeOf(score, hasError(r)), about})
	return nil
}

// foundInTools counts findings and the tools that have them. Whether these fail is not said: a check fails by rules of its own.
func foundInTools(r *finding.Report, tools int) string {
	s := report.Summarize(r, nil)
	in := plural(tools, "tool")
	if s.Failed > 0 {
		in = fmt.Sprintf("%d of %s", min(s.Failed, tools), in)
	}
	return s.Found() + " in " + in
}

func (c *checking) fuzz(ctx context.Context, ends time.Time) error {
	within := time.Until(ends)
	if within < time.Second {
		c.result.NotTested = append(c.result.NotTested, "fuzzing: the time was over ("+moreTime+")")
		return nil
	}
	in := &FuzzInput{Connection: c.in.Connection, Seed: 1, Cases: checkCases, AllowDisruptive: c.in.AllowDisruptive}
	opts, err := c.w.fuzzOptions(in)
	if err != nil {
		return err
	}
	opts.Duration, opts.Hang, opts.Shrink = min(within, checkFuzz), max(min(within/hangShare, longestHang), time.Second), 2*time.Second
	bounded, cancel := context.WithDeadline(ctx, ends)
	defer cancel()
	r, err := fuzz.Run(bounded, opts)
	if err != nil {
		c.result.NotTested = append(c.result.NotTested, "fuzzing: "+err.Error())
		return ctx.Err()
	}
	c.result.NotTested = append(c.result.NotTested, leaveUnsure(r, opts.Hang)...)
	in.reproduce(r, opts)
	r.Report.Results = slices.DeleteFunc(r.Report.Results, func(one finding.Result) bool { return one.Rule == "" }) // what was not called is told already
	c.add("fuzz", "robustness", r.Report)
	m := r.Report.Metrics
	about := fmt.Sprintf("%s of %s: %s", plural(int(m["cases_run"]), "call"), plural(int(m["tools"]), "tool"), broke(m))
	c.result.Areas = append(c.result.Areas, CheckArea{"robustness", fuzzGrade(r), about})
	return nil
}

// leaveUnsure takes calls out of a result that were silent, but not for as long as it takes to be sure, and tells of them.
func leaveUnsure(r *fuzz.Result, hang time.Duration) []string {
	silent := slices.IndexFunc(r.Report.Results, func(one finding.Result) bool { return one.Rule == silentRule })
	if silent < 0 {
		return nil
	}
	var told []string
	var kept []finding.Finding
	at := 0 // the findings stand in the order of what was found
	r.Found = slices.DeleteFunc(r.Found, func(f *fuzz.Found) bool {
		if f.Rule.ID != silentRule {
			return false
		}
		found := r.Report.Results[silent].Findings[at]
		at++
		if f.Repeats && hang >= longestHang {
			kept = append(kept, found)
			return false
		}
		told = append(told, fmt.Sprintf("whether %s always answers: a call was silent for %v (mcptest fuzz --tool %[1]s waits longer)", found.Where.Subject, hang.Round(time.Second)))
		return true
	})
	r.Report.Results[silent].Findings, r.Report.Metrics["hangs"] = kept, float64(len(kept))
	return told
}

// silentRule is the property that a call is answered.
const silentRule = "FUZZ-002"

// broke counts what was found, in words.
func broke(m map[string]float64) string {
	var all []string
	for _, kind := range []struct{ metric, one, many string }{{"crashes", "crash", "crashes"}, {"hangs", "hang", "hangs"}, {"violations", "violation", "violations"}, {"leaks", "leak", "leaks"}} {
		switch n := int(m[kind.metric]); {
		case n == 1:
			all = append(all, "1 "+kind.one)
		case n > 1:
			all = append(all, fmt.Sprintf("%d %s", n, kind.many))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "nothing broke")
}
