package workbench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// A ConformInput is the input of Conform.
type ConformInput struct {
	Connection
	Judging
	Allow           []string      `json:"allow,omitempty" surface:"user" placeholder:"TOOL" jsonschema:"call this tool even if it is not safe"`
	AllowCalls      bool          `json:"allow_calls,omitempty" surface:"user" jsonschema:"allow calling every tool, with generated arguments"`
	AllowDisruptive bool          `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"also send malformed frames and request bursts to remote servers"`
	Within          time.Duration `json:"within,omitempty" surface:"cli" placeholder:"D" jsonschema:"time limit for the run (default 2m)"`

	processes   conform.Processes
	openWorld   int  // see conform.Options
	unannotated bool // see safety.Permit
	bounded     bool // for the user's convenience, not a limit that the server is checked against
}

// Bound sets the time limit for the run. Checks that do not run in time are listed and do not affect the
// verdict.
func (in *ConformInput) Bound(within time.Duration) { in.Within, in.bounded = within, true }

// A ConformResult is the report of a run with its grade.
type ConformResult struct {
	Judged
	Outcome *conform.Outcome
}

// Conform checks a running server for protocol conformance.
var Conform = Op[ConformInput, *ConformResult]{
	Uses: Frames,
	Omit: []string{"log_level"},
	Name: "conform", Tool: "check_conformance", Surfaces: Page | Assistant, Calls: true,
	Doc: "Check a server for protocol conformance\n\n" +
		"Runs the checks that apply to the declared capabilities and the protocol version of the server. Tools are called only if\n" +
		"they set readOnlyHint, or if the user allows it.",
	Help: "--allow and --allow-calls allow calls of other tools. --protocol all checks every version that the server supports.\n" +
		"Exits with 1 on any error and on any check that could not be finished; warnings count with --severity warning.",
	Example: "mcptest conform demo" + "\n" +
		"mcptest conform demo --protocol 2025-06-18 --rules TOOL-*",
	Run:  runConform,
	Text: writeConform,
}

func runConform(ctx context.Context, w *Workbench, in *ConformInput) (*ConformResult, error) {
	opts, err := in.options(w)
	if err != nil {
		return nil, err
	}
	t, err := in.server(w)
	if err != nil {
		return nil, err
	}
	opts.AllowDisruptive = w.mayDisturb(in.AllowDisruptive, t.URL, sendBursts)
	if !w.Grants.Disruptive && !opts.AllowDisruptive && !near(t) && opts.OnlyDisruptive() {
		return nil, &UsageError{Message: fmt.Sprintf("every selected check is disruptive, and %s is a remote server; no check was run", t),
			Request: disturbRequest(t.URL, sendBursts),
			Hint: hint.Text("if the server may be tested with them, have the user run: mcptest conform " + QuoteWord(t.String()) +
				" --rules " + QuoteWord(strings.Join(opts.Rules, ",")) + " --allow-disruptive")}
	}
	greeted := sync.OnceFunc(w.awaiting(t))
	step := opts.Step
	opts.Step = func(s conform.Step) { greeted(); step(s) }
	out, err := w.conformBeside(ctx, &in.Connection, t, opts)
	greeted()
	var unspoken *conform.RevisionError
	if errors.As(err, &unspoken) {
		return nil, &UsageError{Message: err.Error(), Hint: "use {--protocol} auto to check the version that the server negotiates, or {--protocol} all to check each one"}
	}
	if err != nil {
		return nil, err
	}
	if late := in.leaveUnreached(out); late > 0 {
		w.event(Event{Notice: fmt.Sprintf("stopped early: %v; %s not run", ErrTimeOver, plural(late, "check"))})
	}
	w.event(Event{Chosen: "checked against " + strings.Join(out.Revisions, ", ")})
	judged, err := in.judged(w, out.Report, report.Options{Counts: opts.Counts})
	if err != nil {
		return nil, err
	}
	judged.fails = slices.ContainsFunc(judged.Report.Findings(), opts.Counts) ||
		slices.ContainsFunc(judged.Report.Results, func(r finding.Result) bool { return r.Broken != "" })
	return &ConformResult{Judged: *judged, Outcome: out}, nil
}

