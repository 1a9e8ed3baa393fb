package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// The types of errors that a tool returns.
const (
	notConnected     = "not_connected"
	connectionFailed = "connection_failed"
	toolNotFound     = "tool_not_found"
	resourceNotFound = "resource_not_found"
	promptNotFound   = "prompt_not_found"
	invalidArguments = "invalid_arguments"
	executionError   = "execution_error"
	timeout          = "timeout"
	transportError   = "transport_error"
)

// A failure is the error of a tool. Its type follows only from codes and states: the text of a message can be
// anything.
type failure struct {
	Type       string  `json:"type"`
	Message    string  `json:"message"`
	Details    details `json:"details"`
	Suggestion string  `json:"suggestion,omitempty"`

	call  *toolCall               // of a tool that reported an error itself
	grant *workbench.GrantRequest // what the user can be asked for; may be nil
}

// details are additional data about a failure.
type details map[string]any

// Error returns the message.
func (f *failure) Error() string { return f.Message }

// failed converts an error to a failure. A request that cannot even start for a local reason is the caller's
// fault.
func failed(err error) *failure {
	var known *failure
	var missing *connections.NoLinkError
	var usage *workbench.UsageError
	var late *mcp.TimeoutError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &missing):
		return noConnection(missing)
	case errors.As(err, &usage):
		f := &failure{Type: invalidArguments, Message: usage.Message, Details: details{},
			Suggestion: usage.Hint.In(toolWords), grant: usage.Request}
		if len(usage.Corrected) > 0 {
			f.Details["corrected_lines"] = usage.Corrected
			f.Suggestion = "replace these lines by corrected_lines; " + f.Suggestion
		}
		return f
	case errors.As(err, &late):
		return &failure{Type: timeout, Message: late.Error(), Details: describeTimeout(err, late),
			Suggestion: "increase timeout_ms if the server is slow; use get_transcript to see what it sent"}
	case errors.Is(err, workbench.ErrTimeLimit):
		return &failure{Type: timeout, Message: err.Error() + " before any result was available", Details: details{},
			Suggestion: "increase within_ms or narrow the request"}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{Type: timeout, Message: err.Error(), Details: details{}}
	case errors.Is(err, connections.ErrUnanswered):
		return &failure{Type: timeout, Message: err.Error(), Details: details{},
			Suggestion: "call the tool again and answer the server's requests"}
	case errors.Is(err, context.Canceled):
		return &failure{Type: executionError, Message: "the request was cancelled", Details: details{"cancelled": true}}
	}
	return &failure{Type: transportError, Message: err.Error(), Details: transportDetails(err),
		Suggestion: suggestion(err)}
}

func noConnection(e *connections.NoLinkError) *failure {
	f := &failure{Type: notConnected, Message: e.Error(), Details: details{"open_connections": orEmpty(e.Open)},
		Suggestion: "open one with connect_to_server"}
	if len(e.Open) > 0 {
		f.Suggestion = "use one of the open connections, or open another with connect_to_server"
	}
	return f
}

