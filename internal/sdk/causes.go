package sdk

import (
	"slices"
	"strings"
)

// cursors are the rules about a cursor that the server never issued. Most SDKs ignore it.
var cursors = []string{"TOOL-004", "RES-004", "TMPL-003", "PROMPT-004"}

// IsAboutCursors reports whether a rule is about a cursor that the server never issued.
func IsAboutCursors(rule string) bool { return slices.Contains(cursors, rule) }

// unknownItems are the rules about a tool, resource or prompt that does not exist.
var unknownItems = []string{"TOOL-009", "RES-007", "PROMPT-007"}

// authorAnswered reports whether the text of a finding shows that the author's code returned a result for something that
// does not exist. An SDK returns an error, or a result with isError.
func authorAnswered(rule, text string) bool {
	message, _, _ := strings.Cut(text, "\n")
	return slices.Contains(unknownItems, rule) && strings.HasSuffix(message, "got a result")
}

// deepNesting is part of the arguments that a fuzzed call has if only their depth matters: their first ten levels.
var deepNesting = strings.Repeat(`{"a":`, 10)

// pythonCauses are those of the Python SDK before 2, which FastMCP before 4 is built on.
func pythonCauses(before int) []Cause {
	return []Cause{
		{Rules: []string{"RPC-003"}, Contains: "Invalid request parameters", Own: true, Before: before},
		{Rules: []string{"RPC-008"}, Contains: " validation errors for JSONRPCMessage", Own: true, Before: before},
		// the ID of errors about the HTTP request
		{Rules: []string{"RPC-014"}, Contains: `with id "server-error"`, Own: true, Before: before},
		{Rules: []string{"RPC-014"}, Contains: "Request cancelled", Own: true, Before: before},
		{Rules: []string{"RES-007"}, Contains: "error 0: ", Before: before},
		// what the SDK sends after a frame that it cannot read
		{Rules: []string{"LOG-005"}, Contains: `"logger":"mcp.server.exception_handler"`, Own: true, Before: before},
		{Rules: []string{"CANCEL-001", "TASK-008"}, Before: before},
		{Rules: []string{"CANCEL-003"}, Contains: "the server exited", Before: before},
		{Rules: []string{"RUN-002"}, Contains: "server lost during CANCEL-00", Before: before},
		{Rules: []string{"FUZZ-002"}, Contains: "for JSONRPCMessage\n  Invalid JSON: recursion limit exceeded",
			Own:    true,
			Before: before},
	}
}

// idCauses are those of the Python SDK over HTTP: it stores the stream of a request under the text of its ID.
var idCauses = []Cause{{Rules: []string{"RPC-019"}, Contains: "no response to ", Own: true}}

// headerCauses are those of the Python SDK 2, which chooses the protocol by the header alone: for an older revision it requires a
// session, or does not know server/discover.
var headerCauses = []Cause{
	{Rules: []string{"HTTP-013"}, Contains: `"message":"Bad Request: Missing session ID"`, Own: true},
	{Rules: []string{"HTTP-013"}, Contains: `"message":"Method not found","data":"server/discover"`, Own: true},
}

