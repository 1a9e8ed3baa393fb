package upstream

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// relatedTask is the member of _meta with the related task of a message.
const relatedTask = "io.modelcontextprotocol/related-task"

// taskOf is the ID of the related task of a message; "" if there is none.
func taskOf(params json.RawMessage) string {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var task struct {
		ID string `json:"taskId"`
	}
	if json.Unmarshal(params, &p) == nil {
		_ = json.Unmarshal(p.Meta[relatedTask], &task)
	}
	return task.ID
}

// handleUnsolicited forwards a notification that the session could not assign to a request.
func (l *conn) handleUnsolicited(m mcp.Message) {
	if m.Method == "notifications/message" && taskOf(m.Params) == "" {
		if listeners := l.inFlight.listeners(); len(listeners) > 0 {
			for _, one := range listeners {
				one.onMessage(m)
			}
			return
		}
	}
	if !l.quiet {
		l.server.changed(m.Method)
	}
	if l.server.opts.OnStray != nil {
		if session := l.open(); session != nil {
			l.server.opts.OnStray(l.server, session.Era, m)
		}
	}
}

// requestHandler responds to a server request that the session could not assign to a client request.
func (l *conn) requestHandler(method string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		return l.onRequest(ctx, method, params)
	}
}

func (l *conn) onRequest(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if task := taskOf(params); task != "" && l.server.opts.TaskInput != nil {
		if input := l.server.opts.TaskInput(l.server, task); input != nil {
			return input(ctx, method, params)
		}
	}
	one, done, err := l.inFlight.match(ctx)
	if err != nil {
		return nil, &mcp.RPCError{Code: mcp.CodeInternal, Message: err.Error()}
	}
	if one != nil {
		defer done()
		// most servers request the roots when a session starts, not because of a client
		if l.server.opts.OnQuestion != nil && method != "roots/list" {
			l.server.opts.OnQuestion(l.server, one.owner)
		}
	}
	switch {
	case one != nil && one.input != nil:
		return one.input(ctx, method, params)
	case one == nil && l.server.opts.OnAsk != nil:
		return l.server.opts.OnAsk(ctx, method, params)
	}
	return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "no client available to answer " + method}
}
