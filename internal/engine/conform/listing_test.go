package conform

import (
	"encoding/json"
	"testing"

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
