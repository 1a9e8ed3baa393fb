package check

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A Table is the verdicts on several servers.
type Table struct {
	Rows    []Row             `json:"servers"`
	Between []finding.Finding `json:"between,omitempty"` // conflicts between servers of the same host

	strict bool // warnings fail it
}

// A Row is the verdict on one server.
type Row struct {
	Name     string            `json:"name"`
	Source   string            `json:"source"`
	Verdict  Word              `json:"verdict,omitempty"` // empty if it was not checked
	Grade    string            `json:"grade,omitempty"`
	Areas    map[string]string `json:"areas,omitempty"`
	Why      string            `json:"why,omitempty"` // why there is no grade
	Failed   bool              `json:"failed"`
	Findings []finding.Finding `json:"findings,omitempty"`
}

func (t *Table) has(word Word) bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Verdict == word })
}

func (t *Table) failed() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Failed }) || t.strict && len(t.Between) > 0
}

// checkAll checks every server in the user's config files, one after another.
func checkAll(ctx context.Context, w *workbench.Workbench, in *Input) (*Result, error) {
	if len(in.Header) > 0 || len(in.Env) > 0 || in.Cwd != "" {
		return nil, &workbench.UsageError{Message: "--header, --env and --cwd apply to a single server and cannot be " +
			"combined " +
			"with --all", Hint: "set them in the config file, or check one server"}
	}
	found, err := config.Load(w.System.System, in.Config)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	if len(found.Entries) == 0 {
		return nil, &workbench.UsageError{Message: "no servers configured",
			Hint: "run {mcptest servers} to see the config files; run {mcptest check TARGET} to check one server"}
	}
	table, tools := &Table{strict: strings.Contains(in.FailOn, "warning")}, hostTools{}
	known, err := in.fleetBaseline()
	if err != nil {
		return nil, err
	}
	var reports []*Result
	for i, e := range found.Entries {
		w.Event(workbench.Event{Step: &workbench.Step{Done: i, Total: len(found.Entries), Text: e.Name}})
		row, r := checkEntry(ctx, w, in, known, e)
		table.Rows, reports = append(table.Rows, row), append(reports, r)
		if r != nil {
			tools.add(e.Host, e.Name, r.tools)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	table.Between = slices.DeleteFunc(tools.between(ctx),
		func(f finding.Finding) bool { return finding.MatchesAny(f.Rule, workbench.Commas(in.Skip)) })
	if known != nil {
		between := &finding.Report{Results: []finding.Result{{Findings: table.Between}}}
		known.filter(between)
		table.Between = between.Findings()
	}
	return table.result(w, in, known, reports)
}

// result formats the table as requested, and writes the files.
func (t *Table) result(w *workbench.Workbench, in *Input, known *fleetBaseline, reports []*Result) (*Result,
	error) {
	out := &Result{Table: t, ReportResult: *t.merge(w.Version, reports)}
	out.Format, out.Opts.Verbose = in.Format, in.Verbose
	if w.Secrets != nil {
		out.Opts.Scrub = w.Secrets.Exact
	}
	out.Opts.Frame = w.Frame
	if known != nil {
		out.Opts.Baseline = &known.applied
		if err := known.write(w, in); err != nil {
			return nil, err
		}
	}
	if in.HTML != "" {
		if err := writeHTML(&out.ReportResult, w, in.HTML); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkEntry checks a server from a config file. The result is nil if it was not checked.
func checkEntry(ctx context.Context, w *workbench.Workbench, in *Input, known *fleetBaseline, e config.Entry) (row Row,
	r *Result) {
	row = Row{Name: e.Name, Source: e.Host}
	switch {
	case e.Disabled:
		row.Why = "disabled in the config file"
		return row, nil
	case e.Scope == config.Project && !in.IncludeProject && in.Config == "":
		row.Why = "skipped: defined in a project file (use --include-project)"
		return row, nil
	}
	one := *in
	one.Target, one.Config = e.Name, cmp.Or(in.Config, e.File)
	one.All, one.Format, one.HTML, one.Baseline, one.WriteBaseline = false, "", "", "", false
	one.entry, one.known = &e, known
	r, err := runCheck(ctx, w, &one)
	if err != nil {
		row.Why, row.Failed, row.Verdict = err.Error(), true, CheckUnreachable
		return row, nil
	}
	row.Verdict, row.Why = r.Word, map[bool]string{true: r.Why}[r.lost != nil]
	row.Grade, row.Failed, row.Areas = r.Grade, r.Failed(), map[string]string{}
	for _, a := range r.Areas {
		row.Areas[a.Name] = a.Grade
	}
	row.Findings = r.Report.Findings()
	return row, r
}

func writeCheckTable(out io.Writer, table *Table) error {
	t := workbench.NewText(out)
	width := len("server")
	for _, r := range table.Rows {
		width = max(width, len(r.Name))
	}
	t.Line(fmt.Sprintf("%-*s  grade  protocol  schemas  robustness", width, "server"))
	for _, r := range table.Rows {
		line := fmt.Sprintf("%-*s  %-5s  %-8s  %-7s  %-10s", width, r.Name, cmp.Or(r.Grade, "–"), r.Areas["protocol"],
			r.Areas["schemas"], r.Areas["robustness"])
		if r.Why != "" {
			line = fmt.Sprintf("%-*s  –      %s", width, r.Name, r.Why)
		}
		t.Line(report.Line(strings.TrimRight(line, " ")))
	}
	between(t, table.Between)
	return t.Err
}