// notReached converts an error to a failure that prevented opening a connection.
func notReached(err error) *failure {
	f := &failure{Type: connectionFailed, Message: err.Error(), Details: transportDetails(err),
		Suggestion: unopened(err), grant: connections.GrantRequestOf(err)}
	var taken *connections.TakenError
	var refused *connections.RefusedError
	var wrong *target.Error
	var blocked *netguard.BlockedError
	var usage *workbench.UsageError
	switch {
	case errors.As(err, &taken):
		f.Details["reason"], f.Details["connection"] = "already_connected", taken.Name
		f.Suggestion = "call disconnect first, or name this connection differently with the argument connection"
	case errors.As(err, &blocked):
		f.Details["reason"], f.Details["address"], f.Details["rule"] = "address_blocked", blocked.Address, blocked.Rule
		f.Suggestion = "use another address: assistants are never allowed to reach this one"
		if blocked.Private {
			f.Suggestion = "have the user add --allow-private to the mcptest serve command of this host"
		}
	case errors.As(err, &refused):
		f.Details["reason"] = "not_allowed"
		if p := refused.Permission; p != nil {
			f.Details["program"], f.Details["args"], f.Details["cwd"], f.Details["env_names"] = p.Program,
				orEmpty(p.Args), p.Dir, orEmpty(p.Env)
			f.Details["file"], f.Details["url"], f.Details["header_names"], f.Details["takes"] = p.File, p.URL,
				orEmpty(p.Headers), orEmpty(p.Takes)
		}
		f.Suggestion = refused.Hint.In(toolWords)
		if refused.Command != "" {
			f.Suggestion = "have the user run in a terminal: " + refused.Command + " (then connect again; for a " +
				"configured name, also add --agent-may-spawn to the mcptest serve command of this host)"
		}
	case errors.As(err, &wrong):
		f.Message, f.Suggestion = wrong.Message, wrong.Hint.In(toolWords)
	case errors.As(err, &usage):
		f.Message, f.Suggestion = usage.Message, usage.Hint.In(toolWords)
	}
	if f.Suggestion == "" {
		f.Suggestion = "check that the server is running and that the URL is that of its MCP endpoint"
	}
	return f
}

// unopened returns what to try after a connection could not be opened; empty if unknown. There is no transcript
// in that case.
func unopened(err error) string {
	var exit *wire.ExitError
	var late *mcp.TimeoutError
	var status *wire.StatusError
	var e *wire.Error
	switch {
	case errors.As(err, &exit):
		return suggestion(err)
	case errors.As(err, &late):
		return "increase timeout_ms if the server is slow; check that the URL is that of its MCP endpoint"
	case errors.As(err, &status) && status.Status == http.StatusUnauthorized:
		return "the server requires credentials: have the user provide them with mcptest serve --header-env VAR@ORIGIN"
	case errors.As(err, &e):
		return e.Hint.In(unopenedWords)
	}
	return ""
}

// transportDetails returns details from the lower layers about a failure.
func transportDetails(err error) details {
	d := details{}
	var e *wire.Error
	if errors.As(err, &e) {
		d["doing"], d["sent"] = e.Doing, !e.Unsent
		if words := strings.TrimSpace(e.Stderr); words != "" {
			d["stderr"] = words[max(0, len(words)-4096):]
		}
	}
	var exit *wire.ExitError
	if errors.As(err, &exit) {
		d["exit_code"] = exit.Code
		if exit.Signal != 0 {
			d["signal"] = int(exit.Signal)
		}
	}
	var status *wire.StatusError
	if errors.As(err, &status) {
		d["http_status"] = status.Status
	}
	var limit *wire.LimitError
	if errors.As(err, &limit) {
		d["limit_bytes"] = limit.Limit
	}
	var refused *mcp.RPCError
	if errors.As(err, &refused) {
		describeRPC(d, refused)
	}
	if errors.Is(err, mcp.ErrOutcomeUnknown) {
		d["outcome_unknown"] = true
	}
	if errors.Is(err, connections.ErrDisconnected) {
		d["disconnected"] = true
	}
	return d
}

func describeTimeout(err error, late *mcp.TimeoutError) details {
	d := transportDetails(err)
	d["method"], d["after_ms"], d["sent"] = late.Method, late.After.Milliseconds(), !late.Unsent
	return d
}

// describeRPC adds a server's own error.
func describeRPC(d details, e *mcp.RPCError) {
	d["code"], d["server_message"] = e.Code, clip.Text(e.Message, smallLimit)
	if e.Data != nil {
		d["data"] = small(e.Data)
	}
}

func suggestion(err error) string {
	var exit *wire.ExitError
	if errors.As(err, &exit) {
		return "see details for the exit status and the last stderr output; call connect_to_server to restart it"
	}
	var e *wire.Error
	if errors.As(err, &e) {
		if text := e.Hint.In(toolWords); text != "" {
			return text
		}
	}
	return "use get_transcript to see the messages; call restart for a new session"
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
