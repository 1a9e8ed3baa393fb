package hosttools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// contextBudget returns the context that a server takes in each host that was run.
func contextBudget(in *HostsInput, source *engines.ToolSource) (*HostViews, error) {
	wanted, err := selectHosts(workbench.Commas(in.Host))
	if err != nil {
		return nil, err
	}
	tools := make([]hosts.Tool, len(source.Catalog.Tools))
	for i, t := range source.Catalog.Tools {
		tools[i] = hosts.Read(t.Raw)
	}
	all := hosts.Budgets(ServerName(&in.Connection, in.As), source.Instructions, tools)
	all = slices.DeleteFunc(all, func(b hosts.Budget) bool {
		return !slices.ContainsFunc(wanted, func(p hosts.Profile) bool { return p.ID == b.Host })
	})
	if len(all) == 0 {
		return nil, &workbench.UsageError{Message: "--host: none of these was run, so that its context is not known",
			Hint: "pass a TOOL, or use {--host} codex,claude-code"}
	}
	return &HostViews{Views: []HostView{}, Budgets: all, maxTokens: in.MaxTokens}, nil
}

// overBudget returns the hosts in which a server takes more than a number of tokens.
func overBudget(all []hosts.Budget, most int) []hosts.Budget {
	return slices.DeleteFunc(slices.Clone(all), func(b hosts.Budget) bool { return most == 0 || b.Total <= most })
}

// OverBudget returns why a server takes too much context; empty if it does not.
func OverBudget(all []hosts.Budget, most int) string {
	over := overBudget(all, most)
	if len(over) == 0 {
		return ""
	}
	worst := slices.MaxFunc(over, func(a, b hosts.Budget) int { return a.Total - b.Total })
	return fmt.Sprintf("about %d tokens of context in %s, expected at most %d", worst.Total, worst.Name, most)
}

// writeBudgets writes a line per host.
func writeBudgets(t *workbench.Text, views *HostViews) {
	if len(views.Budgets) == 0 {
		return
	}
	t.Line("Tokens of context (" + hosts.TokenError + "):")
	t.Line("")
	t.Line(t.Bold("  %-28s %9s %12s %13s %8s", "host", "tools", "definitions", "instructions", "total"))
	searches := false
	for _, b := range views.Budgets {
		mark := ""
		if b.Search != "" {
			mark, searches = "*", true
		}
		line := fmt.Sprintf("  %-28s %9s %12s %13s %8d", b.Name+" "+b.Version, fmt.Sprintf("%d of %d", b.Arrived, b.Tools),
			fmt.Sprint(b.Definitions, mark), instructionTokens(b), b.Total)
		if views.maxTokens > 0 && b.Total > views.maxTokens {
			line = t.Bad("%s", line)
		}
		t.Line(strings.TrimRight(line, " "))
	}
	t.Line("")
	if searches {
		t.Line(t.Dim("* the model searches for tools by default: only definitions that it finds enter the context"))
	}
	t.Line("Long results:")
	for _, b := range views.Budgets {
		t.Line(fmt.Sprintf("  %-28s %s", b.Name, b.Result))
	}
	if why := OverBudget(views.Budgets, views.maxTokens); why != "" {
		t.Line("")
		t.Line(t.Bad("failed: %s", why))
	}
}

// instructionTokens returns the tokens of the instructions, and whether they are complete.
func instructionTokens(b hosts.Budget) string {
	switch {
	case b.Omitted > 0 && b.Instructions == 0:
		return "not shown"
	case b.Omitted > 0:
		return fmt.Sprintf("%d (cut)", b.Instructions)
	}
	return fmt.Sprint(b.Instructions)
}
