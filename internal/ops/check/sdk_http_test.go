package check

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A server at a URL has no files to recognize its SDK by. The words of the Go SDK in the response to an unknown method
// show that the error is not the author's.
func TestGoSDKOverHTTP(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
	s.AddTool(&mcp.Tool{Name: "read_note", Description: "Returns the note.", InputSchema: map[string]any{"type": "object"},
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Buy milk"}}}, nil
		})
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	defer server.Close()
	r, text := checked(t, &Input{Connection: workbench.Connection{Target: server.URL, Protocol: "2025-11-25"}})
	if r.SDK == nil || r.SDK.Name != "Go SDK" || r.SDK.Certain {
		t.Errorf("SDK %+v, expected the Go SDK, not certain", r.SDK)
	}
	i := slices.IndexFunc(r.Groups, func(g Group) bool { return g.Rule == "RPC-003" })
	if i < 0 || r.Groups[i].Severity != finding.Error || r.Groups[i].Origin != "Go SDK" {
		t.Errorf("RPC-003 is not an error of the SDK: %+v", r.Groups)
	}
	if r.Word != CheckPassed {
		t.Errorf("%s, expected %s\n%s", r.Word, CheckPassed, text)
	}
}
