package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A FuzzInput is the input of Fuzz.
type FuzzInput struct {
	workbench.Connection
	workbench.Limit
	Tool             []string      `json:"tool,omitempty" placeholder:"NAME" jsonschema:"fuzz only this tool; on the command line, this also permits calling it"`
	Seed             uint64        `json:"seed,omitempty" placeholder:"N" jsonschema:"seed for generating the cases (default 1)"`
	Cases            int           `json:"cases,omitempty" placeholder:"N" jsonschema:"number of calls (default 1000)"`
	Duration         time.Duration `json:"duration,omitempty" surface:"cli" placeholder:"D" jsonschema:"stop after this time instead of --cases"`
	Hang             time.Duration `json:"hang,omitempty" surface:"cli" placeholder:"D" jsonschema:"timeout for a call before it counts as a hang (default 10s)"`
	Wire             bool          `json:"wire,omitempty" jsonschema:"also send malformed frames"`
	Stateful         bool          `json:"stateful,omitempty" jsonschema:"use values from responses in later calls, cancel calls, search for failing sequences"`
	AllowDestructive bool          `json:"allow_destructive,omitempty" surface:"user" jsonschema:"also call tools that are not safe, and remove the limit for open-world tools"`
	AllowDisruptive  bool          `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"allow disruptive tests against remote servers"`
	Severity         string        `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"minimum severity to report: info, warning, error or critical"`
	Format           string        `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
	Out              string        `json:"out,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"write a suite test and a replay file for each finding to DIR"`
	Replay           string        `json:"replay,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"replay the steps in FILE and exit"`

	openWorld int           // calls of an open-world tool; 0 means safety.OpenWorldCalls
	permit    safety.Permit // of a check, which also fuzzes other tools
	bySuite   bool          // a suite names the tools, which does not permit calling them
}

// ForCheck sets what a check may call: which tools, and how often those with openWorldHint.
func (in *FuzzInput) ForCheck(permit safety.Permit, openWorld int) {
	in.permit, in.openWorld = permit, openWorld
}

// ForSuite makes the input one of a suite: it names tools, which does not permit calling them.
func (in *FuzzInput) ForSuite() { in.bySuite = true }

// Fuzz finds inputs that break a server.
var Fuzz = workbench.Op[FuzzInput, *FuzzResult]{
	Uses: workbench.Frames,
	Omit: []string{"log_level"},
	Name: "fuzz", Section: workbench.Test, Order: 40, Tool: "fuzz_tool", Page: true, Calls: true,
	Doc: "Find and minimize inputs that break a server\n\n" +
		"Generates calls from the tools' schemas: valid values, boundary values, near misses and typical mistakes of " +
		"agents.\n" +
		"Only safe tools are called: those with readOnlyHint and no name or description that contradicts it.\n" +
		"Tools with openWorldHint are called 5 times.",
	Help: "Use --tool or --allow-destructive to call more. Exits with 1 on any finding at or above --severity " +
		"(default warning).",
	Example: "mcptest fuzz demo --cases 100" + "\n" +
		"mcptest fuzz demo-flawed --cases 100 --out findings",
	Run:  runFuzz,
	Text: func(out io.Writer, r *FuzzResult) error { return workbench.WriteReport(out, &r.ReportResult) },
}

// A FuzzResult is the report of a run.
type FuzzResult struct {
	workbench.ReportResult
	Files   []string // files written
	stopped bool
}

// Interrupted reports whether the run was stopped before all cases were run.
func (r *FuzzResult) Interrupted() bool { return r.stopped }

// Remarks lists the files that were written.
func (r *FuzzResult) Remarks() []string { return r.Files }

func runFuzz(ctx context.Context, w *workbench.Workbench, in *FuzzInput) (*FuzzResult, error) {
	shown := &workbench.RuleOptions{Severity: in.Severity, Format: in.Format}
	if err := shown.Check(); err != nil {
		return nil, err
	}
	if err := in.numbers(); err != nil {
		return nil, err
	}
	if in.Seed == 0 {
		in.Seed = 1
	}
	if in.Out != "" {
		if err := prepareOut(w, in.Out); err != nil {
			return nil, err
		}
	}
	opts, err := FuzzOptions(w, in)
	if err != nil {
		return nil, err
	}
	limited, cancel := in.Begin(ctx)
	defer cancel()
	found, err := in.find(limited, w, opts)
	if err != nil {
		return nil, usageOfFuzz(err)
	}
	reportSkipped(w, found)
	in.Reproduce(found, opts)
	floor := finding.Severity(in.Severity)
	if floor == "" {
		floor = finding.Warning
	}
	judged, err := shown.Report(w, found.Report, report.Options{Severity: finding.Severity(in.Severity)})
	if err != nil {
		return nil, err
	}
	judged.Fails = slices.ContainsFunc(found.Report.Findings(),
		func(f finding.Finding) bool { return f.Severity.AtLeast(floor) })
	result := &FuzzResult{ReportResult: *judged, stopped: ctx.Err() != nil}
	if in.Out != "" {
		result.Files, err = writeFound(w, in.Out, found, in)
		for _, file := range result.Files {
			w.Event(workbench.Event{Notice: "wrote " + file})
		}
	}
	return result, err
}

// find runs the fuzzer, or replays the steps of a file.
func (in *FuzzInput) find(ctx context.Context, w *workbench.Workbench, opts fuzz.Options) (*fuzz.Result, error) {
	if in.Replay == "" {
		return fuzz.Run(ctx, opts)
	}
	steps, rule, err := readSteps(w, in.Replay)
	if err != nil {
		return nil, err
	}
	return fuzz.Replay(ctx, opts, rule, steps)
}

