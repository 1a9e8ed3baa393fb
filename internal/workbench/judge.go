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

	"github.com/mcptest-dev/mcptest/internal/advice"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A RuleOptions selects the rules of an engine and the format of its report. Every operation that ends in a report
// embeds it.
type RuleOptions struct {
	Rules         []string `json:"rules,omitempty" placeholder:"LIST" jsonschema:"run only these rules: ids, families or globs, comma-separated"`
	Skip          []string `json:"skip,omitempty" placeholder:"LIST" jsonschema:"skip these rules"`
	Severity      string   `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"minimum severity to show and count: info, warning, error or critical"`
	Baseline      string   `json:"baseline,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"suppress the findings listed in this baseline FILE"`
	WriteBaseline bool     `json:"write_baseline,omitempty" surface:"cli" jsonschema:"write all current findings to the baseline file"`
	Format        string   `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
	Verbose       bool     `json:"verbose,omitempty" jsonschema:"also show checks that passed"`
}

// Check rejects invalid options before anything runs.
func (in *RuleOptions) Check() error {
	switch {
	case in.Format != "" && !slices.Contains(report.Formats, in.Format):
		return &UsageError{Message: fmt.Sprintf("unknown format %q", in.Format),
			Hint: hint.Text("use one of " + strings.Join(report.Formats, ", "))}
	case in.WriteBaseline && in.Baseline == "":
		return &UsageError{Message: "--write-baseline requires --baseline FILE", Hint: "add {--baseline} FILE"}
	case in.Severity != "" && finding.Severity(in.Severity).Rank() == 0:
		return &UsageError{Message: fmt.Sprintf("unknown severity %q", in.Severity),
			Hint: "use info, warning, error or critical"}
	}
	return nil
}

// A ReportResult is the report of an engine, in the requested format.
type ReportResult struct {
	Report *finding.Report

	Fails  bool           `json:"-"` // the findings cause a failing exit status
	Format string         `json:"-"` // as requested; empty means the default
	Opts   report.Options `json:"-"`
}

// Report formats a report and removes what the baseline accepts. The caller decides whether it fails.
func (in *RuleOptions) Report(w *Workbench, r *finding.Report, opts report.Options) (*ReportResult, error) {
	opts.Verbose = in.Verbose
	if w.Secrets != nil {
		opts.Scrub = w.Secrets.Exact
	}
	opts.Frame = w.Frame
	out := &ReportResult{Report: r, Format: in.Format, Opts: opts}
	return out, in.applyBaseline(w, out)
}

// Frame returns a frame of the run, for reports that show the evidence.
func (w *Workbench) Frame(seq int) (string, bool) {
	f, ok := w.Log.Frame(seq)
	return string(f.Body), ok
}

// Failed reports whether the findings cause a failing exit status.
func (r *ReportResult) Failed() bool { return r.Fails }

// RawJSON returns the report as JSON, or in the requested format.
func (r *ReportResult) RawJSON() []byte {
	var out strings.Builder
	if err := report.Write(&out, cmp.Or(r.Format, "json"), r.Report, &r.Opts); err != nil {
		return nil
	}
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}

// WithMember returns a report as JSON with an additional field.
func WithMember(report []byte, name string, value []byte) []byte {
	open := bytes.TrimRight(bytes.TrimSuffix(report, []byte("}")), "\n ") // without its last brace
	return append(open, []byte(",\n  \""+name+"\": "+string(value)+"\n}")...)
}

// WriteReport shows a report as text.
func WriteReport(out io.Writer, r *ReportResult) error {
	opts := r.Opts
	if c, ok := out.(Colorful); ok {
		opts.Color = c.Color()
	}
	if c, ok := out.(Linked); ok && c.Links() {
		opts.Link = advice.Link
	}
	if c, ok := out.(Wide); ok {
		opts.Width = c.Columns()
	}
	return report.Write(out, cmp.Or(r.Format, "text"), r.Report, &opts)
}

// Commas splits comma-separated values, as in --rules SCH-001,SEC.
func Commas(values []string) []string {
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
func (in *RuleOptions) applyBaseline(w *Workbench, r *ReportResult) error {
	if in.Baseline == "" {
		return nil
	}
	if in.WriteBaseline {
		baseline := report.NewBaseline(r.Report)
		if err := baseline.Write(in.Baseline); err != nil {
			return &UsageError{Message: err.Error()}
		}
		w.Event(Event{Notice: fmt.Sprintf("%s accepts %s", in.Baseline, Plural(len(baseline.Entries()), "finding"))})
		r.Opts.Baseline = baseline.Filter(r.Report)
		return nil
	}
	baseline, err := report.ReadBaseline(in.Baseline)
	if errors.Is(err, os.ErrNotExist) {
		return &UsageError{Message: err.Error(), Hint: "use {--write-baseline} to create it"}
	}
	if err != nil {
		return &UsageError{Message: err.Error()}
	}
	r.Opts.Baseline = baseline.Filter(r.Report)
	return nil
}
