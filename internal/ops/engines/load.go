package engines

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
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A LoadInput is the input of Load. Its durations are strings, since not every surface has numbers with units.
type LoadInput struct {
	workbench.Connection
	workbench.Limit
	Tool            string   `json:"tool,omitempty" placeholder:"NAME" jsonschema:"tool to call (default: all safe tools)"`
	Arg             []string `json:"arg,omitempty" placeholder:"K=V" jsonschema:"argument, converted according to the tool's schema (default: arguments generated from it)"`
	Args            string   `json:"args,omitempty" placeholder:"JSON" empty:"no" jsonschema:"all arguments as a JSON object; {{nonce}} is replaced by a different string in each call"`
	NoValidate      bool     `json:"no_validate,omitempty" jsonschema:"send the arguments even if the tool's schema forbids them"`
	Mix             string   `json:"mix,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"calls of several tools: a YAML list of tool, args and weight"`
	Rate            string   `json:"rate,omitempty" placeholder:"N/s" jsonschema:"arrival rate, independent of response times (default 100/s)"`
	Concurrency     int      `json:"concurrency,omitempty" placeholder:"N" jsonschema:"number of concurrent calls (closed loop); with --rate, the maximum in flight"`
	Duration        string   `json:"duration,omitempty" placeholder:"D" jsonschema:"duration of the test, such as 30s (default 10s)"`
	Ramp            string   `json:"ramp,omitempty" placeholder:"D" jsonschema:"ramp up from zero over this time"`
	Silence         string   `json:"silence,omitempty" placeholder:"D" jsonschema:"report a deadlock after this time without any response (default 10s)"`
	Threshold       []string `json:"threshold,omitempty" placeholder:"'p99<50ms'" jsonschema:"fail unless this condition is met, such as 'p99<50ms' (repeatable)"`
	HTML            string   `json:"html,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"write an HTML report with charts to FILE"`
	K6              string   `json:"k6,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"write a k6 script to FILE instead of running the test (HTTP servers only)"`
	Format          string   `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"print the findings as json, junit, sarif, tap, markdown, html, github or gitlab"`
	AllowDisruptive bool     `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"allow load on a remote server"`

	onlySafe bool // of a suite: naming a tool does not permit calling it
}

// OnlySafe has the run call safe tools only, even those that it names.
func (in *LoadInput) OnlySafe() { in.onlySafe = true }

// Default values of a load test.
const (
	defaultLoadRate     = 100
	defaultLoadDuration = 10 * time.Second

	maxLoadElsewhere = 10 * time.Minute // limit for surfaces without Ctrl-C
)

// Load load-tests a server.
var Load = workbench.Op[LoadInput, *LoadResult]{
	Uses: workbench.Frames,
	Name: "load", Section: workbench.Test, Order: 50, Tool: "load_server", Page: true, Calls: true,
	Doc: "Load-test a server\n\n" +
		"Calls start at a fixed arrival rate (open model), and latency counts from the scheduled start. If no tool " +
		"is named, all\n" +
		"safe tools are called: those with readOnlyHint and without openWorldHint.",
	Help: "Exits with 1 if a --threshold fails, calls fail, responses are mixed up or responses stop; with 3 if the " +
		"server exits\n" +
		"under load. A remote server requires --allow-disruptive.",
	Example: "mcptest load demo --tool echo --rate 200/s --duration 1s --threshold 'p99<500ms'",
	Run:     runLoad,
	Text:    writeLoad,
}

// A LoadResult is the result of a load test.
type LoadResult struct {
	workbench.ReportResult
	Summary *load.Summary
	Calls   []string // what was called
	Script  string   // the k6 script that was written instead of running a test

	wanted []string // the environment variables that the script requires
}

// Interrupted reports whether it was stopped early.
func (r *LoadResult) Interrupted() bool { return r.Summary != nil && r.Summary.Stopped }

// Unreached reports whether the server exited under load.
func (r *LoadResult) Unreached() bool { return r.Summary != nil && r.Summary.Died != "" }

// RawJSON returns the report, with the whole summary in its field load.
func (r *LoadResult) RawJSON() []byte {
	if r.Summary == nil {
		raw, _ := json.Marshal(map[string]string{"script": r.Script}) // strings always marshal
		return raw
	}
	raw := r.ReportResult.RawJSON()
	if r.Format != "" {
		return raw
	}
	summary := *r.Summary
	if r.Opts.Scrub != nil {
		summary.Scrub(r.Opts.Scrub)
	}
	more, err := json.MarshalIndent(&summary, "  ", "  ")
	if err != nil {
		return raw
	}
	return workbench.WithMember(raw, "load", more)
}

