package workbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
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
	found, err := config.Load(w.System.System, in.Config)
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	if len(found.Entries) == 0 {
		return nil, &UsageError{Message: "no config file names a server", Hint: "mcptest servers shows where it looks; mcptest check TARGET checks one"}
	}
	table, tools := &CheckTable{strict: in.FailOn == "warning"}, toolbox{}
	for i, e := range found.Entries {
		w.event(Event{Step: &Step{Done: i, Total: len(found.Entries), Text: e.Name}})
		row, listed := w.checkEntry(ctx, in, e)
		table.Rows = append(table.Rows, row)
		tools.add(e.Host, e.Name, listed)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	table.Between = tools.between(ctx)
	return &CheckResult{Table: table}, nil
}

// checkEntry checks a server of a config file, and returns its tools for a look at all of them.
func (w *Workbench) checkEntry(ctx context.Context, in *CheckInput, e config.Entry) (row CheckRow, tools *lint.Catalog) {
	row = CheckRow{Name: e.Name, Source: e.Host}
	switch {
	case e.Disabled:
		row.Why = "disabled in its file"
		return row, nil
	case e.Scope == config.Project && !in.IncludeProject && in.Config == "":
		row.Why = "of a project file; --include-project starts it"
		return row, nil
	}
	r, err := runCheck(ctx, w, &CheckInput{Connection: Connection{Target: e.Name, Config: cmp.Or(in.Config, e.File)}, Budget: in.Budget, FailOn: in.FailOn})
	if err != nil {
		row.Why, row.Failed, row.Verdict = err.Error(), true, CheckUnreachable
		return row, nil
	}
	row.Verdict, row.Why = r.Word, map[bool]string{true: r.Why}[r.lost != nil]
	row.Grade, row.Failed, row.Areas = r.Grade, r.Failed(), map[string]string{}
	for _, a := range r.Areas {
		row.Areas[a.Name] = a.Grade
	}
	return row, r.tools
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
