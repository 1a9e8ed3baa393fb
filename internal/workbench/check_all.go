package workbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A CheckTable is the verdicts on several servers.
type CheckTable struct {
	Rows    []CheckRow        `json:"servers"`
	Between []finding.Finding `json:"between,omitempty"` // what servers of one host do to each other

	strict bool // warnings fail it
}

// A CheckRow is the verdict on one.
type CheckRow struct {
	Name    string            `json:"name"`
	Source  string            `json:"source"`
	Verdict CheckWord         `json:"verdict,omitempty"` // empty if it was not checked
	Grade   string            `json:"grade,omitempty"`
	Areas   map[string]string `json:"areas,omitempty"`
	Why     string            `json:"why,omitempty"` // why there is no grade
	Failed  bool              `json:"failed"`
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
		return nil, &UsageError{Message: "--header, --env and --cwd belong to one server, and --all checks several", Hint: "put them into the config file, or check one server"}
	}
	found, err := config.Load(w.System.System, in.Config)
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	if len(found.Entries) == 0 {
		return nil, &UsageError{Message: "no config file names a server", Hint: "mcptest servers shows where it looks; mcptest check TARGET checks one"}
	}
	table, tools := &CheckTable{strict: in.FailOn == "warning"}, toolbox{}
	var reports []*finding.Report
	for i, e := range found.Entries {
		w.event(Event{Step: &Step{Done: i, Total: len(found.Entries), Text: e.Name}})
		row, result := w.checkEntry(ctx, in, e)
		table.Rows = append(table.Rows, row)
		reports = append(reports, reportOf(row, result, w.Version))
		if result != nil {
			tools.add(e.Host, e.Name, result.tools)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	table.Between = tools.between(ctx)
	all := merged(reports)
	if len(table.Between) > 0 {
		all.Results = append(all.Results, finding.Result{Name: "between servers of one host", Findings: table.Between})
	}
	judged, err := (&Judging{Format: in.Format, Verbose: in.Verbose}).judged(w, all, report.Options{})
	if err != nil {
		return nil, err
	}
	out := &CheckResult{Judged: *judged, Table: table}
	out.fails = out.Failed()
	if in.HTML != "" {
		return out, (&checking{w: w, result: out}).writeHTML(in.HTML)
	}
	return out, nil
}

// reportOf is the report of one of several servers. Its results carry the name of the server.
func reportOf(row CheckRow, result *CheckResult, version string) *finding.Report {
	out := &finding.Report{Engine: "check", Target: row.Name, Version: version, Started: time.Now()}
	switch {
	case result != nil:
		copied := *result.Report
		out = &copied
		out.Target, out.Results = row.Name, slices.Clone(out.Results)
		for i := range out.Results {
			out.Results[i].Name = row.Name + ": " + cmp.Or(out.Results[i].Name, out.Results[i].Rule)
		}
	case row.Failed:
		out.Results = []finding.Result{{Name: row.Name, Broken: row.Why}}
	default:
		out.Results = []finding.Result{{Name: row.Name, Skipped: row.Why}}
	}
	return out
}

// checkEntry checks a server of a config file; the result is nil if it was not checked.
func (w *Workbench) checkEntry(ctx context.Context, in *CheckInput, e config.Entry) (row CheckRow, result *CheckResult) {
	row = CheckRow{Name: e.Name, Source: e.Host}
	switch {
	case e.Disabled:
		row.Why = "disabled in its file"
		return row, nil
	case e.Scope == config.Project && !in.IncludeProject && in.Config == "":
		row.Why = "of a project file; --include-project starts it"
		return row, nil
	}
	reach := in.Connection
	reach.Target, reach.Config = e.Name, cmp.Or(in.Config, e.File)
	r, err := runCheck(ctx, w, &CheckInput{Connection: reach, Budget: in.Budget, FailOn: in.FailOn, AllowDisruptive: in.AllowDisruptive})
	if err != nil {
		row.Why, row.Failed, row.Verdict = err.Error(), true, CheckUnreachable
		return row, nil
	}
	row.Verdict, row.Why = r.Word, map[bool]string{true: r.Why}[r.lost != nil]
	row.Grade, row.Failed, row.Areas = r.Grade, r.Failed(), map[string]string{}
	for _, a := range r.Areas {
		row.Areas[a.Name] = a.Grade
	}
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