func runLoad(ctx context.Context, w *workbench.Workbench, in *LoadInput) (*LoadResult, error) {
	opts, err := in.Options(w)
	if err != nil {
		return nil, err
	}
	t, err := serverOf(w, &in.Connection)
	if err != nil {
		return nil, err
	}
	if err := in.CheckLoadAllowed(w, t); err != nil {
		return nil, err
	}
	if in.K6 != "" && t.URL == "" {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("k6 supports only HTTP; %s uses another transport", t),
			Hint: "pass the server's URL, or serve it over HTTP with {mcptest gateway}; without {--k6} mcptest " +
				"generates the load itself"}
	}
	limited, cancel := in.Begin(ctx)
	defer cancel()
	s, err := loadSession(limited, w, in, t)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	if opts.Requests, err = LoadRequests(limited, w, s, in); err != nil {
		return nil, err
	}
	if in.K6 != "" {
		return writeK6(w, s, in, opts)
	}
	found, summary := load.Run(limited, s, opts)
	if workbench.TimeOver(limited) {
		w.Event(workbench.Event{Notice: fmt.Sprintf("stopped early: %v after %v", workbench.ErrTimeLimit,
			in.TimeLimit())})
	}
	return in.result(w, found, summary, opts)
}

// loadSession opens a separate session: a load test must not disturb one that is in use. Requests from the
// server are not answered under load, and its notifications are discarded. Frames are recorded only on the
// command line, since a load test would evict everything else.
func loadSession(ctx context.Context, w *workbench.Workbench, in *LoadInput, t wire.Target) (*mcp.Session, error) {
	opts := mcp.Options{OnNotification: func(mcp.Message) {}}
	if in.Session() == nil {
		return w.Dial(ctx, &in.Connection, t, opts)
	}
	opts.Client = mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}
	opts.Protocol = in.Session().Version
	return w.ConnectBeside(ctx, &in.Connection, t, nil, &opts)
}

// Options parses the pace and the thresholds before anything is started.
func (in *LoadInput) Options(w *workbench.Workbench) (*load.Options, error) {
	pace, err := in.pace()
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	opts := &load.Options{Pace: pace, Timeout: in.Timeout, Version: w.Version, Live: showLoad(w, pace.Duration)}
	for _, text := range in.Threshold {
		t, err := load.ParseThreshold(text)
		if err != nil {
			return nil, &workbench.UsageError{Message: err.Error()}
		}
		opts.Thresholds = append(opts.Thresholds, t)
	}
	switch {
	case in.Mix != "" && (in.Tool != "" || in.Args != "" || len(in.Arg) > 0):
		return nil, &workbench.UsageError{Message: "--mix and --tool are mutually exclusive",
			Hint: "list the tools and their arguments in the file"}
	case in.Tool == "" && (in.Args != "" || len(in.Arg) > 0):
		return nil, &workbench.UsageError{Message: "--arg and --args require --tool", Hint: "add {--tool} NAME"}
	case in.Session() != nil && pace.Duration > maxLoadElsewhere:
		return nil, &workbench.UsageError{Message: fmt.Sprintf("duration %v is too long: expected at most %v",
			pace.Duration,
			maxLoadElsewhere), Hint: "use {mcptest load} on the command line for longer runs"}
	case in.TimeLimit() > 0 && pace.Duration > in.TimeLimit():
		return nil, &workbench.UsageError{Message: fmt.Sprintf("duration %v exceeds the time limit of %v for this call",
			pace.Duration, in.TimeLimit()), Hint: "use a shorter duration, or a larger within_ms if your host waits " +
			"that " +
			"long"}
	case in.K6 != "" && (in.HTML != "" || in.Format != ""):
		return nil, &workbench.UsageError{Message: "--html and --format have no effect with --k6: no test is run",
			Hint: "remove {--html} and {--format}; k6 has its own report"}
	}
	return opts, (&workbench.RuleOptions{Format: in.Format}).Check()
}

