package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A LoadInput asks for a load on a server. Its times are texts, since not every surface has numbers with units.
type LoadInput struct {
	Connection
	limit
	Tool            string   `json:"tool,omitempty" placeholder:"NAME" jsonschema:"the tool to call (default: all that are safe)"`
	Arg             []string `json:"arg,omitempty" placeholder:"K=V" jsonschema:"an argument, converted by the tool's schema (default: arguments made up from it)"`
	Args            string   `json:"args,omitempty" placeholder:"JSON" empty:"no" jsonschema:"all arguments as a JSON object; {{nonce}} in it is another text in each call"`
	NoValidate      bool     `json:"no_validate,omitempty" jsonschema:"send the arguments even if the tool's schema forbids them"`
	Mix             string   `json:"mix,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"calls of several tools: a YAML list of tool, args and weight"`
	Rate            string   `json:"rate,omitempty" placeholder:"N/s" jsonschema:"how many calls are due in a second, whatever the server does (default 100/s)"`
	Concurrency     int      `json:"concurrency,omitempty" placeholder:"N" jsonschema:"keep so many calls open instead of a rate; with a rate, open no more"`
	Duration        string   `json:"duration,omitempty" placeholder:"D" jsonschema:"how long, such as 30s (default 10s)"`
	Ramp            string   `json:"ramp,omitempty" placeholder:"D" jsonschema:"let the rate or the concurrency grow from nothing for so long"`
	Silence         string   `json:"silence,omitempty" placeholder:"D" jsonschema:"no answer for so long while calls are open is a deadlock (default 10s)"`
	Threshold       []string `json:"threshold,omitempty" placeholder:"'p99<50ms'" jsonschema:"what must hold, or it has failed; several are possible"`
	HTML            string   `json:"html,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"write a page with charts"`
	K6              string   `json:"k6,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"write the load as a script for k6 and make none; for servers with a URL"`
	Format          string   `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"show the findings as json, junit, sarif, tap, markdown, html, github or gitlab"`
	AllowDisruptive bool     `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"put a load on a server that is not on this machine"`
}

// What a load is where nobody says.
const (
	defaultLoadRate     = 100
	defaultLoadDuration = 10 * time.Second

	maxLoadElsewhere = 10 * time.Minute // where nobody can press Ctrl-C
)

// Load puts a server under load.
var Load = Op[LoadInput, *LoadResult]{
	Name: "load", Tool: "load_server", Surfaces: Page | Assistant, Calls: true,
	Doc: "Put a server under load and measure it\n\n" +
		"Calls are due at a rate that the server cannot slow down, and the time of each counts from when it was due. If no\n" +
		"tool is named, those are called that are safe: read-only by their hint (readOnlyHint), not open-world (openWorldHint).\n\n" +
		"Exits with 1 if a --threshold does not hold, calls fail, answers are mixed up or none comes any more; with 3 if the\n" +
		"server ends under the load. A server that is neither started here nor on this machine needs --allow-disruptive.",
	Example: "mcptest load demo --tool echo --rate 200/s --duration 1s --threshold 'p99<500ms'",
	Run:     runLoad,
	Text:    writeLoad,
}

// A LoadResult is what came of a load.
type LoadResult struct {
	Judged
	Summary *load.Summary
	Calls   []string // what was called
	Script  string   // the script for k6 that was written instead of a load

	wanted []string // the variables that the script wants
}

// Interrupted reports whether it was stopped before its end.
func (r *LoadResult) Interrupted() bool { return r.Summary != nil && r.Summary.Stopped }

// Unreached reports whether the server ended under the load.
func (r *LoadResult) Unreached() bool { return r.Summary != nil && r.Summary.Died != "" }

// RawJSON is the report, with the whole summary in its member load.
func (r *LoadResult) RawJSON() []byte {
	if r.Summary == nil {
		raw, _ := json.Marshal(map[string]string{"script": r.Script}) // texts always marshal
		return raw
	}
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
	return withMember(raw, "load", more)
}

func runLoad(ctx context.Context, w *Workbench, in *LoadInput) (*LoadResult, error) {
	opts, err := in.options(w)
	if err != nil {
		return nil, err
	}
	t, err := w.serverOf(&in.Connection)
	if err != nil {
		return nil, err
	}
	if err := in.mayFlood(w, t); err != nil {
		return nil, err
	}
	if in.K6 != "" && t.URL == "" {
		return nil, &UsageError{Message: fmt.Sprintf("%s is not reached by HTTP, and k6 speaks nothing else", t), Hint: "name the server by its URL, or put it behind one: mcptest gateway; without --k6 mcptest makes the load itself"}
	}
	limited, cancel := in.begin(ctx)
	defer cancel()
	s, err := w.loadSession(limited, in, t)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	if opts.Requests, err = w.loadRequests(limited, s, in); err != nil {
		return nil, err
	}
	if in.K6 != "" {
		return writeK6(w, s, in, opts)
	}
	found, summary := load.Run(limited, s, opts)
	if timeOver(limited) {
		w.event(Event{Notice: fmt.Sprintf("ended early: %v after %v", ErrTimeOver, in.within)})
	}
	return in.result(w, found, summary, opts)
}