// leaveUnreached removes checks that did not run in time from the verdict, unless the time limit is part of the
// request.
func (in *ConformInput) leaveUnreached(out *conform.Outcome) int {
	if !in.bounded {
		return 0
	}
	return out.LeaveUnreached(ErrTimeOver.Error())
}

// server returns the server to check: the one of an open session, or the named one. The run opens its own
// sessions either way.
func (in *ConformInput) server(w *Workbench) (wire.Target, error) {
	if in.open != nil {
		return in.open.Target(), nil
	}
	named := in.Connection
	if named.Protocol == conform.All {
		named.Protocol = ""
	}
	if err := named.check(); err != nil {
		return wire.Target{}, err
	}
	return w.resolve(&named)
}

func (in *ConformInput) options(w *Workbench) (*conform.Options, error) {
	opts := &conform.Options{
		Rules: commas(in.Rules), Skip: commas(in.Skip), Protocol: in.Protocol, Severity: finding.Severity(in.Severity), Version: w.Version,
		Permit:    safety.Permit{All: in.AllowCalls, Tools: commas(in.Allow), Unannotated: in.unannotated},
		OpenWorld: in.openWorld, Processes: in.processes,
		Timeout: in.Timeout, Start: in.Timeout, Within: in.Within, Log: w.Log, Shown: in.reached(),
		Step: func(s conform.Step) {
			w.event(Event{Step: &Step{Done: s.Done, Total: s.Total, Findings: s.Findings, Text: s.Text}})
		},
	}
	if in.open != nil && opts.Protocol == "" {
		opts.Protocol = in.open.Version
	}
	var wrong *conform.SelectionError
	if errors.As(opts.Validate(), &wrong) {
		return nil, &UsageError{Message: wrong.Problem, Hint: hint.Text("use " + wrong.Want)}
	}
	if in.Within < 0 {
		return nil, &UsageError{Message: fmt.Sprintf("invalid value %v for --within", in.Within), Hint: "use a duration such as 5m"}
	}
	return opts, in.Judging.check()
}

// reached is the server as used in the commands of findings. Those set the revision themselves.
func (in *ConformInput) reached() string {
	c := in.Connection
	c.Protocol = ""
	return c.words()
}

// shown returns the display name of a server in reports.
func (c *Connection) shown() string {
	switch {
	case c.open != nil:
		return c.open.Target().String()
	case len(c.Command) > 0:
		return "-- " + strings.Join(c.Command, " ")
	}
	return redact.URL(c.Target)
}

func writeConform(out io.Writer, r *ConformResult) error {
	if err := writeJudged(out, &r.Judged); err != nil || r.format != "" && r.format != "text" {
		return err
	}
	t := newText(out)
	t.areas(r.Outcome)
	if r.opts.Baseline != nil && r.opts.Baseline.Suppressed > 0 {
		t.line("grades include the findings in the baseline")
	}
	return t.err
}

// areas shows the result of each area, and the grade.
func (t *text) areas(o *conform.Outcome) {
	t.line("")
	for _, a := range o.Areas {
		line := fmt.Sprintf("  %-7s %3d passed", a.Name, a.Passed)
		for _, n := range []struct {
			count int
			what  string
		}{{a.Failed, "failed"}, {a.Warned, "warned"}, {a.Broken, "broken"}, {a.Skipped, "skipped"}} {
			if n.count > 0 {
				line += fmt.Sprintf(", %d %s", n.count, n.what)
			}
		}
		t.line(line)
	}
	if len(o.NotCalled) > 0 {
		t.show("  not called: " + strings.Join(o.NotCalled, ", ") + " (use --allow NAME or --allow-calls to call them)")
	}
	if o.OneProcess {
		t.line("  " + OneProcess + ": the checks ran one after the other")
	}
	about := " by " + strings.Join(o.Revisions, ", ")
	if late := o.Unreached(); late > 0 {
		t.line(fmt.Sprintf("  not run: %s (use --within for a longer time limit)", plural(late, "check")))
		about += ", incomplete"
	}
	t.line(t.bold("grade %s, %d of 100", o.Grade, o.Score) + about)
}