// pace parses when calls start.
func (in *LoadInput) pace() (load.Pace, error) {
	pace := load.Pace{Concurrency: in.Concurrency, Duration: defaultLoadDuration}
	for _, t := range []struct {
		name, text string
		into       *time.Duration
	}{{"duration", in.Duration, &pace.Duration}, {"ramp", in.Ramp, &pace.Ramp},
		{"silence", in.Silence, &pace.Silence}} {
		if t.text == "" {
			continue
		}
		d, err := time.ParseDuration(t.text)
		if err != nil {
			return pace, fmt.Errorf("invalid value %q for %s: expected a duration such as 500ms, 30s or 2m", t.text,
				t.name)
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

// CheckLoadAllowed rejects remote servers, which may belong to others.
func (in *LoadInput) CheckLoadAllowed(w *workbench.Workbench, t wire.Target) error {
	switch {
	case w.MayDisturb(in.AllowDisruptive, t.URL, workbench.SendLoad) || Near(t) || in.K6 != "":
		return nil
	case in.Session() != nil:
		return &workbench.UsageError{Message: fmt.Sprintf("%s is a remote server; no calls were made", t),
			Request: workbench.DisturbRequest(t.URL, workbench.SendLoad),
			Hint: hint.Text("if the server may be load-tested, have the user run: mcptest load " +
				workbench.QuoteWord(t.String()) + " --allow-disruptive")}
	}
	return &workbench.UsageError{Message: fmt.Sprintf("%s is a remote server; no calls were made", t),
		Hint: "use {--allow-disruptive} if you are allowed to load-test it"}
}

// showLoad shows the progress of a load test.
func showLoad(w *workbench.Workbench, duration time.Duration) func(load.Live) {
	lines := 0
	return func(l load.Live) {
		text := fmt.Sprintf("%.0f/s  p50 %s  p95 %s  p99 %s  %s", l.Rate, millis(l.P50), millis(l.P95), millis(l.P99),
			workbench.Plural(int(l.Errors), "error"))
		if l.Open > 1 {
			text += fmt.Sprintf("  %d open", l.Open)
		}
		w.Event(workbench.Event{Step: &workbench.Step{Done: int(l.Elapsed.Milliseconds()),
			Total: int(duration.Milliseconds()),
			Text:  text}})
		if lines++; lines%10 == 0 {
			w.Event(workbench.Event{Line: fmt.Sprintf("%v: %s", l.Elapsed.Round(time.Second), text)})
		}
	}
}

// result formats the report, and writes the HTML page with the charts.
func (in *LoadInput) result(w *workbench.Workbench, found *finding.Report, summary *load.Summary,
	opts *load.Options) (*LoadResult, error) {
	judged, err := (&workbench.RuleOptions{Format: in.Format}).Report(w, found, report.Options{Counts: LoadCounts})
	if err != nil {
		return nil, err
	}
	judged.Fails = slices.ContainsFunc(found.Findings(), LoadCounts)
	out := &LoadResult{ReportResult: *judged, Summary: summary, Calls: describeRequests(opts.Requests)}
	if in.HTML == "" {
		return out, nil
	}
	var page bytes.Buffer
	if err := load.WriteHTML(&page, found, summary, out.Calls, judged.Opts.Scrub); err != nil {
		return nil, err
	}
	if err := w.WriteFile(in.HTML, page.Bytes()); err != nil {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("--html: %v", err)}
	}
	return out, nil
}

// LoadCounts selects the findings that fail a load test: growth is only a hint unless a threshold is set.
func LoadCounts(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) }

// writeK6 writes the load test as a script. A script that would contain a secret is not written: the arguments
// of calls are part of the file.
func writeK6(w *workbench.Workbench, s *mcp.Session, in *LoadInput, opts *load.Options) (*LoadResult, error) {
	script, wanted, err := load.K6(s, opts)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	if w.Secrets != nil && w.Secrets.Exact(string(script)) != string(script) {
		return nil, &workbench.UsageError{Message: "the script would contain a secret passed to the server",
			Hint: "use arguments without the secret; headers are safe, because the script reads them from the " +
				"environment"}
	}
	if err := w.WriteFile(in.K6, script); err != nil {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("--k6: %v", err)}
	}
	return &LoadResult{Script: in.K6, wanted: wanted}, nil
}

func writeLoad(out io.Writer, r *LoadResult) error {
	if r.Summary == nil {
		command := "k6 run "
		for _, name := range r.wanted {
			command += "-e " + name + "=… "
		}
		_, err := fmt.Fprintf(out, "wrote %s; run it with: %s%s\n", report.Visible(r.Script), command,
			workbench.QuoteWord(report.Visible(r.Script)))
		return err
	}
	if r.Format == "" {
		if err := writeSummary(workbench.NewText(out), r); err != nil {
			return err
		}
	}
	return workbench.WriteReport(out, &r.ReportResult)
}
