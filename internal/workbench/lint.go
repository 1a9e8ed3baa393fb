package workbench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A LintInput asks for the tools of a file or a server to be judged.
type LintInput struct {
	Connection
	Rules         []string `json:"rules,omitempty" placeholder:"LIST" jsonschema:"run only these rules: ids, families or globs, with commas between them"`
	Skip          []string `json:"skip,omitempty" placeholder:"LIST" jsonschema:"leave these rules out"`
	Severity      string   `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"show and count findings from this severity on: info, warning, error or critical"`
	Host          []string `json:"host,omitempty" placeholder:"LIST" jsonschema:"judge by what these hosts accept, too; all means every one"`
	Baseline      string   `json:"baseline,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"leave out the findings that this file accepts"`
	WriteBaseline bool     `json:"write_baseline,omitempty" surface:"cli" jsonschema:"accept all findings of now in the baseline file"`
	Format        string   `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, markdown or github"`
	Fix           bool     `json:"fix,omitempty" jsonschema:"print the tightened catalog instead of findings"`
	FixMode       string   `json:"fix_mode,omitempty" placeholder:"MODE" jsonschema:"strict (default), closed or nullable"`
	Write         bool     `json:"write,omitempty" surface:"cli" jsonschema:"with --fix: change the file in place"`
	Verbose       bool     `json:"verbose,omitempty" jsonschema:"show the tools without a finding, too"`
}

// A LintResult is a report, or a catalog that was fixed.
type LintResult struct {
	Report *finding.Report
	Fixed  []byte // set when a fix was asked for and not written to a file

	fails  bool
	format string
	opts   report.Options
}

// Failed reports whether the findings are reason for a failing exit.
func (r *LintResult) Failed() bool { return r.fails }

// RawJSON is the fixed catalog, or the report: as JSON, or in the format that was asked for by name.
func (r *LintResult) RawJSON() []byte {
	var out strings.Builder
	if r.Fixed != nil || r.Report == nil {
		return bytes.TrimSuffix(r.Fixed, []byte("\n"))
	}
	if err := report.Write(&out, cmp.Or(r.format, "json"), r.Report, &r.opts); err != nil {
		return nil
	}
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}

// SchemaLint judges tool definitions.
var SchemaLint = Op[LintInput, *LintResult]{
	Name: "schema-lint", Tool: "lint_schemas", Surfaces: Page | Assistant,
	Doc: "Find weak tool schemas, and fix them\n\n" +
		"TARGET may also be a file that holds a captured tools/list: an array of tools, an object with tools, or the whole\n" +
		"JSON-RPC response; - reads it from standard input. Exits with 1 on any SCH finding and on any error of another\n" +
		"family; other findings count with --severity, --rules or --host.",
	Run:  runLint,
	Text: writeLint,
}

func runLint(ctx context.Context, w *Workbench, in *LintInput) (*LintResult, error) {
	opts, err := in.options(w.Version)
	if err != nil {
		return nil, err
	}
	source, err := w.tools(ctx, in)
	if err != nil {
		return nil, err
	}
	if opts.Protocol == "" {
		opts.Protocol = source.protocol
	}
	if in.Fix {
		return w.fix(in, source)
	}
	result := &LintResult{Report: lint.Run(ctx, source.catalog, opts), format: in.Format}
	result.opts = report.Options{Verbose: in.Verbose, File: source.file, Counts: opts.Counts}
	if w.Secrets != nil {
		result.opts.Scrub = w.Secrets.Exact
	}
	if err := in.applyBaseline(w, result); err != nil {
		return nil, err
	}
	result.fails = lint.Fails(result.Report, opts)
	return result, ctx.Err()
}

func (in *LintInput) options(version string) (*lint.Options, error) {
	opts := &lint.Options{Rules: commas(in.Rules), Skip: commas(in.Skip), Hosts: commas(in.Host), Severity: finding.Severity(in.Severity), Version: version}
	if in.Protocol != "auto" {
		opts.Protocol = in.Protocol
	}
	var wrong *lint.SelectionError
	if errors.As(opts.Validate(), &wrong) {
		return nil, &UsageError{Message: wrong.Problem, Hint: wrong.Want}
	}
	switch {
	case in.Fix && in.selects() != "":
		return nil, &UsageError{Message: "--fix and " + in.selects() + " do not go together: a fix is made of the whole catalog", Hint: "leave one of them out"}
	case in.Format != "" && !slices.Contains(report.Formats, in.Format):
		return nil, &UsageError{Message: fmt.Sprintf("unknown format %q", in.Format), Hint: "one of " + strings.Join(report.Formats, ", ")}
	case in.FixMode != "" && !slices.Contains(lint.Modes(), lint.Mode(in.FixMode)):
		return nil, &UsageError{Message: fmt.Sprintf("unknown mode %q of the fix", in.FixMode), Hint: "strict, closed or nullable"}
	case in.Write && !in.Fix, in.FixMode != "" && !in.Fix:
		return nil, &UsageError{Message: "--write and --fix-mode are for a fix", Hint: "add --fix"}
	case in.WriteBaseline && in.Baseline == "":
		return nil, &UsageError{Message: "--write-baseline does not say where to", Hint: "add --baseline FILE"}
	}
	return opts, nil
}

// selects names a flag that chooses or shows findings, which a fix has none of; empty where there is none.
func (in *LintInput) selects() string {
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--rules", len(in.Rules) > 0}, {"--skip", len(in.Skip) > 0}, {"--severity", in.Severity != ""}, {"--host", len(in.Host) > 0},
		{"--baseline", in.Baseline != ""}, {"--write-baseline", in.WriteBaseline}, {"--format", in.Format != ""},
	} {
		if flag.given {
			return flag.name
		}
	}
	return ""
}

// commas splits values that hold several, as in --rules SCH-001,SEC.
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

// applyBaseline takes the accepted findings out, or accepts those of now.
func (in *LintInput) applyBaseline(w *Workbench, r *LintResult) error {
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
		return &UsageError{Message: err.Error(), Hint: "--write-baseline makes it"}
	}
	if err != nil {
		return &UsageError{Message: err.Error()}
	}
	r.opts.Baseline = baseline.Filter(r.Report)
	return nil
}

func writeLint(out io.Writer, r *LintResult) error {
	if r.Report == nil {
		_, err := out.Write(r.Fixed)
		return err
	}
	opts := r.opts
	if c, ok := out.(Colorful); ok {
		opts.Color = c.Color()
	}
	return report.Write(out, cmp.Or(r.format, "text"), r.Report, &opts)
}
