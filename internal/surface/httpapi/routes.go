package httpapi

import (
	"reflect"

	"github.com/mcptest-dev/mcptest/internal/inspector"
)

// A Route is one thing that the page can ask for. The types of what goes in and out are known, so that the page's own types
// are made from them.
type Route struct {
	Pattern string // as http.ServeMux has it
	Doc     string
	In      reflect.Type // of the body; nil where there is none
	Out     reflect.Type // of the answer; nil where there is none
	Stream  bool         // the answer is a stream of events of the type Out
	Bytes   bool         // the answer is bytes

	limit  int64 // of the body; 0 means the usual one
	handle handler
}

// None is the answer of a route that has nothing to say.
type None struct{}

// Routes lists every route of the API.
func Routes() []Route {
	return []Route{
		declare[None, inspector.Hello]("GET /api/hello", "what this program is and can do"),
		declare[None, inspector.Servers]("GET /api/servers", "what can be connected to"),
		declare[inspector.NewServer, inspector.Server]("POST /api/servers", "add a server; nothing is started"),
		declare[None, None]("DELETE /api/servers/{server}", "remove a server that the page added"),
		declare[ImportInput, inspector.Imported]("POST /api/servers/import", "add the servers of an mcp.json or of a host's config file"),
		declare[None, Text]("GET /api/servers/export", "the servers that the page added as mcp.json; secrets are placeholders"),
		declare[ApprovalInput, inspector.Server]("POST /api/approvals", "agree to have exactly this started"),
		declare[None, None]("DELETE /api/approvals/{hash}", "take an approval back"),
		declare[None, inspector.Links]("GET /api/links", "the connections"),
		declare[inspector.NewLink, inspector.Link]("POST /api/links", "connect; answers at once, with the state connecting"),
		declare[None, inspector.Link]("GET /api/links/{link}", "one connection"),
		declare[None, inspector.Link]("POST /api/links/{link}/close", "end a connection and keep what is known of it"),
		declare[None, None]("DELETE /api/links/{link}", "end a connection and forget it"),
		declare[None, inspector.Link]("POST /api/links/{link}/reconnect", "end a connection and open it again; its calls and frames stay"),
		declare[None, inspector.List]("GET /api/links/{link}/list/{kind}", "a list: tools, resources, templates, prompts; ?fresh=1 asks the server again"),
		declare[None, inspector.ToolForm]("GET /api/links/{link}/form", "the form of ?tool="),
		declare[inspector.Typed, inspector.Examination]("POST /api/links/{link}/arguments", "what would be sent for what was typed"),
		declare[inspector.SampleInput, inspector.Examination]("POST /api/links/{link}/sample", "example arguments"),
		declare[inspector.FixInput, inspector.Examination]("POST /api/links/{link}/fix", "the arguments with a correction that is on offer"),
		declare[inspector.NewCall, inspector.Call]("POST /api/links/{link}/calls", "make a request; answers at once, with the status running"),
		declare[None, inspector.Calls]("GET /api/links/{link}/calls", "the calls, without content"),
		declare[None, None]("DELETE /api/links/{link}/calls", "forget the calls that have ended"),
		declare[None, inspector.Call]("GET /api/links/{link}/calls/{call}", "one call with its content"),
		declare[None, inspector.Call]("POST /api/links/{link}/calls/{call}/cancel", "cancel a call"),
		bytes("GET /api/links/{link}/calls/{call}/raw", "the answer, byte for byte"),
		bytes("GET /api/links/{link}/calls/{call}/content/{index}", "the decoded bytes of one block of content; ?structured=1 those of structured content"),
		declare[None, inspector.Copy]("GET /api/links/{link}/calls/{call}/copy", "the call in the words of ?as=mcptest, curl or jsonrpc"),
		declare[inspector.CompletionInput, inspector.Completion]("POST /api/links/{link}/complete", "complete an argument of a prompt or template"),
		declare[inspector.ExpandInput, inspector.Expanded]("POST /api/links/{link}/expand", "fill in a resource template"),
		declare[SubscriptionInput, inspector.Link]("POST /api/links/{link}/subscriptions", "have the updates of a resource told"),
		declare[None, inspector.Link]("DELETE /api/links/{link}/subscriptions", "end the subscription of ?uri="),
		declare[inspector.Answer, None]("POST /api/links/{link}/answers", "answer a question of the server"),
		declare[inspector.Typed, inspector.Examination]("POST /api/links/{link}/questions/{question}/examine", "what would be sent as the content of an elicitation"),
		declare[None, inspector.Roots]("GET /api/links/{link}/roots", "what we answer to roots/list"),
		declare[inspector.Roots, inspector.Roots]("PUT /api/links/{link}/roots", "change it; the server is told"),
		declare[None, inspector.Frames]("GET /api/links/{link}/frames", "rows of the timeline: ?after, limit, q, side, method, kind, call"),
		declare[None, inspector.FrameDetail]("GET /api/links/{link}/frames/{seq}", "one frame in full"),
		bytes("GET /api/links/{link}/frames/{seq}/raw", "the body of a frame, byte for byte"),
		bytes("GET /api/links/{link}/export", "all frames as ?format=jsonl or har; secrets are placeholders"),
		declare[None, inspector.Logs]("GET /api/links/{link}/logs", "the server's log messages"),
		declare[None, inspector.Stderr]("GET /api/links/{link}/stderr", "the end of its standard error"),
		declare[inspector.NewTranscript, inspector.Link]("POST /api/transcripts", "look at a transcript: a link in the state offline"),
		stream[None, inspector.Event]("GET /api/events", "what happens, from ?after= on"),
		stream[inspector.RunInput, inspector.RunEvent]("POST /api/run/{operation...}", "run an operation"),
		declare[inspector.GatewayInput, inspector.GatewayState]("POST /api/gateway", "the state of a running gateway"),
	}
}
