package hosttools

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/engine/find"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A FindBlock is what a find block of a suite asks for.
type FindBlock struct {
	Queries   []FindExpected `json:"queries"`
	MinRecall *float64       `json:"min_recall"`
	As        string         `json:"as"`
}

// A FindExpected is a query with the tools that each search should return.
type FindExpected struct {
	Query string   `json:"query" yaml:"query"`
	Tools []string `json:"tools" yaml:"tools"`
}

// RunFindBlock ranks the tools of a server. Its figures are the recall of each search, and how many of them are below
// min_recall; there is a finding for each expected tool that a search does not return.
func RunFindBlock(ctx context.Context, w *workbench.Workbench, c *workbench.Connection, block *FindBlock) (map[string]any,
	[]finding.Finding, error) {
	least := 1.0
	if block.MinRecall != nil {
		least = *block.MinRecall
	}
	if least < 0 || least > 1 {
		return nil, nil, &workbench.UsageError{Message: fmt.Sprintf("with: min_recall is %v, expected a number from 0 to 1",
			least)}
	}
	tools, err := toolsOf(ctx, w, c, ServerName(c, block.As))
	if err != nil {
		return nil, nil, err
	}
	queries, err := expectedQueries(tools, block.Queries)
	if err != nil {
		return nil, nil, fmt.Errorf("with: %w", err)
	}
	if len(queries) == 0 {
		queries, _ = find.OwnQueries(tools)
	}
	r := rankTools(ctx, tools, queries, false)
	r.minRecall = least
	return r.figures(), r.misses(), ctx.Err()
}

// figures are the values that a block can check.
func (r *FindResult) figures() map[string]any {
	recall, lost, failing := map[string]float64{}, map[string]int{}, 0
	for _, e := range r.Engines {
		lost[e.ID] = len(e.Lost)
		if e.Recall == nil {
			continue
		}
		if recall[e.ID] = *e.Recall; *e.Recall < r.minRecall {
			failing++
		}
	}
	return map[string]any{"recall": recall, "lost": lost, "failing": failing, "min_recall": r.minRecall,
		"queries": len(r.Queries)}
}

// misses are the queries for which a search returns none of the expected tools.
func (r *FindResult) misses() []finding.Finding {
	var all []finding.Finding
	for _, q := range r.Queries {
		for _, e := range r.Engines {
			if rank := q.Ranks[e.ID]; len(q.Tools) > 0 && (rank == 0 || rank > e.Limit) {
				all = append(all, finding.Finding{Rule: "suite/find", Severity: finding.Warning,
					Where:   finding.Location{Subject: q.Tools[0]},
					Message: fmt.Sprintf("%s does not return %s for %q", e.Name, q.Tools[0], q.Query)})
			}
		}
	}
	return all
}
