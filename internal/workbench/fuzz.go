package workbench

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
)

// A FuzzInput is the input of Fuzz.
type FuzzInput struct {
	Connection
	limit
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

// Fuzz finds inputs that break a server.
var Fuzz = Op[FuzzInput, *FuzzResult]{
	Uses: Frames,
	Omit: []string{"log_level"},
	Name: "fuzz", Tool: "fuzz_tool", Surfaces: Page | Assistant, Calls: true,
	Doc: "Find and minimize inputs that break a server\n\n" +
		"Generates calls from the tools' schemas: valid values, boundary values, near misses and typical mistakes of agents.\n" +
		"Only safe tools are called: those with readOnlyHint and no name or description that contradicts it.\n" +
		"Tools with openWorldHint are called 5 times.",
	Help: "Use --tool or --allow-destructive to call more. Exits with 1 on any finding at or above --severity (default warning).",
	Example: "mcptest fuzz demo --cases 100" + "\n" +
		"mcptest fuzz demo-flawed --cases 100 --out findings",
	Run:  runFuzz,
	Text: func(out io.Writer, r *FuzzResult) error { return writeJudged(out, &r.Judged) },
}

// A FuzzResult is the report of a run.
type FuzzResult struct {
	Judged
	Files   []string // files written
	stopped bool
}

// Interrupted reports whether the run was stopped before all cases were run.
func (r *FuzzResult) Interrupted() bool { return r.stopped }

// Remarks lists the files that were written.
func (r *FuzzResult) Remarks() []string { return r.Files }

func runFuzz(ctx context.Context, w *Workbench, in *FuzzInput) (*FuzzResult, error) {
	shown := &Judging{Severity: in.Severity, Format: in.Format}
	if err := shown.check(); err != nil {
		return nil, err
	}
	if err := in.numbers(); err != nil {
		return nil, err
	}
	if in.Seed == 0 {
		in.Seed = 1
	}
	if in.Out != "" {
		if err := w.prepareOut(in.Out); err != nil {
			return nil, err
		}
	}
	opts, err := w.fuzzOptions(in)
	if err != nil {
		return nil, err
	}
	limited, cancel := in.begin(ctx)
	defer cancel()
	found, err := in.find(limited, w, opts)
	if err != nil {
		return nil, usageOfFuzz(err)
	}
	w.tellLeft(found)
	in.reproduce(found, opts)
	floor := finding.Severity(in.Severity)
	if floor == "" {
		floor = finding.Warning
	}
	judged, err := shown.judged(w, found.Report, report.Options{Severity: finding.Severity(in.Severity)})
	if err != nil {
		return nil, err
	}
	judged.fails = slices.ContainsFunc(found.Report.Findings(), func(f finding.Finding) bool { return f.Severity.AtLeast(floor) })
	result := &FuzzResult{Judged: *judged, stopped: ctx.Err() != nil}
	if in.Out != "" {
		result.Files, err = w.writeFound(in.Out, found, in)
		for _, file := range result.Files {
			w.event(Event{Notice: "wrote " + file})
		}
	}
	return result, err
}

// find runs the fuzzer, or replays the steps of a file.
func (in *FuzzInput) find(ctx context.Context, w *Workbench, opts fuzz.Options) (*fuzz.Result, error) {
	if in.Replay == "" {
		return fuzz.Run(ctx, opts)
	}
	steps, rule, err := w.readSteps(in.Replay)
	if err != nil {
		return nil, err
	}
	return fuzz.Replay(ctx, opts, rule, steps)
}

// numbers rejects invalid values: a run without cases finds nothing, and would look like a success.
func (in *FuzzInput) numbers() error {
	switch {
	case in.Cases < 0:
		return &UsageError{Message: fmt.Sprintf("invalid value %d for --cases", in.Cases), Hint: "use a number from 1, such as 500"}
	case in.Duration < 0:
		return &UsageError{Message: fmt.Sprintf("invalid value %v for --duration", in.Duration), Hint: "use a duration such as 30s or 2m"}
	case in.Hang < 0:
		return &UsageError{Message: fmt.Sprintf("invalid value %v for --hang", in.Hang), Hint: "use a duration such as 10s"}
	}
	return nil
}

func usageOfFuzz(err error) error {
	var none *fuzz.NoToolError
	if errors.As(err, &none) {
		return &UsageError{Message: none.Error(), Hint: "run: {mcptest tools list}"}
	}
	return err
}

// tellLeft reports which tools were skipped or not completed, and whether the run stopped early.
func (w *Workbench) tellLeft(r *fuzz.Result) {
	if r.Ended != "" {
		w.event(Event{Notice: "stopped early: " + r.Ended})
	}
	if len(r.Left) == 0 {
		return
	}
	var names []string
	for name, why := range r.Left {
		names = append(names, name+" ("+why+")")
	}
	slices.Sort(names)
	w.event(Event{Notice: "skipped: " + strings.Join(names, ", ")})
}

func (w *Workbench) fuzzOptions(in *FuzzInput) (fuzz.Options, error) {
	t, err := w.serverOf(&in.Connection)
	if err != nil {
		return fuzz.Options{}, err
	}
	gentle := !w.mayDisturb(in.AllowDisruptive, t.URL, sendFrames) && !near(t)
	if in.Wire && gentle {
		advice := hint.Text("use {--allow-disruptive} to permit it")
		if !w.Grants.Disruptive {
			advice = hint.Text("if the server may be tested with malformed frames, have the user run: mcptest fuzz " + QuoteWord(t.String()) + " --wire --allow-disruptive")
		}
		return fuzz.Options{}, &UsageError{Request: disturbRequest(t.URL, sendFrames), Hint: advice,
			Message: fmt.Sprintf("malformed frames are disruptive, and %s is a remote server; no calls were made", t)}
	}
	opts := mcp.Options{Client: mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}, Protocol: in.Protocol, Timeout: in.Timeout, Tasks: true}
	if in.open != nil {
		opts.Protocol = in.open.Version
	}
	return fuzz.Options{
		Open: func(ctx context.Context) (*mcp.Session, error) {
			done := w.awaiting(t)
			s, err := w.connectBeside(ctx, &in.Connection, t, w.Log, &opts)
			done()
			if err == nil {
				opts.Protocol = s.Version // the revision need not be detected again
			}
			return s, err
		},
		Tools: in.Tool, May: func(tool json.RawMessage) safety.Judgment { return in.may(w, tool) }, Seed: in.Seed,
		Cases: in.Cases, Duration: in.Duration, Hang: in.Hang, Stateful: in.Stateful, Wire: in.Wire,
		Gentle: gentle, Target: t.String(), Version: w.Version, Step: w.fuzzSteps(),
	}, nil
}

