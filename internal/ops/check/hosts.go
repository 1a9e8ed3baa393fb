package check

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// arrivals returns what reaches the model of each host; see hosts.Arrivals for the ends of the pages.
func arrivals(server string, catalog *lint.Catalog, ends []int) []hosts.Arrival {
	if len(catalog.Tools) == 0 {
		return nil
	}
	return hosts.Arrivals(server, readTools(catalog), ends)
}

func readTools(catalog *lint.Catalog) []hosts.Tool {
	tools := make([]hosts.Tool, len(catalog.Tools))
	for i, t := range catalog.Tools {
		tools[i] = hosts.Read(t.Raw)
	}
	return tools
}

// warnOfHosts makes errors of the rules of one host or API warnings: the protocol allows what they report, and the other hosts
// serve the tool. What costs measured hosts all tools against the protocol is an error of hosts/server-lost.
func warnOfHosts(findings []finding.Finding) {
	for i := range findings {
		f := &findings[i]
		if _, ofHost := hosts.Find(finding.Family(f.Rule)); ofHost && f.Severity.AtLeast(finding.Error) {
			f.Severity = finding.Warning
		}
	}
}

// writesLate reports whether the server writes lines that are not messages to stdout after its first message.
func (c *checkRun) writesLate() bool {
	return c.printsInCalls || mcp.LateOutput(c.session.Transcript().Since(0))
}

// maxDropped is the number of dropped tools that a line names.
const maxDropped = 3

// writeHosts shows a line per host: how many tools reach its model, and why the others do not.
func writeHosts(t *workbench.Text, all []hosts.Arrival) {
	if len(all) == 0 {
		return
	}
	t.Line("Tools that reach the model, by host:")
	for _, a := range all {
		head := fmt.Sprintf("  %-28s  ", a.Name+" "+a.Version)
		line := fmt.Sprintf("%s%d of %d", head, a.Arrived, a.Tools)
		switch lost := lostTools(a); {
		case lost == "":
			t.Line(t.Good("%s", line))
		case a.Arrived == 0:
			hostLine(t, len(head), t.Bad("%s", line), lost)
		default:
			hostLine(t, len(head), line, lost)
		}
	}
	t.Line("")
}

// hostLine writes what reaches a host and what does not; further lines are below the first number.
func hostLine(t *workbench.Text, indent int, line, lost string) {
	parts := strings.SplitAfter(report.Line(lost), " ")
	parts[0] = line + parts[0]
	t.Parts(indent, parts...)
}

// lostTools returns why tools do not reach the model of a host; empty if all do.
func lostTools(a hosts.Arrival) string {
	if a.Blame != nil {
		return ": " + strings.TrimPrefix(a.Blame.Tool+": ", ": ") + a.Blame.Why
	}
	var parts []string
	for i, loss := range a.Dropped {
		if i == maxDropped {
			parts = append(parts, fmt.Sprintf("%d more", len(a.Dropped)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", loss.Tool, loss.Why))
	}
	text := ""
	if len(parts) > 0 {
		text = "; dropped: " + strings.Join(parts, ", ")
	}
	if a.Unread > 0 {
		text += fmt.Sprintf("; not read: %s after page %d of tools/list", workbench.Plural(a.Unread, "tool"), a.Pages)
	}
	return text
}
