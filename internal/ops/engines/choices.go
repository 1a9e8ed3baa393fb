package engines

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Choices lists the allowed values of an input field; nil if any value is allowed.
func Choices(field string) []string {
	switch field {
	case "protocol":
		return append([]string{mcp.Auto}, spec.IDs()...)
	case "log_level":
		return workbench.LogLevels
	case "extensions":
		return append(slices.Clone(workbench.ExtensionNames), workbench.NoExtensions)
	case "format":
		return report.Formats
	case "fix_mode":
		return texts(lint.Modes())
	case "severity":
		return texts(finding.Severities)
	case "host":
		return append(hosts.IDs(), "all")
	case "rule":
		return eachRule(func(r finding.Rule) string { return r.ID })
	case "family":
		return slices.Compact(eachRule(finding.Rule.Family))
	}
	return nil
}

// RuleNames are the families and IDs that select rules of a command.
func RuleNames(command string) []string {
	var rules []finding.Rule
	switch command {
	case "schema-lint":
		for _, r := range lint.Rules() {
			rules = append(rules, r.Rule)
		}
	case "conform":
		for _, c := range conform.Checks() {
			rules = append(rules, c.Rule)
		}
	default:
		rules = AllRules()
	}
	var families, ids []string
	for _, r := range rules {
		families, ids = append(families, r.Family()), append(ids, r.ID)
	}
	return append(slices.Compact(families), ids...)
}

func texts[S ~string](values []S) []string {
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = string(value)
	}
	return all
}

func eachRule(name func(finding.Rule) string) []string {
	var all []string
	for _, r := range AllRules() {
		all = append(all, name(r))
	}
	return all
}
