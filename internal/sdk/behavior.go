package sdk

import (
	"bytes"
	"encoding/json"
	"strings"
)

// UnknownTool is the name of a tool that no server has. The response to a call of it differs between SDKs.
const UnknownTool = "mcptest-no-such-tool"

// UnknownMethod is a method that no server has.
const UnknownMethod = "mcptest/no-such-method"

// Observed is what a server sent that may be characteristic of its SDK.
type Observed struct {
	ServerInfo, Capabilities json.RawMessage
	Result                   json.RawMessage // of a call of UnknownTool; nil if it failed with an error
	Error                    string          // the message of that error
	Unhandled                Response        // to UnknownMethod over HTTP
}

// A Response over HTTP.
type Response struct {
	Text   string          // the message of the error, or the body if it is not a message
	Data   json.RawMessage // of the error
	Server string          // the header that names the HTTP server
}

// Inferred recognizes the SDK from what the server sent; nil if nothing is characteristic. The texts of some SDKs are
// those that most authors write, too ("Unknown tool: x" is an example of the specification). They identify the SDK only
// together with the capabilities that it declares for all of its servers.
func Inferred(o Observed) *SDK {
	var info struct{ Name, Version string }
	if json.Unmarshal(o.ServerInfo, &info) == nil && info.Name == "rmcp" {
		return &SDK{Name: Rust, Version: info.Version, Evidence: "its default serverInfo"}
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	failed := ""
	if json.Unmarshal(o.Result, &result) == nil && result.IsError && len(result.Content) == 1 {
		failed = result.Content[0].Text
	}
	const evidence = "its response to an unknown tool"
	switch {
	case strings.Contains(failed, `MCP error -32602: Tool `+UnknownTool+` not found`):
		return &SDK{Name: TypeScript, Evidence: evidence}
	case strings.Contains(o.Error, `tool '`+UnknownTool+`' not found: tool not found`):
		return &SDK{Name: MCPGo, Evidence: evidence}
	}
	if strings.TrimSpace(o.Unhandled.Text) == `JSON RPC not handled: "`+UnknownMethod+`" unsupported` {
		return &SDK{Name: Go, Evidence: "its response to an unknown method"}
	}
	const both = evidence + " and its capabilities"
	switch {
	case failed == `Unknown tool: `+UnknownTool && o.declaresAllFlags():
		return &SDK{Name: Python, Evidence: both}
	case failed == `Unknown tool: '`+UnknownTool+`'` && o.declaresAllFlags():
		return &SDK{Name: FastMCP, Evidence: both}
	case o.Error == `unknown tool "`+UnknownTool+`"` && o.declaresLogging():
		return &SDK{Name: Go, Evidence: both}
	case strings.TrimSpace(o.Unhandled.Text) == "Invalid request parameters", o.Unhandled.repeatsMethod() && o.Unhandled.Server == "uvicorn":
		return &SDK{Name: Python, Evidence: "its response to an unknown method"}
	}
	return nil
}

// repeatsMethod reports whether the response says that the method was not found and repeats it as the data of the error, as the Python SDK
// does from 2.0 on. Others may do the same, but not with the HTTP server of that SDK.
func (r *Response) repeatsMethod() bool {
	return r.Text == "Method not found" && string(r.Data) == `"`+UnknownMethod+`"`
}

// declaresAllFlags reports whether the server declares tools, prompts and resources with all their flags, true or false,
// as the Python SDKs do for every server, whatever it offers.
func (o *Observed) declaresAllFlags() bool {
	var declared struct {
		Tools, Prompts, Resources struct{ ListChanged, Subscribe *bool }
	}
	return json.Unmarshal(o.Capabilities, &declared) == nil && declared.Tools.ListChanged != nil &&
		declared.Prompts.ListChanged != nil && declared.Resources.ListChanged != nil &&
		declared.Resources.Subscribe != nil
}

// declaresLogging reports whether the server declares logging, and changes of its tools, as the Go SDK does for every
// server with tools.
func (o *Observed) declaresLogging() bool {
	var declared struct {
		Logging json.RawMessage
		Tools   struct{ ListChanged bool }
	}
	return json.Unmarshal(o.Capabilities, &declared) == nil && declared.Tools.ListChanged &&
		bytes.Equal(bytes.TrimSpace(declared.Logging), []byte("{}"))
}
