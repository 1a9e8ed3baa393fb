// Package engines has the operations that run one engine each, and those that show rules and reports.
package engines

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
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ConformInput is the input of Conform.
type ConformInput struct {
	workbench.Connection
	workbench.RuleOptions
	Allow           []string      `json:"allow,omitempty" surface:"user" placeholder:"TOOL" jsonschema:"call this tool even if it is not safe"`
	AllowCalls      bool          `json:"allow_calls,omitempty" surface:"user" jsonschema:"allow calling every tool, with generated arguments"`
	AllowDisruptive bool          `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"also send malformed frames and request bursts to remote servers"`
	Auth            bool          `json:"auth,omitempty" surface:"cli" jsonschema:"check only the authorization of the server, with requests that are safe on a production server: at most one per second"`
	AuthAs          []string      `json:"auth_as,omitempty" surface:"cli" placeholder:"sign-in|@FILE|$VAR" jsonschema:"with --auth: also run the checks that need an own token and client: sign in with the browser, or read a token from a file or an environment variable; repeat it for a second user"`
	AuthLab         bool          `json:"auth_lab,omitempty" surface:"cli" jsonschema:"with --auth: also run the checks that make the servers connect to this machine, without delay; only for local or test servers"`
	AuthClient      string        `json:"auth_client,omitempty" surface:"cli" empty:"no" placeholder:"ID" jsonschema:"with --auth-as: ID of a public client for the checks of the authorization server, instead of registering one"`
	AuthTool        string        `json:"auth_tool,omitempty" surface:"cli" empty:"no" placeholder:"TOOL" jsonschema:"with --auth: the tool that requires a token, in a server that requires it only for some; it is called without arguments"`
	AuthUpstream    string        `json:"auth_upstream,omitempty" surface:"cli" empty:"no" placeholder:"HOST:PORT" jsonschema:"with --auth-lab: local address that the server uses as another service; mcptest listens there, and checks that no token of a client arrives"`
	Within          time.Duration `json:"within,omitempty" surface:"cli" placeholder:"D" jsonschema:"time limit for the run (default 2m)"`

	processes   conform.Processes
	openWorld   int  // see conform.Options
	unannotated bool // see safety.Permit
	bounded     bool // for the user's convenience, not a limit that the server is checked against
}

// ForCheck sets what a check may call, and how many processes of the server it may start.
func (in *ConformInput) ForCheck(permit safety.Permit, openWorld int, processes conform.Processes) {
	in.Allow, in.unannotated = permit.Tools, permit.Unannotated
	in.openWorld, in.processes = openWorld, processes
}

// Bound sets the time limit for the run. Checks that do not run in time are listed and do not affect the
// verdict.
func (in *ConformInput) Bound(within time.Duration) { in.Within, in.bounded = within, true }

// A ConformResult is the report of a run with its grade.
type ConformResult struct {
	workbench.ReportResult
	Outcome *conform.Outcome
}

// Conform checks a running server for protocol conformance.
var Conform = workbench.Op[ConformInput, *ConformResult]{
	Uses: workbench.Frames,
	Omit: []string{"log_level"},
	Name: "conform", Section: workbench.Test, Order: 20, Tool: "check_conformance", Page: true, Calls: true,
	Doc: "Check a server for protocol conformance\n\n" +
		"Runs the checks that apply to the declared capabilities and the protocol version of the server. Tools are " +
		"called only if\n" +
		"they set readOnlyHint, or if the user allows it.",
	Help: "--allow and --allow-calls allow calls of other tools. --protocol all checks every version that the server " +
		"supports.\n" +
		"--auth checks only the authorization of the server, and lists what it did not try.\n" +
		"Exits with 1 on any error and on any check that could not be finished; warnings count with --severity warning.",
	Example: "mcptest conform demo" + "\n" +
		"mcptest conform demo --protocol 2025-06-18 --rules TOOL-*",
	Run:  RunConform,
	Text: writeConform,
}

func RunConform(ctx context.Context, w *workbench.Workbench, in *ConformInput) (*ConformResult, error) {
	opts, err := in.Options(w)
	if err != nil {
		return nil, err
	}
	t, err := in.Server(w)
	if err != nil {
		return nil, err
	}
	if err := checkAuthTarget(opts.Auth, t); err != nil {
		return nil, err
	}
	opts.AllowDisruptive = w.MayDisturb(in.AllowDisruptive, t.URL, workbench.SendBursts)
	if !w.Grants.Disruptive && !opts.AllowDisruptive && !Near(t) && opts.OnlyDisruptive() {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("every selected check is disruptive, and %s is a "+
			"remote server; "+
			"no check was run", t),
			Request: workbench.DisturbRequest(t.URL, workbench.SendBursts),
			Hint: hint.Text("if the server may be tested with them, have the user run: mcptest conform " +
				workbench.QuoteWord(t.String()) +
				" --rules " + workbench.QuoteWord(strings.Join(opts.Rules, ",")) + " --allow-disruptive")}
	}
	greeted := sync.OnceFunc(w.ShowWaiting(t))
	step := opts.Step
	opts.Step = func(s conform.Step) { greeted(); step(s) }
	out, err := ConformBeside(ctx, w, &in.Connection, t, opts)
	greeted()
	var unspoken *conform.RevisionError
	if errors.As(err, &unspoken) {
		return nil, &workbench.UsageError{Message: err.Error(),
			Hint: "use {--protocol} auto to check the version that the server negotiates, or {--protocol} all to " +
				"check each one"}
	}
	if err != nil {
		return nil, err
	}
	if late := in.dropUnreached(out); late > 0 {
		w.Event(workbench.Event{Notice: fmt.Sprintf("stopped early: %v; %s not run", workbench.ErrTimeLimit,
			workbench.Plural(late, "check"))})
	}
	w.Event(workbench.Event{Chosen: "checked against " + strings.Join(out.Revisions, ", ")})
	judged, err := in.Report(w, out.Report, report.Options{Counts: opts.Counts})
	if err != nil {
		return nil, err
	}
	judged.Fails = slices.ContainsFunc(judged.Report.Findings(), opts.Counts) ||
		slices.ContainsFunc(judged.Report.Results, func(r finding.Result) bool { return r.Broken != "" })
	return &ConformResult{ReportResult: *judged, Outcome: out}, nil
}

