package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// acrossServers are the rules that compare the tools of several servers.
var acrossServers = []string{"SEC-010", "SEC-014"}

// A hostTools is the tools that a host presents to a model, by server.
type hostTools map[string][]*lint.Catalog

// add adds the tools of a server to those of its host, under the server's name in that host.
func (b hostTools) add(host, server string, tools *lint.Catalog) {
	if tools == nil {
		return
	}
	named := *tools
	named.Name = server
	b[host] = append(b[host], &named)
}

// between finds conflicts between the servers of a host.
func (b hostTools) between(ctx context.Context) []finding.Finding {
	var found []finding.Finding
	for _, host := range slices.Sorted(maps.Keys(b)) {
		found = append(found, lint.Run(ctx, lint.Join(b[host]...), &lint.Options{Rules: acrossServers}).Findings()...)
	}
	return found
}

// maxBetween is how many conflicts between servers are listed below the table.
const maxBetween = 10

// between shows conflicts between servers, below the table.
func between(t *workbench.Text, found []finding.Finding) {
	if len(found) == 0 {
		return
	}
	t.Line("")
	t.Line("conflicts between servers")
	for _, f := range found[:min(len(found), maxBetween)] {
		t.Line(report.Line(fmt.Sprintf("  %-8s  %s  %s", f.Severity, f.Rule, f.Line())))
	}
	if more := len(found) - maxBetween; more > 0 {
		t.Line(fmt.Sprintf("  and %d more (use --json to list them)", more))
	}
}
