package spec

import "slices"

// A Side is a client or a server.
type Side int

// The sides.
const (
	Client Side = iota
	Server
)

// A Method is a request or a notification that a revision has.
type Method struct {
	Name         string
	From         []Side // who may send it
	Notification bool

	params, result string // types of shapes.txt; result is empty for a notification
	since, until   string
}

// methods lists the methods of all revisions.
func methods() []Method {
	client, server, both := []Side{Client}, []Side{Server}, []Side{Client, Server}
	const handshake = "2025-11-25" // the last revision with one
	return []Method{
		{Name: "initialize", From: client, params: "InitializeParams", result: "InitializeResult", until: handshake},
		{Name: "server/discover", From: client, params: "Params", result: "DiscoverResult", since: "2026-07-28"},
		{Name: "ping", From: both, params: "Params", result: "Result", until: handshake},
		{Name: "tools/list", From: client, params: "ListParams", result: "ListToolsResult"},
		{Name: "tools/call", From: client, params: "CallToolParams", result: "CallToolResult"},
		{Name: "resources/list", From: client, params: "ListParams", result: "ListResourcesResult"},
		{Name: "resources/templates/list", From: client, params: "ListParams", result: "ListResourceTemplatesResult"},
		{Name: "resources/read", From: client, params: "ReadResourceParams", result: "ReadResourceResult"},
		{Name: "resources/subscribe", From: client, params: "ResourceParams", result: "Result", until: handshake},
		{Name: "resources/unsubscribe", From: client, params: "ResourceParams", result: "Result", until: handshake},
		{Name: "subscriptions/listen", From: client, params: "ListenParams", result: "ListenResult",
			since: "2026-07-28"},
		{Name: "prompts/list", From: client, params: "ListParams", result: "ListPromptsResult"},
		{Name: "prompts/get", From: client, params: "GetPromptParams", result: "GetPromptResult"},
		{Name: "completion/complete", From: client, params: "CompleteParams", result: "CompleteResult"},
		{Name: "logging/setLevel", From: client, params: "SetLevelParams", result: "Result", until: handshake},
		{Name: "tasks/get", From: both, params: "TaskParams", result: "TaskResult", since: handshake, until: handshake},
		{Name: "tasks/result", From: both, params: "TaskParams", result: "Result", since: handshake, until: handshake},
		{Name: "tasks/list", From: both, params: "ListParams", result: "ListTasksResult", since: handshake,
			until: handshake},
		{Name: "tasks/cancel", From: both, params: "TaskParams", result: "TaskResult", since: handshake,
			until: handshake},
		{Name: "roots/list", From: server, params: "Params", result: "ListRootsResult", until: handshake},
		{Name: "sampling/createMessage", From: server, params: "CreateMessageParams", result: "CreateMessageResult",
			until: handshake},
		{Name: "elicitation/create", From: server, params: "ElicitParams", result: "ElicitResult", since: "2025-06-18",
			until: handshake},
		{Name: "notifications/initialized", Notification: true, From: client, params: "Told", until: handshake},
		{Name: "notifications/roots/list_changed", Notification: true, From: client, params: "Told", until: handshake},
		{Name: "notifications/cancelled", Notification: true, From: both, params: "Cancelled"},
		{Name: "notifications/progress", Notification: true, From: both, params: "Progress", until: handshake},
		{Name: "notifications/progress", Notification: true, From: server, params: "Progress", since: "2026-07-28"},
		{Name: "notifications/message", Notification: true, From: server, params: "LogMessage"},
		{Name: "notifications/resources/updated", Notification: true, From: server, params: "ResourceUpdated"},
		{Name: "notifications/resources/list_changed", Notification: true, From: server, params: "Told"},
		{Name: "notifications/tools/list_changed", Notification: true, From: server, params: "Told"},
		{Name: "notifications/prompts/list_changed", Notification: true, From: server, params: "Told"},
		{Name: "notifications/subscriptions/acknowledged", Notification: true, From: server, params: "Acknowledged",
			since: "2026-07-28"},
		{Name: "notifications/elicitation/complete", Notification: true, From: server, params: "ElicitationComplete",
			since: handshake, until: handshake},
		{Name: "notifications/tasks/status", Notification: true, From: both, params: "TaskResult", since: handshake,
			until: handshake},
	}
}

// Methods lists the methods of the revision.
func (r Revision) Methods() []Method {
	return slices.DeleteFunc(methods(), func(m Method) bool {
		return r.ID < m.since || m.until != "" && r.ID > m.until
	})
}

// Method finds a method of the revision that the side may send.
func (r Revision) Method(from Side, name string) (Method, bool) {
	for _, m := range r.Methods() {
		if m.Name == name && slices.Contains(m.From, from) {
			return m, true
		}
	}
	return Method{}, false
}
