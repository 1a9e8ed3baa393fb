package sdk

import (
	"encoding/json"
	"strings"
)

// UnknownTool is the name of a tool that no server has. The response to a call of it differs between SDKs.
const UnknownTool = "mcptest-no-such-tool"

// Inferred recognizes the SDK from what the server sends: its serverInfo, and its response to a call of UnknownTool.
// nil if neither is characteristic.
func Inferred(serverInfo, response json.RawMessage) *SDK {
	var info struct{ Name, Version string }
	if json.Unmarshal(serverInfo, &info) == nil && info.Name == "rmcp" {
		return &SDK{Name: Rust, Version: info.Version, Evidence: "its default serverInfo"}
	}
	const evidence = "its response to an unknown tool"
	for _, known := range []struct{ text, name string }{
		{`MCP error -32602: Tool ` + UnknownTool + ` not found`, TypeScript},
		{`"Unknown tool: ` + UnknownTool + `"`, Python},
		{`"Unknown tool: '` + UnknownTool + `'"`, FastMCP},
		{`"unknown tool \"` + UnknownTool + `\""`, Go},
		{`"tool '` + UnknownTool + `' not found: tool not found"`, MCPGo},
	} {
		if strings.Contains(string(response), known.text) {
			return &SDK{Name: known.name, Evidence: evidence}
		}
	}
	return nil
}
