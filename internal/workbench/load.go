package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A LoadInput asks for a load on a server.
type LoadInput struct {
	Connection
	Tool            string        `json:"tool,omitempty" placeholder:"NAME" jsonschema:"the tool to call (default: all that say that they are read-only)"`
	Arg             []string      `json:"arg,omitempty" placeholder:"K=V" jsonschema:"an argument, converted by the tool's schema (default: arguments made up from it)"`
	Args            string        `json:"args,omitempty" placeholder:"JSON" empty:"no" jsonschema:"all arguments as a JSON object; {{nonce}} in it is another text in each call"`
	Mix             string        `json:"mix,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"calls of several tools: a YAML list of tool, args and weight"`
	Rate            string        `json:"rate,omitempty" placeholder:"N/s" jsonschema:"how many calls are due in a second, whatever the server does (default 100/s)"`
	Concurrency     int           `json:"concurrency,omitempty" placeholder:"N" jsonschema:"keep so many calls open instead of a rate; with a rate, open no more"`
	Duration        time.Duration `json:"duration,omitempty" placeholder:"D" jsonschema:"how long (default 10s)"`
	Ramp            time.Duration `json:"ramp,omitempty" placeholder:"D" jsonschema:"let the rate or the concurrency grow from nothing for so long"`
	Silence         time.Duration `json:"silence,omitempty" placeholder:"D" jsonschema:"no answer for so long while calls are open is a deadlock (default 10s)"`
	Threshold       []string      `json:"threshold,omitempty" placeholder:"'p99<50ms'" jsonschema:"what must hold, or the exit status is 1; several are possible"`
	HTML            string        `json:"html,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"write a page with charts"`
	Format          string        `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"show the findings as json, junit, sarif, tap, markdown, html, github or gitlab"`
	AllowDisruptive bool          `json:"allow_disruptive,omitempty" surface:"cli" jsonschema:"put a load on a server that is not on this machine"`
}

// What a load is where nobody says.
const (
	defaultLoadRate     = 100
	defaultLoadDuration = 10 * time.Second
)

// Load puts a server under load.
var Load = Op[LoadInput, *LoadResult]{
	Name: "load",
	Doc: "Put a server under load and measure it\n\n" +
		"Calls are due at a rate that the server cannot slow down, and the time of each counts from when it was due. Exits\n" +
		"with 1 if a threshold does not hold, calls fail, answers are mixed up or none comes any more; with 3 if the server\n" +
		"ends under the load. Without --tool it calls the tools that say that they are read-only. A server that is neither\n" +
		"started here nor on this machine needs --allow-disruptive.",
	Example: "mcptest load demo --tool echo --rate 200/s --duration 1s --threshold 'p99<500ms'",
	Run:     runLoad,
	Text:    writeLoad,
}

// A LoadResult is what came of a load.
type LoadResult struct {
	Judged
	Summary *load.Summary
	Calls   []string // what was called
}

// Unreached reports whether the server ended under the load.
func (r *LoadResult) Unreached() bool { return r.Summary != nil && r.Summary.Died != "" }

// RawJSON is the report, with the whole summary in its member load.
func (r *LoadResult) RawJSON() []byte {
	raw := r.Judged.RawJSON()
	if r.format != "" {
		return raw
	}
	summary := *r.Summary
	if r.opts.Scrub != nil {
		summary.Scrub(r.opts.Scrub)
	}
	more, err := json.MarshalIndent(&summary, "  ", "  ")
	if err != nil {
		return raw
	}
	return append(bytes.TrimRight(raw, "}\n "), []byte(",\n  \"load\": "+string(more)+"\n}")...)
}

func runLoad(ctx context.Context, w *Workbench, in *LoadInput) (*LoadResult, error) {
	opts, err := in.options(w)
	if err != nil {
		return nil, err
	}
	s := in.open
	if s == nil {
		// Nobody answers a server's questions under load, and nobody reads what it tells by the way.
		if s, err = w.connect(ctx, &in.Connection, mcp.Options{OnNotification: func(mcp.Message) {}}); err != nil {
			return nil, err
		}
		defer func() { _ = s.Close() }()
	}
	if err := in.mayFlood(s.Target()); err != nil {
		return nil, err
	}
	if opts.Requests, err = w.loadRequests(ctx, s, in); err != nil {
		return nil, err
	}
	found, summary, err := load.Run(ctx, s, opts)
	if err != nil {
		return nil, err
	}
	return in.result(w, found, summary, opts)
}