// loadSession is a session of the load's own: a load must not disturb one that somebody else uses. Nobody answers a
// server's questions under load, and nobody reads what it tells by the way; a load that is asked for elsewhere than at the
// command line is not recorded either, since the record would be nothing else any more.
func (w *Workbench) loadSession(ctx context.Context, in *LoadInput, t wire.Target) (*mcp.Session, error) {
	opts := mcp.Options{OnNotification: func(mcp.Message) {}}
	if in.open == nil {
		return w.dial(ctx, &in.Connection, t, opts)
	}
	opts.Client = mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}
	opts.Protocol = in.open.Version
	return w.connectBeside(ctx, &in.Connection, t, nil, &opts)
}

// options are the pace and the thresholds, read before anything is started.
func (in *LoadInput) options(w *Workbench) (*load.Options, error) {
	pace, err := in.pace()
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	opts := &load.Options{Pace: pace, Timeout: in.Timeout, Version: w.Version, Live: w.showLoad(pace.Duration)}
	for _, text := range in.Threshold {
		t, err := load.ParseThreshold(text)
		if err != nil {
			return nil, &UsageError{Message: err.Error()}
		}
		opts.Thresholds = append(opts.Thresholds, t)
	}
	switch {
	case in.Mix != "" && (in.Tool != "" || in.Args != "" || len(in.Arg) > 0):
		return nil, &UsageError{Message: "--mix and --tool do not go together", Hint: "the tools and their arguments stand in the file"}
	case in.Tool == "" && (in.Args != "" || len(in.Arg) > 0):
		return nil, &UsageError{Message: "there are arguments, but no tool is named", Hint: "add --tool NAME"}
	case in.open != nil && pace.Duration > maxLoadElsewhere:
		return nil, &UsageError{Message: fmt.Sprintf("a duration of %v; want at most %v here", pace.Duration, maxLoadElsewhere), Hint: "mcptest load on the command line makes longer ones"}
	case in.within > 0 && pace.Duration > in.within:
		return nil, &UsageError{Message: fmt.Sprintf("a duration of %v does not fit into the %v that the call may take", pace.Duration, in.within), Hint: "a shorter duration; or a greater within_ms, if your host waits for so long"}
	case in.K6 != "" && (in.HTML != "" || in.Format != ""):
		return nil, &UsageError{Message: "--k6 makes no load, so that there is nothing to report", Hint: "leave out --html and --format; k6 reports by itself"}
	}
	return opts, (&Judging{Format: in.Format}).check()
}

// pace reads when calls are to be made.
func (in *LoadInput) pace() (load.Pace, error) {
	pace := load.Pace{Concurrency: in.Concurrency, Duration: defaultLoadDuration}
	for _, t := range []struct {
		name, text string
		into       *time.Duration
	}{{"duration", in.Duration, &pace.Duration}, {"ramp", in.Ramp, &pace.Ramp}, {"silence", in.Silence, &pace.Silence}} {
		if t.text == "" {
			continue
		}
		d, err := time.ParseDuration(t.text)
		if err != nil {
			return pace, fmt.Errorf("%s is %q; want a time with its unit, such as 500ms, 30s or 2m", t.name, t.text)
		}
		*t.into = d
	}
	var err error
	switch {
	case in.Rate != "":
		pace.Rate, err = load.ParseRate(in.Rate)
	case in.Concurrency == 0:
		pace.Rate = defaultLoadRate
	}
	if err != nil {
		return pace, err
	}
	return pace, pace.Check()
}

// mayFlood refuses servers elsewhere, which are others' to put under load.
func (in *LoadInput) mayFlood(w *Workbench, t wire.Target) error {
	switch {
	case w.mayDisturb(in.AllowDisruptive, t.URL) || near(t) || in.K6 != "":
		return nil
	case in.open != nil:
		return &UsageError{Message: fmt.Sprintf("%s is not on this machine; no call was made", t), Request: disturbRequest(t.URL, "load"),
			Hint: "if it is the user's to put under load, the user has to run: mcptest load " + quoteWord(t.String()) + " --allow-disruptive"}
	}
	return &UsageError{Message: fmt.Sprintf("%s is not on this machine; no call was made", t), Hint: "--allow-disruptive says that it is yours to put under load"}
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
	if err := w.writeFile(in.HTML, page.Bytes()); err != nil {
		return nil, &UsageError{Message: fmt.Sprintf("--html: %v", err)}
	}
	return out, nil
}

// loadCounts tells the findings that fail a load: growth is a hint until a threshold makes a gate of it.
func loadCounts(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) }

// writeK6 writes the load as a script. One that would hold a secret is not written: whatever else is in the arguments of a
// call goes into the file.
func writeK6(w *Workbench, s *mcp.Session, in *LoadInput, opts *load.Options) (*LoadResult, error) {
	script, wanted, err := load.K6(s, opts)
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	if w.Secrets != nil && w.Secrets.Exact(string(script)) != string(script) {
		return nil, &UsageError{Message: "the script would hold a secret that the server was given", Hint: "use arguments without it; headers are no problem, since the script takes them from the environment"}
	}
	if err := w.writeFile(in.K6, script); err != nil {
		return nil, &UsageError{Message: fmt.Sprintf("--k6: %v", err)}
	}
	return &LoadResult{Script: in.K6, wanted: wanted}, nil
}

func writeLoad(out io.Writer, r *LoadResult) error {
	if r.Summary == nil {
		command := "k6 run "
		for _, name := range r.wanted {
			command += "-e " + name + "=… "
		}
		_, err := fmt.Fprintf(out, "wrote %s; run it with: %s%s\n", report.Visible(r.Script), command, quoteWord(report.Visible(r.Script)))
		return err
	}
	if r.format == "" {
		if err := writeSummary(newText(out), r); err != nil {
			return err
		}
	}
	return writeJudged(out, &r.Judged)
}
