package engines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A LintInput is the input of SchemaLint.
type LintInput struct {
	workbench.Connection
	workbench.RuleOptions
	Host    []string `json:"host,omitempty" placeholder:"LIST" jsonschema:"also check compatibility with these hosts; all for every host"`
	Fix     bool     `json:"fix,omitempty" jsonschema:"print the fixed tool list instead of the findings"`
	FixMode string   `json:"fix_mode,omitempty" placeholder:"MODE" jsonschema:"strict (default), closed or nullable"`
	Write   bool     `json:"write,omitempty" surface:"cli" jsonschema:"with --fix, edit the file in place"`
}

// A LintResult is a report, or a fixed catalog.
type LintResult struct {
	workbench.ReportResult
	Fixed []byte // set if a fix was requested and not written to a file
}

// RawJSON returns the fixed catalog, or the report.
func (r *LintResult) RawJSON() []byte {
	if r.Fixed != nil || r.Report == nil {
		return bytes.TrimSuffix(r.Fixed, []byte("\n"))
	}
	return r.ReportResult.RawJSON()
}

// SchemaLint checks tool definitions.
var SchemaLint = workbench.Op[LintInput, *LintResult]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "schema-lint", Section: workbench.Test, Order: 30, FileTarget: true, Tool: "lint_schemas", Page: true,
	Doc: "Lint tool schemas and fix them\n\n" +
		"Finds schemas that accept wrong arguments, mislead a model, or make a host drop a tool.",
	Help: "TARGET may also be a file with a captured tools/list: an array of tools, an object with tools, or the " +
		"whole\n" +
		"JSON-RPC response; - reads it from stdin. The same works for resources/list, resources/read and skills/list, and\n" +
		"for a folder with skills or a SKILL.md. Exits with 1 on any SCH finding and on any error of another\n" +
		"family; other findings count with --severity, --rules or --host.",
	Example: "mcptest schema-lint demo-flawed" + "\n" +
		"mcptest schema-lint tools.json --fix --write",
	Run:  runLint,
	Text: writeLint,
}

func runLint(ctx context.Context, w *workbench.Workbench, in *LintInput) (*LintResult, error) {
	opts, err := in.Options(w.Version)
	if err != nil {
		return nil, err
	}
	source, err := definitions(ctx, w, in)
	if err != nil {
		return nil, err
	}
	if opts.Protocol == "" {
		opts.Protocol = source.Protocol
	}
	if in.Fix {
		return fix(w, in, source)
	}
	shown := report.Options{File: source.file, Counts: opts.Counts}
	judged, err := in.Report(w, lint.Run(ctx, source.Catalog, opts), shown)
	if err != nil {
		return nil, err
	}
	judged.Fails = lint.Fails(judged.Report, opts)
	return &LintResult{ReportResult: *judged}, ctx.Err()
}

func (in *LintInput) Options(version string) (*lint.Options, error) {
	opts := &lint.Options{Rules: workbench.Commas(in.Rules), Skip: workbench.Commas(in.Skip),
		Hosts:    workbench.Commas(in.Host),
		Severity: finding.Severity(in.Severity), Version: version}
	if in.Protocol != "auto" {
		opts.Protocol = in.Protocol
	}
	var wrong *lint.SelectionError
	if errors.As(opts.Validate(), &wrong) {
		return nil, &workbench.UsageError{Message: wrong.Problem, Hint: hint.Text("use " + wrong.Want)}
	}
	switch {
	case in.Fix && in.selects() != "":
		return nil, &workbench.UsageError{Message: "--fix cannot be combined with " + in.selects() +
			": a fix covers the whole tool list", Hint: "remove one of them"}
	case in.FixMode != "" && !slices.Contains(lint.Modes(), lint.Mode(in.FixMode)):
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --fix-mode", in.FixMode),
			Hint: "use strict, closed or nullable"}
	case in.Write && !in.Fix, in.FixMode != "" && !in.Fix:
		return nil, &workbench.UsageError{Message: "--write and --fix-mode require --fix", Hint: "add {--fix}"}
	}
	return opts, in.RuleOptions.Check()
}

// selects returns a flag that filters or formats findings, which has no effect with a fix; empty if there is
// none.
func (in *LintInput) selects() string {
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--rules", len(in.Rules) > 0}, {"--skip", len(in.Skip) > 0}, {"--severity", in.Severity != ""},
		{"--host", len(in.Host) > 0},
		{"--baseline", in.Baseline != ""}, {"--write-baseline", in.WriteBaseline}, {"--format", in.Format != ""},
	} {
		if flag.given {
			return flag.name
		}
	}
	return ""
}

func writeLint(out io.Writer, r *LintResult) error {
	if r.Report == nil {
		_, err := out.Write(r.Fixed)
		return err
	}
	return workbench.WriteReport(out, &r.ReportResult)
}
