package hosttools

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Widths of the table.
const (
	queryWidth = 40
	topResults = 3
)

func writeFind(out io.Writer, r *FindResult) error {
	t := workbench.NewText(out)
	header := fmt.Sprintf("%-*s", queryWidth, "query")
	for _, e := range r.Engines {
		header += fmt.Sprintf("  %-12s", e.ID)
	}
	if slices.ContainsFunc(r.Queries, func(q FindQuery) bool { return len(q.Tools) > 0 }) { // there are ranks
		t.Line(report.Line("Rank of the tool in each search; a rank in parentheses is beyond its limit, – is not returned."))
		t.Line(t.Bold("%s", strings.TrimRight(header, " ")))
	}
	for _, q := range r.Queries {
		query(t, r, q)
	}
	recalls(t, r)
	for _, e := range r.Engines {
		if len(e.Lost) > 0 {
			t.Line("")
			t.Line(report.Line(fmt.Sprintf("%s does not return these tools for their own words (limit %d): %s", e.Name,
				e.Limit, workbench.JoinNames(e.Lost))))
		}
		for _, s := range e.Shadows[:min(len(e.Shadows), topResults)] {
			t.Line(report.Line(fmt.Sprintf("%s returns %s first for the name of %s.", e.Name, s.By, s.Tool)))
		}
	}
	if len(r.Edits) > 0 {
		t.Line("")
		t.Line("Words to add to a description (verified, no other query gets worse):")
		for _, e := range r.Edits {
			t.Fill(2, fmt.Sprintf("%s: add \"Keywords: %s.\" for %s", e.Tool, strings.Join(e.Added, ", "),
				editedQueries(e.Queries)))
		}
	}
	if r.Untried > 0 {
		t.Line("")
		t.Line(fmt.Sprintf("Edits for %d more misses were not looked for: apply these and run again, or pass single "+
			"queries.",
			r.Untried))
	}
	if r.Unasked > 0 {
		t.Line("")
		t.Line(fmt.Sprintf("No queries were made from %d of the tools: there are too many. Pass queries to search for them.",
			r.Unasked))
	}
	for _, run := range r.Runs {
		run.write(t, len(r.Queries))
	}
	for i, skip := range r.Skipped {
		if i == 0 {
			t.Line("")
			t.Line("Not searched:")
		}
		t.Fill(2, skip.Server+": "+skip.Why)
	}
	return t.Err
}

// recalls shows the share of the expected tools that each search returns, if not all.
func recalls(t *workbench.Text, r *FindResult) {
	if !slices.ContainsFunc(r.Engines, func(e FindEngine) bool { return e.Recall != nil && *e.Recall < 1 }) {
		return
	}
	row := fmt.Sprintf("%-*s", queryWidth, "returned")
	for _, e := range r.Engines {
		row += fmt.Sprintf("  %-12s", fmt.Sprintf("%d %%", int(100**e.Recall)))
	}
	t.Line(t.Bold("%s", strings.TrimRight(row, " ")))
	if r.Failed() {
		t.Line(fmt.Sprintf("The queries require %d %% from each search (min_recall).", int(100*r.minRecall)))
	}
}

func editedQueries(queries []string) string {
	if len(queries) == 1 {
		return fmt.Sprintf("the query %q", queries[0])
	}
	return fmt.Sprintf("%d queries, such as %q", len(queries), queries[0])
}

// query shows a row: the rank of the expected tool in each search, or the first tools if none is expected.
func query(t *workbench.Text, r *FindResult, q FindQuery) {
	row := fmt.Sprintf("%-*s", queryWidth, clip.Runes(report.Visible(q.Query), queryWidth))
	if len(q.Tools) == 0 {
		t.Line(strings.TrimRight(row, " "))
		for _, e := range r.Engines {
			top := q.Top[e.ID]
			t.Line(report.Line(fmt.Sprintf("  %-12s  %s", e.ID,
				cmp.Or(strings.Join(top[:min(len(top), topResults)], ", "), "no tool found"))))
		}
		return
	}
	for _, e := range r.Engines {
		switch rank := q.Ranks[e.ID]; {
		case rank == 0:
			row += fmt.Sprintf("  %-12s", "–")
		case rank > e.Limit:
			row += fmt.Sprintf("  %-12s", fmt.Sprintf("(%d)", rank))
		default:
			row += fmt.Sprintf("  %-12d", rank)
		}
	}
	t.Line(strings.TrimRight(row, " "))
}

// write shows where the search of a host differs from the reproduced one.
func (r *FindRun) write(t *workbench.Text, queries int) {
	network := "no network"
	if !r.Isolated {
		network = "not isolated from the network: " + r.NotIsolated
	}
	if r.Bridged {
		network += ", the server over stdio: mcptest passed messages on to the URL"
	}
	t.Line("")
	t.Line(report.Line(fmt.Sprintf("%s %s itself (%s): as reproduced for %d of %d queries.", r.Name, r.Version, network,
		r.Same, queries)))
	for i, d := range r.Differs {
		if i == maxProblems {
			t.Line(t.Dim("  ≠ %d more", len(r.Differs)-i))
			break
		}
		t.Fill(2, fmt.Sprintf("≠ %s: returns %s; reproduced %s", clip.Runes(report.Visible(d.Query), queryWidth),
			cmp.Or(strings.Join(d.Returned, ", "), "no tool"), cmp.Or(strings.Join(d.Reproduced, ", "), "no tool")))
	}
}
