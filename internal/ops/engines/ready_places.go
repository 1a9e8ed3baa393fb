package engines

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// placeState says whether a place would accept the server.
func placeState(p *ready.Place) string {
	warnings := ""
	if p.Warnings > 0 {
		warnings = ", " + workbench.Plural(p.Warnings, "warning")
	}
	switch {
	case p.Skipped != "":
		return "not checked: " + p.Skipped
	case !p.Ready:
		return fmt.Sprintf("not ready: %s%s", workbench.Plural(p.Errors, "error"), warnings)
	case len(p.NotStarted) > 0:
		return "ready" + warnings + ", but not everything was started"
	}
	return "ready" + warnings
}

// placeRemarks lists what stands between a server and a place, and what is not known about it.
func placeRemarks(p *ready.Place) (all []string) {
	for _, todo := range p.Todo {
		times := ""
		if todo.Count > 1 {
			times = fmt.Sprintf(" (%d times)", todo.Count)
		}
		all = append(all, fmt.Sprintf("%s: %s%s. %s", todo.Rule, todo.Title, times, todo.Fix))
	}
	for _, what := range p.NotStarted {
		all = append(all, "not started: "+what)
	}
	if p.Unchecked != "" {
		all = append(all, "not checked: "+p.Unchecked)
	}
	return all
}

// placeBasis says which requirements a place was checked against.
func placeBasis(p *ready.Place) string { return fmt.Sprintf("%s, as of %s", p.Basis, p.AsOf) }

// placeTable is the state of all places for reports in HTML and Markdown, with a row for each remark.
func placeTable(places []ready.Place) *report.Verdict {
	accepted, checked := 0, 0
	table := &report.Verdict{Head: []string{"Place", "State", "What to change", "Requirements"}}
	for _, p := range places {
		remarks := placeRemarks(&p)
		row := []string{p.Title, placeState(&p), "", ""}
		if p.Skipped == "" {
			checked++
			row[3] = placeBasis(&p)
		}
		if p.Ready {
			accepted++
		}
		if len(remarks) > 0 {
			row[2] = remarks[0]
		}
		table.Rows = append(table.Rows, row)
		for _, remark := range remarks[min(1, len(remarks)):] {
			table.Rows = append(table.Rows, []string{"", "", remark, ""})
		}
	}
	table.Line = fmt.Sprintf("ready for %d of %s", accepted, workbench.Plural(checked, "place"))
	if checked > 1 || checked == 0 {
		table.Line += " that were checked"
	}
	return table
}