// numbers rejects invalid values: a run without cases finds nothing, and would look like a success.
func (in *FuzzInput) numbers() error {
	switch {
	case in.Cases < 0:
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --cases", in.Cases),
			Hint: "use a number from 1, such as 500"}
	case in.Duration < 0:
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %v for --duration", in.Duration),
			Hint: "use a duration such as 30s or 2m"}
	case in.Hang < 0:
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %v for --hang", in.Hang),
			Hint: "use a duration such as 10s"}
	}
	return nil
}

func usageOfFuzz(err error) error {
	var none *fuzz.NoToolError
	if errors.As(err, &none) {
		return &workbench.UsageError{Message: none.Error(), Hint: "run: {mcptest tools list}"}
	}
	return err
}

// reportSkipped reports which tools were skipped or not completed, and whether the run stopped early.
func reportSkipped(w *workbench.Workbench, r *fuzz.Result) {
	if r.Ended != "" {
		w.Event(workbench.Event{Notice: "stopped early: " + r.Ended})
	}
	if len(r.Skipped) == 0 {
		return
	}
	var names []string
	for name, why := range r.Skipped {
		names = append(names, name+" ("+why+")")
	}
	slices.Sort(names)
	w.Event(workbench.Event{Notice: "skipped: " + strings.Join(names, ", ")})
}

func FuzzOptions(w *workbench.Workbench, in *FuzzInput) (fuzz.Options, error) {
	t, err := serverOf(w, &in.Connection)
	if err != nil {
		return fuzz.Options{}, err
	}
	gentle := !w.MayDisturb(in.AllowDisruptive, t.URL, workbench.SendFrames) && !Near(t)
	if in.Wire && gentle {
		advice := hint.Text("use {--allow-disruptive} to permit it")
		if !w.Grants.Disruptive {
			advice = hint.Text("if the server may be tested with malformed frames, have the user run: mcptest fuzz " +
				workbench.QuoteWord(t.String()) + " --wire --allow-disruptive")
		}
		return fuzz.Options{}, &workbench.UsageError{Request: workbench.DisturbRequest(t.URL, workbench.SendFrames),
			Hint:    advice,
			Message: fmt.Sprintf("malformed frames are disruptive, and %s is a remote server; no calls were made", t)}
	}
	opts := mcp.Options{Client: mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"},
		Protocol: in.Protocol, Timeout: in.Timeout}
	in.Declare(&opts)
	if in.Session() != nil {
		opts.Protocol = in.Session().Version
	}
	return fuzz.Options{
		Open: func(ctx context.Context) (*mcp.Session, error) {
			done := w.ShowWaiting(t)
			s, err := w.ConnectBeside(ctx, &in.Connection, t, w.Log, &opts)
			done()
			if err == nil {
				opts.Protocol = s.Version // the revision need not be detected again
			}
			return s, err
		},
		Tools: in.Tool, May: func(tool json.RawMessage) safety.Verdict { return in.Allowed(w, tool) }, Seed: in.Seed,
		Cases: in.Cases, Duration: in.Duration, Hang: in.Hang, Stateful: in.Stateful, Wire: in.Wire,
		Gentle: gentle, Target: t.String(), Version: w.Version, Step: fuzzSteps(w),
	}, nil
}

// serverOf returns the server to fuzz or load-test. For an open connection it returns only the server: a
// finding may end the session, and that one is in use.
func serverOf(w *workbench.Workbench, c *workbench.Connection) (wire.Target, error) {
	if c.Session() != nil {
		return c.Session().Target(), nil
	}
	if err := c.Check(); err != nil {
		return wire.Target{}, err
	}
	return w.Resolve(c)
}

// stepInterval is the progress interval: there are thousands of cases per second.
const stepInterval = 50 * time.Millisecond

// fuzzSteps reports progress and speed.
func fuzzSteps(w *workbench.Workbench) func(done, total, findings int, text string) {
	start := time.Now()
	var last time.Time
	return func(done, total, findings int, text string) {
		now := time.Now()
		if now.Sub(last) < stepInterval && done != total {
			return
		}
		last = now
		rate := float64(done) / max(now.Sub(start).Seconds(), 0.001)
		w.Event(workbench.Event{Step: &workbench.Step{Part: "fuzz", Done: done, Total: total, Findings: findings,
			Text: fmt.Sprintf("%.0f cases/s  %s", rate, text)}})
	}
}

// Allowed returns how often a tool may be called: it is safe, or the user permits it.
func (in *FuzzInput) Allowed(w *workbench.Workbench, tool json.RawMessage) safety.Verdict {
	name, _ := schema.Get(tool, "/name")
	text, _ := schema.Text(name)
	permit := safety.Permit{}
	if w.Grants.UnsafeTools {
		permit = in.permit
		permit.All = in.AllowDestructive
		if !in.bySuite {
			permit.Tools = slices.Concat(permit.Tools, in.Tool)
		}
	}
	may := permit.Of(tool)
	if in.openWorld > 0 && may.Calls == safety.OpenWorldCalls {
		may.Calls = in.openWorld
	}
	if may.Why != "" {
		may.Why += "; use mcptest fuzz --tool " + workbench.QuoteWord(text) + " to call it"
	}
	return may
}

// Near reports whether disruptive tests are allowed by default: the server is our own process, or local.
func Near(t wire.Target) bool {
	if t.URL == "" {
		return true
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || ip != nil && ip.IsLoopback()
}
