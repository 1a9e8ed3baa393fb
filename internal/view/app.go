package view

import "github.com/mcptest-dev/mcptest/internal/appview"

// A NewApp opens the view of a tool.
type NewApp struct {
	Tool      string `json:"tool"`
	Reference bool   `json:"reference,omitempty"` // with the policy of the reference host
}

// An App is an open view of MCP Apps.
type App struct {
	ID          string            `json:"id"`
	Tool        string            `json:"tool"`
	ToolJSON    string            `json:"tool_json"` // its definition
	URI         string            `json:"uri"`
	FrameURL    string            `json:"frame_url"` // what the page loads in a frame
	FrameOrigin string            `json:"frame_origin"`
	Bytes       int               `json:"bytes"` // of the HTML
	Policy      string            `json:"policy"`
	CSP         appview.CSP       `json:"csp"` // what is allowed of what is declared
	Permissions []string          `json:"permissions"`
	Features    []string          `json:"features"` // for the allow attribute of the frame
	Problems    []string          `json:"problems"` // declarations that were ignored
	Blocked     []appview.Blocked `json:"blocked"`
	Version     string            `json:"version"` // of mcptest
}

// An AppRequest is a request of a view for the server.
type AppRequest struct {
	Method     string `json:"method"`
	ParamsJSON string `json:"params_json,omitempty"`
}

// An AppReply is what the view receives for it: one of both.
type AppReply struct {
	ResultJSON string `json:"result_json,omitempty"`
	ErrorJSON  string `json:"error_json,omitempty"`
	Call       int    `json:"call,omitempty"` // its number in the history
}
