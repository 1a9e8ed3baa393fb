package conform

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An item is shown with the page that it came with, whatever stands on the others. Pages are not searched for it: a
// server could list so much that this never ends.
func TestPageOfAnItem(t *testing.T) {
	raw := json.RawMessage(`{"name":"echo"}`)
	page := func(seq int) *mcp.Exchange {
		return &mcp.Exchange{Reply: &mcp.Message{Frame: wire.Frame{Seq: seq},
			Result: json.RawMessage(`{"tools":[{"name":"echo"}]}`)}}
	}
	list := &mcp.List{Pages: []*mcp.Exchange{page(4), page(6)}}
	for i, seq := range []int{4, 6} {
		if got := pageOf(list, mcp.Item{Raw: raw, Frame: seq}); got != list.Pages[i] {
			t.Errorf("the item of frame %d is on the page of frame %d", seq, got.Reply.Frame.Seq)
		}
	}
}

// An empty page is reported only if it is the last one.
func TestAnEmptyPageBeforeOthersIsAllowed(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		out, err := judged(t, mutant{defect: emptyMiddle}.target(t, "empty", OnPipe), calm(revision, "TOOL-003"))
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Report.Results) != 1 || out.Report.Results[0].Status() != finding.Passed {
			t.Errorf("%s: %+v, expected TOOL-003 to pass", revision, out.Report.Results)
		}
	}
}