// dropUnreached removes checks that did not run in time from the verdict, unless the time limit is part of the
// request.
func (in *ConformInput) dropUnreached(out *conform.Outcome) int {
	if !in.bounded {
		return 0
	}
	return out.SkipUnreached(workbench.ErrTimeLimit.Error())
}

// Server returns the server to check: the one of an open session, or the named one. The run opens its own
// sessions either way.
func (in *ConformInput) Server(w *workbench.Workbench) (wire.Target, error) {
	if in.Session() != nil {
		return in.Session().Target(), nil
	}
	named := in.Connection
	if named.Protocol == conform.All {
		named.Protocol = ""
	}
	if err := named.Check(); err != nil {
		return wire.Target{}, err
	}
	return w.Resolve(&named)
}

func (in *ConformInput) Options(w *workbench.Workbench) (*conform.Options, error) {
	opts := &conform.Options{
		Rules: workbench.Commas(in.Rules), Skip: workbench.Commas(in.Skip), Protocol: in.Protocol,
		Severity:  finding.Severity(in.Severity),
		Version:   w.Version,
		Permit:    safety.Permit{All: in.AllowCalls, Tools: workbench.Commas(in.Allow), Unannotated: in.unannotated},
		OpenWorld: in.openWorld, Processes: in.processes,
		Timeout: in.Timeout, Start: in.Timeout, Within: in.Within, Log: w.Log, Shown: in.reached(), Declare: in.Declare,
		Step: func(s conform.Step) {
			w.Event(workbench.Event{Step: &workbench.Step{Part: "conform", Done: s.Done, Total: s.Total,
				Findings: s.Findings, Text: s.Text}})
		},
	}
	var err error
	if opts.Auth, err = in.authOptions(w); err != nil {
		return nil, err
	}
	if in.Session() != nil && opts.Protocol == "" {
		opts.Protocol = in.Session().Version
	}
	var wrong *conform.SelectionError
	if errors.As(opts.Validate(), &wrong) {
		return nil, &workbench.UsageError{Message: wrong.Problem, Hint: hint.Text("use " + wrong.Want)}
	}
	if in.Within < 0 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %v for --within", in.Within),
			Hint: "use a duration such as 5m"}
	}
	return opts, in.RuleOptions.Check()
}

// reached is the server as used in the commands of findings. Those set the revision themselves.
func (in *ConformInput) reached() string {
	c := in.Connection
	c.Protocol = ""
	return c.Words()
}

// Shown returns the display name of a server in reports.
func Shown(c *workbench.Connection) string {
	switch {
	case c.Session() != nil:
		return c.Session().Target().String()
	case len(c.Command) > 0:
		return "-- " + strings.Join(c.Command, " ")
	}
	return redact.URL(c.Target)
}

func writeConform(out io.Writer, r *ConformResult) error {
	if err := workbench.WriteReport(out, &r.ReportResult); err != nil || r.Format != "" && r.Format != "text" {
		return err
	}
	t := workbench.NewText(out)
	areas(t, r.Outcome)
	if r.Outcome.Auth {
		notTried(t, r.Outcome)
	}
	if r.Opts.Baseline != nil && r.Opts.Baseline.Suppressed > 0 {
		t.Line("grades include the findings in the baseline")
	}
	return t.Err
}

// areas shows the result of each area, and the grade.
func areas(t *workbench.Text, o *conform.Outcome) {
	t.Line("")
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
		t.Line(line)
	}
	if len(o.NotCalled) > 0 {
		t.Fill(2, "not called: "+strings.Join(o.NotCalled, ", ")+" (use --allow NAME or --allow-calls to call them)")
	}
	if len(o.NotRequested) > 0 {
		t.Fill(2, "prompts not requested: "+strings.Join(o.NotRequested, ", ")+
			" (use --allow NAME or --allow-calls to request them)")
	}
	if o.OneAtATime != "" {
		t.Line("  " + workbench.OneAtATime(o.OneAtATime) + ": the checks ran one after the other")
	}
	about := ", " + conform.RevisionsText(o.Revisions)
	if late := o.Unreached(); late > 0 {
		t.Line(fmt.Sprintf("  not run: %s (use --within for a longer time limit)", workbench.Plural(late, "check")))
		about += ", incomplete"
	}
	t.Line(t.Bold("grade %s, %d of 100", o.Grade, o.Score) + about)
}

// ConformBeside runs conform on the server of an operation beside the session that it may have.
func ConformBeside(ctx context.Context, w *workbench.Workbench, c *workbench.Connection, t wire.Target,
	opts *conform.Options) (*conform.Outcome, error) {
	out, err := conform.Run(ctx, t, opts)
	if err != nil && w.MakeRoom(ctx, c, err) {
		opts.Processes = conform.One
		if out, err = conform.Run(ctx, t, opts); err == nil {
			w.ReportOneProcess()
		}
	}
	return out, err
}
