package conform

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// TestSameView ignores times, because a server may record when it was used, and nothing else.
func TestSameView(t *testing.T) {
	view := func(text string) *mcp.Exchange {
		return &mcp.Exchange{Reply: &mcp.Message{Result: []byte(`{"content":[{"type":"text","text":"` + text + `"}]}`)}}
	}
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{
		"equal":           {"one", "one", true},
		"another text":    {"one", "two", false},
		"another number":  {"read 1 times", "read 2 times", false},
		"another time":    {"m since 2026-11-17T09:15:01.123456", "m since 2026-11-17T09:15:02.654321", true},
		"another second":  {"at 1763370901", "at 1763370955", true},
		"time and number": {"2 at 09:15", "3 at 09:16", false},
	} {
		if got := sameView(view(c.a), view(c.b)); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
