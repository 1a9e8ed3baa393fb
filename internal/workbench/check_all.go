package workbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A CheckTable is the verdicts on several servers.
type CheckTable struct {
	Rows    []CheckRow        `json:"servers"`
	Between []finding.Finding `json:"between,omitempty"` // conflicts between servers of the same host

	strict bool // warnings fail it
}

// A CheckRow is the verdict on one server.
type CheckRow struct {
	Name     string            `json:"name"`
	Source   string            `json:"source"`
	Verdict  CheckWord         `json:"verdict,omitempty"` // empty if it was not checked
	Grade    string            `json:"grade,omitempty"`
	Areas    map[string]string `json:"areas,omitempty"`
	Why      string            `json:"why,omitempty"` // why there is no grade
	Failed   bool              `json:"failed"`
	Findings []finding.Finding `json:"findings,omitempty"`
}

func (t *CheckTable) has(word CheckWord) bool {
	return slices.ContainsFunc(t.Rows, func(r CheckRow) bool { return r.Verdict == word })
}

func (t *CheckTable) failed() bool {
	return slices.ContainsFunc(t.Rows, func(r CheckRow) bool { return r.Failed }) || t.strict && len(t.Between) > 0
}

// checkAll checks every server in the user's config files, one after another.
func checkAll(ctx context.Context, w *Workbench, in *CheckInput) (*CheckResult, error) {
	if len(in.Header) > 0 || len(in.Env) > 0 || in.Cwd != "" {
		return nil, &UsageError{Message: "--header, --env and --cwd apply to a single server and cannot be combined with --all", Hint: "set them in the config file, or check one server"}
	}
	found, err := config.Load(w.System.System, in.Config)
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	if len(found.Entries) == 0 {
		return nil, &UsageError{Message: "no servers configured", Hint: "run {mcptest servers} to see the config files; run {mcptest check TARGET} to check one server"}
	}
	table, tools := &CheckTable{strict: strings.Contains(in.FailOn, "warning")}, toolbox{}
	known, err := in.fleetBaseline()
	if err != nil {
		return nil, err
	}
	var reports []*CheckResult
	for i, e := range found.Entries {
		w.event(Event{Step: &Step{Done: i, Total: len(found.Entries), Text: e.Name}})
		row, r := w.checkEntry(ctx, in, known, e)
		table.Rows, reports = append(table.Rows, row), append(reports, r)
		if r != nil {
			tools.add(e.Host, e.Name, r.tools)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	table.Between = slices.DeleteFunc(tools.between(ctx), func(f finding.Finding) bool { return finding.MatchesAny(f.Rule, commas(in.Skip)) })
	if known != nil {
		between := &finding.Report{Results: []finding.Result{{Findings: table.Between}}}
		known.filter(between)
		table.Between = between.Findings()
	}
	return table.result(w, in, known, reports)
}

// result formats the table as requested, and writes the files.
func (t *CheckTable) result(w *Workbench, in *CheckInput, known *fleetBaseline, reports []*CheckResult) (*CheckResult, error) {
	out := &CheckResult{Table: t, Judged: *t.merge(w.Version, reports)}
	out.format, out.opts.Verbose = in.Format, in.Verbose
	if w.Secrets != nil {
		out.opts.Scrub = w.Secrets.Exact
	}
	out.opts.Frame = w.frame
	if known != nil {
		out.opts.Baseline = &known.applied
		if err := known.write(w, in); err != nil {
			return nil, err
		}
	}
	if in.HTML != "" {
		if err := out.writeHTML(w, in.HTML); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkEntry checks a server from a config file. The result is nil if it was not checked.
func (w *Workbench) checkEntry(ctx context.Context, in *CheckInput, known *fleetBaseline, e config.Entry) (row CheckRow, r *CheckResult) {
	row = CheckRow{Name: e.Name, Source: e.Host}
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

func writeCheckTable(out io.Writer, table *CheckTable) error {
	t := newText(out)
	width := len("server")
	for _, r := range table.Rows {
		width = max(width, len(r.Name))
	}
	t.line(fmt.Sprintf("%-*s  grade  protocol  schemas  robustness", width, "server"))
	for _, r := range table.Rows {
		line := fmt.Sprintf("%-*s  %-5s  %-8s  %-7s  %-10s", width, r.Name, cmp.Or(r.Grade, "–"), r.Areas["protocol"], r.Areas["schemas"], r.Areas["robustness"])
		if r.Why != "" {
			line = fmt.Sprintf("%-*s  –      %s", width, r.Name, r.Why)
		}
		t.show(strings.TrimRight(line, " "))
	}
	t.between(table.Between)
	return t.err
}
