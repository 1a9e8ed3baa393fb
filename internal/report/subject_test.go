package report

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// No format shows the subject of a finding twice in a row.
func TestSubjectOnce(t *testing.T) {
	const subject = "unknown method"
	r := &finding.Report{Engine: "conform", Rules: []finding.Rule{{ID: "RPC-003", Doc: "unknown methods must fail"}},
		Results: []finding.Result{{Rule: "RPC-003", Findings: []finding.Finding{
			{Rule: "RPC-003", Severity: finding.Error, Message: subject + ": got error -32602",
				Where: finding.Location{Subject: subject}},
			{Rule: "RPC-003", Severity: finding.Error, Message: subject + " returned a result",
				Where: finding.Location{Subject: subject}},
			{Rule: "RPC-003", Severity: finding.Error, Message: "another message",
				Where: finding.Location{Subject: subject}},
		}}}}
	// formats without the subject beside the message
	alone := map[string]bool{"json": true, "sarif": true, "tap": true, "gitlab": true, "junit": true}
	for _, format := range Formats {
		out := render(t, format, r, &Options{})
		if strings.Contains(out, subject+": "+subject) {
			t.Errorf("%s repeats the subject:\n%s", format, out)
		}
		whole := strings.Contains(out, subject+": got")
		if whole != alone[format] || !strings.Contains(out, "got error -32602") {
			t.Errorf("%s: message with its subject: %v, want %v:\n%s", format, whole, alone[format], out)
		}
	}
}
