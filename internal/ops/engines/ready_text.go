package engines

import (
	"fmt"
	"io"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// writeReady shows the findings, and then each place.
func writeReady(out io.Writer, r *ReadyResult) error {
	if r.fixes {
		_, err := io.WriteString(out, diffs(r.Fixed))
		return err
	}
	if err := workbench.WriteReport(out, &r.ReportResult); err != nil || r.Format != "" && r.Format != "text" {
		return err
	}
	t := workbench.NewText(out)
	t.Line("")
	for _, p := range r.Places {
		writePlace(t, &p)
	}
	return t.Err
}

// writePlace shows what stands between a server and a place.
func writePlace(t *workbench.Text, p *ready.Place) {
	t.Line(t.Bold("%-8s", p.Name) + "  " + placeState(t, p))
	for _, todo := range p.Todo {
		times := ""
		if todo.Count > 1 {
			times = fmt.Sprintf(" (%d times)", todo.Count)
		}
		t.Fill(2, fmt.Sprintf("%s: %s%s. %s", todo.Rule, todo.Title, times, todo.Fix))
	}
	for _, what := range p.NotStarted {
		t.Fill(2, "not started: "+what)
	}
	if p.Unchecked != "" {
		t.Fill(2, "not checked: "+p.Unchecked)
	}
	if p.Skipped == "" {
		t.Fill(2, fmt.Sprintf("requirements: %s, as of %s", p.Basis, p.AsOf))
	}
}

func placeState(t *workbench.Text, p *ready.Place) string {
	warnings := ""
	if p.Warnings > 0 {
		warnings = ", " + workbench.Plural(p.Warnings, "warning")
	}
	switch {
	case p.Skipped != "":
		return "not checked: " + p.Skipped
	case !p.Ready:
		return t.Bad("not ready: %s%s", workbench.Plural(p.Errors, "error"), warnings)
	}
	state := t.Good("ready") + warnings
	if len(p.NotStarted) > 0 {
		state += ", but not everything was started"
	}
	return state
}