// options are the pace and the thresholds, read before anything is started.
func (in *LoadInput) options(w *Workbench) (*load.Options, error) {
	opts := &load.Options{Pace: load.Pace{Concurrency: in.Concurrency, Duration: in.Duration, Ramp: in.Ramp, Silence: in.Silence},
		Timeout: in.Timeout, Version: w.Version, Live: w.showLoad(in.Duration)}
	if opts.Duration == 0 {
		opts.Duration = defaultLoadDuration
		opts.Live = w.showLoad(opts.Duration)
	}
	switch {
	case in.Rate != "":
		rate, err := load.ParseRate(in.Rate)
		if err != nil {
			return nil, &UsageError{Message: err.Error()}
		}
		opts.Rate = rate
	case in.Concurrency == 0:
		opts.Rate = defaultLoadRate
	}
	if err := opts.Pace.Check(); err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	for _, text := range in.Threshold {
		t, err := load.ParseThreshold(text)
		if err != nil {
			return nil, &UsageError{Message: err.Error()}
		}
		opts.Thresholds = append(opts.Thresholds, t)
	}
	if in.Mix != "" && (in.Tool != "" || in.Args != "" || len(in.Arg) > 0) {
		return nil, &UsageError{Message: "--mix and --tool do not go together", Hint: "the tools and their arguments stand in the file"}
	}
	if in.Tool == "" && (in.Args != "" || len(in.Arg) > 0) {
		return nil, &UsageError{Message: "there are arguments, but no tool is named", Hint: "add --tool NAME"}
	}
	return opts, (&Judging{Format: in.Format}).check()
}

// mayFlood refuses servers elsewhere, which are others' to put under load.
func (in *LoadInput) mayFlood(t wire.Target) error {
	if t.URL == "" || in.AllowDisruptive || onThisMachine(t.URL) {
		return nil
	}
	return &UsageError{Message: fmt.Sprintf("%s is not on this machine; no call was made", t), Hint: "--allow-disruptive says that it is yours to put under load"}
}

// onThisMachine reports whether a URL names this machine.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}

// showLoad tells how a load goes.
func (w *Workbench) showLoad(duration time.Duration) func(load.Live) {
	lines := 0
	return func(l load.Live) {
		text := fmt.Sprintf("%.0f/s  p50 %s  p95 %s  p99 %s  %s", l.Rate, millis(l.P50), millis(l.P95), millis(l.P99), plural(int(l.Errors), "error"))
		if l.Open > 1 {
			text += fmt.Sprintf("  %d open", l.Open)
		}
		w.event(Event{Step: &Step{Done: int(l.Elapsed.Milliseconds()), Total: int(duration.Milliseconds()), Text: text}})
		if lines++; lines%10 == 0 {
			w.event(Event{Line: fmt.Sprintf("%v: %s", l.Elapsed.Round(time.Second), text)})
		}
	}
}

// result gives a load its look, and writes the page with the charts.
func (in *LoadInput) result(w *Workbench, found *finding.Report, summary *load.Summary, opts *load.Options) (*LoadResult, error) {
	judged, err := (&Judging{Format: in.Format}).judged(w, found, report.Options{Counts: loadCounts})
	if err != nil {
		return nil, err
	}
	judged.fails = slices.ContainsFunc(found.Findings(), loadCounts)
	out := &LoadResult{Judged: *judged, Summary: summary, Calls: describeRequests(opts.Requests)}
	if in.HTML == "" {
		return out, nil
	}
	var page bytes.Buffer
	if err := load.WriteHTML(&page, found, summary, out.Calls, judged.opts.Scrub); err != nil {
		return nil, err
	}
	if err := writeFile(in.HTML, page.Bytes()); err != nil {
		return nil, &UsageError{Message: fmt.Sprintf("--html: %v", err)}
	}
	return out, nil
}

// loadCounts tells the findings that fail a load: growth is a hint until a threshold makes a gate of it.
func loadCounts(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) }

func writeLoad(out io.Writer, r *LoadResult) error {
	if r.format == "" {
		if err := writeSummary(newText(out), r); err != nil {
			return err
		}
	}
	return writeJudged(out, &r.Judged)
}