// causes lists what servers of an SDK were observed to do, independently of their own code. docs/conform.md describes
// them.
var causes = map[string][]Cause{
	TypeScript: {
		{Rules: cursors},
		{Rules: []string{"TOOL-009"}, Reported: "https://github.com/modelcontextprotocol/typescript-sdk/issues/1510"},
		{Rules: []string{"PROMPT-013"}, Contains: "requested without arguments: expected messages as for {}, got error -32602: MCP error -32602: " +
			"Invalid arguments for prompt ", Reported: "https://github.com/modelcontextprotocol/typescript-sdk/issues/1869"},
		{Rules: []string{"LIFE-004", "RPC-010", "RPC-016", "TOOL-012", "TOOL-019", "RES-007", "RES-011", "LOG-002",
			"TASK-008"}},
		{Rules: []string{"STDIO-002"}, Contains: "roots/list"},
	},
	TypeScript2: {
		{Rules: cursors},
		{Rules: []string{"LIFE-004", "LIFE-021", "LIFE-022", "LIFE-023", "CANCEL-001", "CANCEL-002", "RPC-016",
			"RES-007", "RES-011", "LOG-002"}},
		{Rules: []string{"STDIO-002"}, Contains: "roots/list"},
	},
	FastMCPNode: {
		{Rules: cursors},
		{Rules: []string{"LIFE-004", "RPC-010", "RPC-016", "LOG-003", "TOOL-009", "RES-007", "PROMPT-007"}},
	},
	MCPFramework: {
		{Rules: cursors},
		{Rules: []string{"LIFE-004", "RPC-010", "RPC-016", "HTTP-021"}},
	},
	MCPLite: {{Rules: cursors}},
	Python: slices.Concat(pythonCauses(2), headerCauses, idCauses, []Cause{
		{Rules: cursors},
		{Rules: []string{"FUZZ-002"}, Contains: deepNesting, Own: true}, // its parser reads them before any tool
		{Rules: []string{"TOOL-009"}, Reported: "https://github.com/modelcontextprotocol/python-sdk/pull/1149"},
		{Rules: []string{"TOOL-015"}, Contains: `wraps a value as "result"`},
		{Rules: []string{"PROMPT-007", "PROMPT-008"}, Contains: "got error "},
		{Rules: []string{"RPC-009", "RPC-016", "HTTP-013"}},
	}),
	FastMCP: slices.Concat(pythonCauses(4), headerCauses, idCauses, []Cause{
		// versions before 3 do not say in the schema that they forbid undeclared arguments
		{Rules: []string{"FUZZ-027"}, Contains: "Unexpected keyword argument [type=unexpected_keyword_argument", Own: true},
		{Rules: cursors},
		{Rules: []string{"FUZZ-002"}, Contains: deepNesting, Own: true}, // its parser reads them before any tool
		{Rules: []string{"TOOL-015"}, Contains: `wraps a value as "result"`},
		{Rules: []string{"PROMPT-007", "PROMPT-008"}, Contains: "got error "},
		{Rules: []string{"TOOL-009", "RPC-009", "RPC-016", "HTTP-013"}},
	}),
	Go: {
		{Rules: []string{"RPC-003"}, Contains: `JSON RPC not handled: "`, Own: true},
		{Rules: []string{"LIFE-022"}, Contains: `"Bad Request: Unsupported protocol version (supported versions: `, Own: true},
		{Rules: []string{"HTTP-025"}, Contains: "header mismatch: Mcp-Name header value '", Own: true},
		{Rules: []string{"RPC-005"}, Reported: "https://github.com/modelcontextprotocol/go-sdk/issues/1209"},
		{Rules: []string{"FUZZ-023"}, Contains: "rounded: "}, // it decodes arguments twice, first as floating-point numbers
		{Rules: []string{"LIFE-010", "LIFE-022", "LIFE-023", "LIFE-028", "LIFE-029", "RPC-003", "RPC-007", "RPC-010",
			"HTTP-025", "HTTP-030", "RES-007", "LOG-002"}},
		{Rules: []string{"PROMPT-008", "COMP-002"}, Contains: "error 0: "}, // the code of each plain error
	},
	MCPGo: {
		{Rules: []string{"LIFE-022"}, Contains: `400 Bad Request (text/plain): "Unsupported protocol version: `, Own: true},
		{Rules: []string{"PROMPT-008", "LIFE-022", "LIFE-023", "LIFE-028", "LIFE-029", "HTTP-030"}},
	},
	Rust: {
		{Rules: cursors},
		{Rules: []string{"LIFE-026", "CANCEL-001", "CANCEL-002", "RPC-009", "RPC-013", "RPC-016", "RPC-017",
			"TOOL-012"}},
	},
}
