package suite

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// relevant returns the findings of an engine that a target counts.
func relevant(at outcome.Path, seen []finding.Finding) []finding.Finding {
	if len(at) == 0 {
		return seen
	}
	var counts func(f finding.Finding) bool
	isSchema := func(f finding.Finding) bool { return finding.Family(f.Rule) == "SCH" }
	switch name := at[0]; {
	case name == "rule" && len(at) > 1:
		counts = func(f finding.Finding) bool { return f.Rule == at[1] }
	case name == "severity" && len(at) > 1:
		counts = func(f finding.Finding) bool { return string(f.Severity) == at[1] }
	case name == "tool" && len(at) > 1:
		counts = func(f finding.Finding) bool { return f.Where.Subject == at[1] }
	case name == "critical_count", name == "warning_count", name == "schema_criticals", name == "schema_warnings":
		severity, ofSchema := finding.Critical, strings.HasPrefix(name, "schema_")
		if strings.Contains(name, "warning") {
			severity = finding.Warning
		}
		counts = func(f finding.Finding) bool { return f.Severity == severity && isSchema(f) == ofSchema }
	default:
		return seen
	}
	var all []finding.Finding
	for _, f := range seen {
		if counts(f) {
			all = append(all, f)
		}
	}
	return all
}

// A findingList lists findings with failed expectations, each once.
type findingList struct{ shown map[string]bool }

// of lists the findings that a target counts and that were not listed before.
func (l *findingList) of(at outcome.Path, seen []finding.Finding) []string {
	if l.shown == nil {
		l.shown = map[string]bool{}
	}
	all := relevant(at, seen)
	var fresh []finding.Finding
	for _, f := range all {
		if key := f.Rule + "\x00" + f.Where.Subject + "\x00" + f.Message; !l.shown[key] {
			l.shown[key] = true
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 && len(all) > 0 {
		return []string{"its findings are listed above"}
	}
	return listed(fresh)
}
