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
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// A FuzzInput asks for inputs that break a server.
type FuzzInput struct {
	Connection
	limit
	Tool             []string      `json:"tool,omitempty" placeholder:"NAME" jsonschema:"fuzz only this tool; on the command line, naming it also permits to call it"`
	Seed             uint64        `json:"seed,omitempty" placeholder:"N" jsonschema:"the same seed makes the same cases in the same order (default 1)"`
	Cases            int           `json:"cases,omitempty" placeholder:"N" jsonschema:"how many calls to make (default 1000)"`
	Duration         time.Duration `json:"duration,omitempty" surface:"cli" placeholder:"D" jsonschema:"stop after this time instead"`
	Hang             time.Duration `json:"hang,omitempty" surface:"cli" placeholder:"D" jsonschema:"how long a call may stay without an answer (default 10s)"`
	Wire             bool          `json:"wire,omitempty" jsonschema:"send frames that are not as they should be, too"`
	Stateful         bool          `json:"stateful,omitempty" jsonschema:"feed values from answers into later calls, cancel calls, look for sequences"`
	AllowDestructive bool          `json:"allow_destructive,omitempty" surface:"user" jsonschema:"also call tools that are not safe, and open-world tools without a limit"`
	AllowDisruptive  bool          `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"disturb a server that is neither a process of ours nor on this machine"`
	Severity         string        `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"show and count findings from this severity on: info, warning, error or critical"`
	Format           string        `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
	Out              string        `json:"out,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"write a suite test and a file to replay for each finding here"`
	Replay           string        `json:"replay,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"do the steps of this file again, and nothing else"`

	openWorld int           // calls of a tool that reaches others; 0 means safety.OpenWorldCalls
	permit    safety.Permit // of a check, which fuzzes other tools beside these
}

// Fuzz looks for inputs that break a server.
var Fuzz = Op[FuzzInput, *FuzzResult]{
	Name: "fuzz", Tool: "fuzz_tool", Surfaces: Page | Assistant, Calls: true,
	Doc: "Find the inputs that break a server, and shrink them\n\n" +
		"Calls are made from the schemas of tools: valid ones, ones at the edges, near-misses and what agents really get wrong.\n" +
		"Only safe tools are called: read-only by their hint (readOnlyHint), without a name or description that contradicts it.\n" +
		"Tools that reach others (openWorldHint) are called 5 times. --tool and --allow-destructive permit more.\n\n" +
		"Exits with 1 on any finding that counts (--severity, default warning).",
	Example: "mcptest fuzz demo --cases 100" + "\n" +
		"mcptest fuzz demo-flawed --cases 100 --out findings",
	Run:  runFuzz,
	Text: func(out io.Writer, r *FuzzResult) error { return writeJudged(out, &r.Judged) },
}

// A FuzzResult is the report of a run.
type FuzzResult struct {
	Judged
	Files   []string // what was written
	stopped bool
}

// Interrupted reports whether it was stopped before all cases were made.
func (r *FuzzResult) Interrupted() bool { return r.stopped }

// Remarks name the files that were written.
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

// find runs the fuzzer, or the steps of the file that is to be replayed.
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

// numbers refuses those that mean nothing: a run of no case finds nothing, and would seem to say that all is well.
func (in *FuzzInput) numbers() error {
	switch {
	case in.Cases < 0:
		return &UsageError{Message: fmt.Sprintf("--cases is %d", in.Cases), Hint: "a number from 1, such as 500"}
	case in.Duration < 0:
		return &UsageError{Message: fmt.Sprintf("--duration is %v", in.Duration), Hint: "a time such as 30s or 2m"}
	case in.Hang < 0:
		return &UsageError{Message: fmt.Sprintf("--hang is %v", in.Hang), Hint: "a time such as 10s"}
	}
	return nil
}

func usageOfFuzz(err error) error {
	var none *fuzz.NoToolError
	if errors.As(err, &none) {
		return &UsageError{Message: none.Error(), Hint: "mcptest tools list shows them"}
	}
	return err
}

// tellLeft says which tools were not called, or not to the end, and whether it ended early.
func (w *Workbench) tellLeft(r *fuzz.Result) {
	if r.Ended != "" {
		w.event(Event{Notice: "ended early: " + r.Ended})
	}
	if len(r.Left) == 0 {
		return
	}
	var names []string
	for name, why := range r.Left {
		names = append(names, name+" ("+why+")")
	}
	slices.Sort(names)
	w.event(Event{Notice: "left out: " + strings.Join(names, ", ")})
}

func (w *Workbench) fuzzOptions(in *FuzzInput) (fuzz.Options, error) {
	t, err := w.serverOf(&in.Connection)
	if err != nil {
		return fuzz.Options{}, err
	}
	gentle := !w.mayDisturb(in.AllowDisruptive, t.URL) && !near(t)
	if in.Wire && gentle {
		return fuzz.Options{}, &UsageError{Request: disturbRequest(t.URL, "malformed frames"), Message: "--wire sends frames that may disturb a server, and " + t.String() + " is not on this machine", Hint: "--allow-disruptive says that it may be disturbed"}
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
				opts.Protocol = s.Version // what it speaks need not be found out again
			}
			return s, err
		},
		Tools: in.Tool, May: func(tool json.RawMessage) safety.Judgment { return in.may(w, tool) }, Seed: in.Seed,
		Cases: in.Cases, Duration: in.Duration, Hang: in.Hang, Stateful: in.Stateful, Wire: in.Wire,
		Gentle: gentle, Target: t.String(), Version: w.Version, Step: w.fuzzSteps(),
	}, nil
}

// serverOf is the server to fuzz or to put under load. Of an open connection it is the server alone: what is found may end
// a session, and that one is in use.
func (w *Workbench) serverOf(c *Connection) (wire.Target, error) {
	if c.open != nil {
		return c.open.Target(), nil
	}
	if err := c.check(); err != nil {
		return wire.Target{}, err
	}
	return w.resolve(c)
}

// stepInterval is how often it is told how far a run is: there are thousands of cases a second.
const stepInterval = 50 * time.Millisecond

// fuzzSteps tells how far a run is, and how fast.
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

// may says how often a tool may be called: it is safe, or the user permits it.
func (in *FuzzInput) may(w *Workbench, tool json.RawMessage) safety.Judgment {
	name, _ := schema.Get(tool, "/name")
	text, _ := schema.Text(name)
	permit := safety.Permit{}
	if w.Grants.UnsafeTools {
		permit = in.permit
		permit.All, permit.Tools = in.AllowDestructive, slices.Concat(permit.Tools, in.Tool)
	}
	may := permit.Of(tool)
	if in.openWorld > 0 && may.Calls == safety.OpenWorldCalls {
		may.Calls = in.openWorld
	}
	if may.Why != "" {
		may.Why += "; use mcptest fuzz --tool " + quoteWord(text) + " to call it"
	}
	return may
}

// near reports whether a server may be disturbed: it is a process of ours, or on this machine.
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