// serverOf returns the server to fuzz or load-test. For an open connection it returns only the server: a
// finding may end the session, and that one is in use.
func (w *Workbench) serverOf(c *Connection) (wire.Target, error) {
	if c.open != nil {
		return c.open.Target(), nil
	}
	if err := c.check(); err != nil {
		return wire.Target{}, err
	}
	return w.resolve(c)
}

// stepInterval is the progress interval: there are thousands of cases per second.
const stepInterval = 50 * time.Millisecond

// fuzzSteps reports progress and speed.
func (w *Workbench) fuzzSteps() func(done, total, findings int, text string) {
	start := time.Now()
	var last time.Time
	return func(done, total, findings int, text string) {
		now := time.Now()
		if now.Sub(last) < stepInterval && done != total {
			return
		}
		last = now
		rate := float64(done) / max(now.Sub(start).Seconds(), 0.001)
		w.event(Event{Step: &Step{Done: done, Total: total, Findings: findings, Text: fmt.Sprintf("%.0f cases/s  %s", rate, text)}})
	}
}

// may returns how often a tool may be called: it is safe, or the user permits it.
func (in *FuzzInput) may(w *Workbench, tool json.RawMessage) safety.Judgment {
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
		may.Why += "; use mcptest fuzz --tool " + QuoteWord(text) + " to call it"
	}
	return may
}

// near reports whether disruptive tests are allowed by default: the server is our own process, or local.
func near(t wire.Target) bool {
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
