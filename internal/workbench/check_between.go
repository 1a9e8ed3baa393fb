package workbench

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// acrossServers are the rules that see something only where the tools of several servers lie side by side.
var acrossServers = []string{"SEC-010", "SEC-014"}

// A toolbox is the tools that one host puts before a model, server by server.
type toolbox map[string][]*lint.Catalog

// add puts the tools of a server with those of the host that has it, under the name that it has there.
func (b toolbox) add(host, server string, tools *lint.Catalog) {
	if tools == nil {
		return
	}
	named := *tools
	named.Name = server
	b[host] = append(b[host], &named)
}

// between finds what the servers of a host do to each other.
func (b toolbox) between(ctx context.Context) []finding.Finding {
	var found []finding.Finding
	for _, host := range slices.Sorted(maps.Keys(b)) {
		found = append(found, lint.Run(ctx, lint.Join(b[host]...), &lint.Options{Rules: acrossServers}).Findings()...)
	}
	return found
}

// mostBetween is how many findings between servers stand under the table.
const mostBetween = 10

// between tells what servers do to each other, below the table.
func (t *text) between(found []finding.Finding) {
	if len(found) == 0 {
		return
	}
	t.line("")
	t.line("between servers of one host")
	for _, f := range found[:min(len(found), mostBetween)] {
		t.show(fmt.Sprintf("  %-8s  %s  %s: %s", f.Severity, f.Rule, f.Where.Subject, f.Message))
	}
	if more := len(found) - mostBetween; more > 0 {
		t.line(fmt.Sprintf("  and %d more, which --json has", more))
	}
}
