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
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A FuzzInput asks for inputs that break a server.
type FuzzInput struct {
	Connection
	Tool             []string      `json:"tool,omitempty" placeholder:"NAME" jsonschema:"fuzz only this tool; naming it allows to call it"`
	Seed             uint64        `json:"seed,omitempty" placeholder:"N" jsonschema:"the same seed makes the same cases in the same order (default 1)"`
	Cases            int           `json:"cases,omitempty" placeholder:"N" jsonschema:"how many calls to make (default 1000)"`
	Duration         time.Duration `json:"duration,omitempty" surface:"cli" placeholder:"D" jsonschema:"stop after this time instead"`
	Hang             time.Duration `json:"hang,omitempty" surface:"cli" placeholder:"D" jsonschema:"how long a call may stay without an answer (default 10s)"`
	Wire             bool          `json:"wire,omitempty" jsonschema:"send frames that are not as they should be, too"`
	Stateful         bool          `json:"stateful,omitempty" jsonschema:"feed values from answers into later calls, cancel calls, look for sequences"`
	AllowDestructive bool          `json:"allow_destructive,omitempty" jsonschema:"call tools that do not say that they are read-only, too"`
	AllowDisruptive  bool          `json:"allow_disruptive,omitempty" jsonschema:"disturb a server that is neither a process of ours nor on this machine"`
	Severity         string        `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"show and count findings from this severity on: info, warning, error or critical"`
	Format           string        `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
	Out              string        `json:"out,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"write a suite test and a file to replay for each finding here"`
	Replay           string        `json:"replay,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"do the steps of this file again, and nothing else"`
}

// Fuzz looks for inputs that break a server.
var Fuzz = Op[FuzzInput, *FuzzResult]{
	Name: "fuzz", Tool: "fuzz_tool", Surfaces: Page | Assistant,
	Doc: "Find the inputs that break a server, and shrink them\n\n" +
		"Calls are made from the schemas of tools: valid ones, ones at the edges, near-misses and what agents really get wrong.\n" +
		"Only tools that say that they are read-only are called, unless others are named or allowed.\n\n" +
		"Exits with 1 on any finding that counts (--severity, default warning).",
	Run:  runFuzz,
	Text: func(out io.Writer, r *FuzzResult) error { return writeJudged(out, &r.Judged) },
}

// A FuzzResult is the report of a run.
type FuzzResult struct {
	Judged
	Files []string // what was written
}

// Remarks name the files that were written.
func (r *FuzzResult) Remarks() []string { return r.Files }

func runFuzz(ctx context.Context, w *Workbench, in *FuzzInput) (*FuzzResult, error) {
	shown := &Judging{Severity: in.Severity, Format: in.Format}
	if err := shown.check(); err != nil {
		return nil, err
	}
	if in.Seed == 0 {
		in.Seed = 1
	}
	opts, err := w.fuzzOptions(in)
	if err != nil {
		return nil, err
	}
	var found *fuzz.Result
	if in.Replay != "" {
		steps, rule, err := readSteps(in.Replay)
		if err != nil {
			return nil, err
		}
		found, err = fuzz.Replay(ctx, opts, rule, steps)
		if err != nil {
			return nil, err
		}
	} else if found, err = fuzz.Run(ctx, opts); err != nil {
		return nil, usageOfFuzz(err)
	}
	w.tellLeft(found)
	for _, f := range found.Found {
		reproduce(found.Report, f, &in.Connection)
	}
	floor := finding.Severity(in.Severity)
	if floor == "" {
		floor = finding.Warning
	}
	judged, err := shown.judged(w, found.Report, report.Options{Severity: finding.Severity(in.Severity)})
	if err != nil {
		return nil, err
	}
	judged.fails = slices.ContainsFunc(found.Report.Findings(), func(f finding.Finding) bool { return f.Severity.AtLeast(floor) })
	result := &FuzzResult{Judged: *judged}
	if in.Out != "" {
		result.Files, err = writeFound(in.Out, found, &in.Connection)
		for _, file := range result.Files {
			w.event(Event{Notice: "wrote " + file})
		}
	}
	return result, err
}

func usageOfFuzz(err error) error {
	var none *fuzz.NoToolError
	if errors.As(err, &none) {
		return &UsageError{Message: none.Error(), Hint: "mcptest tools list shows them"}
	}
	return err
}

// tellLeft says which tools were not called.
func (w *Workbench) tellLeft(r *fuzz.Result) {
	if len(r.Left) == 0 {
		return
	}
	var names []string
	for name, why := range r.Left {
		names = append(names, name+" ("+why+")")
	}
	slices.Sort(names)
	w.event(Event{Notice: "not called: " + strings.Join(names, ", ")})
}

func (w *Workbench) fuzzOptions(in *FuzzInput) (fuzz.Options, error) {
	if in.Wire && !in.AllowDisruptive && in.Target != "" && !w.near(in.Target) {
		return fuzz.Options{}, &UsageError{Message: "--wire sends frames that may disturb a server, and " + in.Target + " is not on this machine", Hint: "--allow-disruptive says that it may be disturbed"}
	}
	target := in.Target
	if target == "" {
		target = strings.Join(in.Command, " ")
	}
	return fuzz.Options{
		Open: func(ctx context.Context) (*mcp.Session, error) {
			if in.open != nil {
				return in.open, nil
			}
			return w.connect(ctx, &in.Connection, mcp.Options{})
		},
		Borrowed: in.open != nil, Tools: in.Tool, May: in.may, Seed: in.Seed, Cases: in.Cases, Duration: in.Duration, Hang: in.Hang,
		Stateful: in.Stateful, Wire: in.Wire && in.open == nil, Target: target, Version: w.Version,
		Step: func(done, total, findings int, text string) {
			w.event(Event{Step: &Step{Done: done, Total: total, Findings: findings, Text: text}})
		},
	}, nil
}

// may says whether a tool may be called: it is named, or says that it is read-only, or everything is allowed.
func (in *FuzzInput) may(tool json.RawMessage) (bool, string) {
	name, _ := schema.Get(tool, "/name")
	text, _ := schema.Text(name)
	readOnly, _ := schema.Get(tool, "/annotations/readOnlyHint")
	if slices.Contains(in.Tool, text) || in.AllowDestructive || string(readOnly) == "true" {
		return true, ""
	}
	return false, "it does not say that it is read-only; --tool or --allow-destructive calls it"
}

// near reports whether a target may be disturbed: a name, which is a process of ours or was configured, or an address of
// this machine.
func (w *Workbench) near(target string) bool {
	u, err := url.Parse(target)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// reproduce adds the command that shows a finding again.
func reproduce(r *finding.Report, f *fuzz.Found, c *Connection) {
	if len(f.Steps) != 1 || f.Steps[0].Cancel {
		return
	}
	step := f.Steps[0]
	command := fmt.Sprintf("mcptest tools call %s --no-validate --args %s %s", quoteWord(step.Tool), quoteWord(string(step.Arguments)), targetWords(c))
	if step.Kind == "frame" || len(step.Arguments) > 2000 {
		return
	}
	for i := range r.Results {
		for j := range r.Results[i].Findings {
			found := &r.Results[i].Findings[j]
			if found.Rule == f.Rule.ID && found.Message == f.Breach && found.Where.Subject == step.Tool {
				found.Reproduce = command
			}
		}
	}
}

// targetWords is how a command names the server of a connection.
func targetWords(c *Connection) string {
	if len(c.Command) == 0 {
		return quoteWord(c.Target)
	}
	words := []string{"--"}
	for _, word := range c.Command {
		words = append(words, quoteWord(word))
	}
	return strings.Join(words, " ")
}
