package demo

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestSDKClientListsAndCalls(t *testing.T) {
	for _, revision := range revisions() {
		t.Run(revision, func(t *testing.T) {
			s := session(t, "demo", revision, nil)
			count := 0
			for tool, err := range s.Tools(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				t.Log(tool.Name)
				count++
			}
			if count < 2*pageSize {
				t.Errorf("%d tools, want enough for several pages of %d", count, pageSize)
			}
			res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"message": "a\u2028<b>\"\\"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Content[0].(*mcp.TextContent).Text; got != "a\u2028<b>\"\\" {
				t.Errorf("echo = %q", got)
			}
		})
	}
}
