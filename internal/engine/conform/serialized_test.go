package conform

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestUnserializedArgument has a tool that prints arguments of a wrong type as JavaScript does: TOOL-029 does not count
// them, since only mcptest sends them. TOOL-011 reports that they are accepted.
func TestUnserializedArgument(t *testing.T) {
	t.Parallel()
	prints := mutant{defect: instead("tools/call", func(c *exemplar.Call) []byte {
		switch a := At(c.Params, "/arguments/a"); {
		case schema.TextAt(c.Params, "/name") != "sum":
			return c.Refuse(-32602, "another tool")
		case schema.Kind(a) == '{' || schema.Kind(a) == '"' || schema.Kind(a) == '[':
			return c.Result(`{"content":[{"type":"text","text":"[object Object]"}]}`)
		}
		return c.Result(`{"content":[{"type":"text","text":"3"}]}`)
	})}
	out, err := judged(t, prints.target(t, "TOOL-029", OnPipe), calm("2025-03-26", "TOOL-029", "TOOL-011"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		want := map[string]finding.Status{"TOOL-011": finding.Failed, "TOOL-029": finding.Passed}[r.Rule]
		if r.Status() != want {
			t.Errorf("%s %s: %s%s; want %s", r.Rule, r.Status(), r.Broken+r.Skipped, shown(r.Findings), want)
		}
	}
}
