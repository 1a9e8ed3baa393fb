package workbench

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A Judging selects the rules of an engine and the format of its report. Every operation that ends in a report
// embeds it.
type Judging struct {
	Rules         []string `json:"rules,omitempty" placeholder:"LIST" jsonschema:"run only these rules: ids, families or globs, comma-separated"`
	Skip          []string `json:"skip,omitempty" placeholder:"LIST" jsonschema:"skip these rules"`
	Severity      string   `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"minimum severity to show and count: info, warning, error or critical"`
	Baseline      string   `json:"baseline,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"suppress the findings listed in this baseline FILE"`
	WriteBaseline bool     `json:"write_baseline,omitempty" surface:"cli" jsonschema:"write all current findings to the baseline file"`
	Format        string   `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
	Verbose       bool     `json:"verbose,omitempty" jsonschema:"also show checks that passed"`
}

// check rejects invalid options before anything runs.
func (in *Judging) check() error {
	switch {
	case in.Format != "" && !slices.Contains(report.Formats, in.Format):
		return &UsageError{Message: fmt.Sprintf("unknown format %q", in.Format), Hint: hint.Text("use one of " + strings.Join(report.Formats, ", "))}
	case in.WriteBaseline && in.Baseline == "":
		return &UsageError{Message: "--write-baseline requires --baseline FILE", Hint: "add {--baseline} FILE"}
	case in.Severity != "" && finding.Severity(in.Severity).Rank() == 0:
		return &UsageError{Message: fmt.Sprintf("unknown severity %q", in.Severity), Hint: "use info, warning, error or critical"}
	}
	return nil
}

// A Judged is the report of an engine, in the requested format.
type Judged struct {
	Report *finding.Report

	fails  bool
	format string
	opts   report.Options
}

// judged formats a report and removes what the baseline accepts. The caller decides whether it fails.
func (in *Judging) judged(w *Workbench, r *finding.Report, opts report.Options) (*Judged, error) {
	opts.Verbose = in.Verbose
	if w.Secrets != nil {
		opts.Scrub = w.Secrets.Exact
	}
	opts.Frame = w.frame
	out := &Judged{Report: r, format: in.Format, opts: opts}
	return out, in.applyBaseline(w, out)
}

// frame returns a frame of the run, for reports that show the evidence.
func (w *Workbench) frame(seq int) (string, bool) {
	f, ok := w.Log.Frame(seq)
	return string(f.Body), ok
}

// Failed reports whether the findings cause a failing exit status.
func (r *Judged) Failed() bool { return r.fails }

// RawJSON returns the report as JSON, or in the requested format.
func (r *Judged) RawJSON() []byte {
	var out strings.Builder
	if err := report.Write(&out, cmp.Or(r.format, "json"), r.Report, &r.opts); err != nil {
		return nil
	}
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}

// withMember returns a report as JSON with an additional field.
func withMember(report []byte, name string, value []byte) []byte {
	open := bytes.TrimRight(bytes.TrimSuffix(report, []byte("}")), "\n ") // without its last brace
	return append(open, []byte(",\n  \""+name+"\": "+string(value)+"\n}")...)
}

// writeJudged shows a report as text.
func writeJudged(out io.Writer, r *Judged) error {
	opts := r.opts
	if c, ok := out.(Colorful); ok {
		opts.Color = c.Color()
	}
	if c, ok := out.(Wide); ok {
		opts.Width = c.Columns()
	}
	return report.Write(out, cmp.Or(r.format, "text"), r.Report, &opts)
}

// commas splits comma-separated values, as in --rules SCH-001,SEC.
func commas(values []string) []string {
	var all []string
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
	}
	return all
}

// applyBaseline removes the accepted findings, or accepts the current ones.
func (in *Judging) applyBaseline(w *Workbench, r *Judged) error {
	if in.Baseline == "" {
		return nil
	}
	if in.WriteBaseline {
		baseline := report.NewBaseline(r.Report)
		if err := baseline.Write(in.Baseline); err != nil {
			return &UsageError{Message: err.Error()}
		}
		w.event(Event{Notice: fmt.Sprintf("%s accepts %s", in.Baseline, plural(len(baseline.Entries()), "finding"))})
		r.opts.Baseline = baseline.Filter(r.Report)
		return nil
	}
	baseline, err := report.ReadBaseline(in.Baseline)
	if errors.Is(err, os.ErrNotExist) {
		return &UsageError{Message: err.Error(), Hint: "use {--write-baseline} to create it"}
	}
	if err != nil {
		return &UsageError{Message: err.Error()}
	}
	r.opts.Baseline = baseline.Filter(r.Report)
	return nil
}
