package view

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// The kinds of problems.
const (
	KindUsage       = "usage"       // invalid request; nothing was sent
	KindNotFound    = "not_found"   // not found
	KindApproval    = "approval"    // the user has to approve it first
	KindUnreachable = "unreachable" // the server cannot be reached, crashed, or sent invalid messages
	KindTimeout     = "timeout"     // no response
	KindCancelled   = "cancelled"   // by the user
	KindAuth        = "auth"        // authorization required
	KindExpired     = "expired"     // the server does not recognize the HTTP session
)

// A Problem is why something failed: what happened, why, and what to do next.
type Problem struct {
	Kind    string    `json:"kind"` // usage, not_found, approval, unreachable, timeout, cancelled, auth or expired
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
	Cause   string    `json:"cause,omitempty"`  // the underlying error of the system or the server
	Stderr  string    `json:"stderr,omitempty"` // the last stderr output of a process
	Status  int       `json:"status,omitempty"` // of an HTTP response that caused it
	RPC     *RPCError `json:"rpc,omitempty"`    // the server's error

	// Challenge is the WWW-Authenticate header of a response that requires authorization.
	Challenge string `json:"challenge,omitempty"`
	// Approval is what must be approved before it can be started.
	Approval *Approval `json:"approval,omitempty"`
	// Examination describes the problems of arguments that were held back.
	Examination *Examination `json:"examination,omitempty"`
}

// Error returns the message.
func (p *Problem) Error() string { return p.Message }

func Usage(format string, args ...any) *Problem {
	return &Problem{Kind: KindUsage, Message: fmt.Sprintf(format, args...)}
}

func NotFound(format string, args ...any) *Problem {
	return &Problem{Kind: KindNotFound, Message: fmt.Sprintf(format, args...)}
}

// WithHint adds a hint.
func (p *Problem) WithHint(text string) *Problem {
	p.Hint = text
	return p
}

// An RPCError is a server's own error.
type RPCError struct {
	Code     string `json:"code"`              // the number, unchanged
	Meaning  string `json:"meaning,omitempty"` // the meaning of the code in the protocol
	Message  string `json:"message"`
	DataJSON string `json:"data_json,omitempty"`
}

var meanings = map[int64]string{
	mcp.CodeParse: "parse error", mcp.CodeInvalidRequest: "invalid request", mcp.CodeMethodNotFound: "method not found",
	mcp.CodeInvalidParams: "invalid params", mcp.CodeInternal: "internal error",
	mcp.CodeHeaderMismatch:    "header mismatch",
	mcp.CodeMissingCapability: "missing capability", mcp.CodeUnsupportedVersion: "unsupported protocol version",
	-32002: "resource not found", -32042: "URL elicitation required",
}

func RpcError(e *mcp.RPCError) *RPCError {
	if e == nil {
		return nil
	}
	return &RPCError{Code: strconv.FormatInt(e.Code, 10), Meaning: meanings[e.Code], Message: e.Message,
		DataJSON: Indent(e.Data)}
}

func ProblemOf(err error) *Problem {
	p := &Problem{Kind: KindUnreachable, Message: err.Error()}
	var wrong *target.Error
	var asked *workbench.UsageError
	var late *mcp.TimeoutError
	var expired *mcp.SessionExpiredError
	switch {
	case errors.As(err, &wrong):
		return &Problem{Kind: KindUsage, Message: wrong.Message, Hint: wrong.Hint.In(pageWords)}
	case errors.As(err, &asked):
		return &Problem{Kind: KindUsage, Message: asked.Message, Hint: asked.Hint.In(pageWords)}
	case errors.As(err, &expired):
		p.Kind = KindExpired
	case errors.As(err, &late), errors.Is(err, context.DeadlineExceeded):
		p.Kind = KindTimeout
	case errors.Is(err, context.Canceled):
		p.Kind, p.Message = KindCancelled, "the request was cancelled"
	case errors.Is(err, connections.ErrDisconnected):
		p.Kind = KindCancelled
	}
	p.describeTransport(err)
	return p
}

// describeTransport adds details of the lower layers.
func (p *Problem) describeTransport(err error) {
	var e *wire.Error
	if errors.As(err, &e) {
		p.Hint, p.Stderr = e.Hint.In(pageWords), strings.TrimSpace(wire.Plain(e.Stderr))
		if e.Err != nil {
			p.Cause = e.Err.Error()
		}
	}
	var status *wire.StatusError
	if errors.As(err, &status) {
		p.Status = status.Status
		if p.Challenge = status.Header.Get("WWW-Authenticate"); status.Status == 401 ||
			status.Status == 403 && p.Challenge != "" {
			p.Kind = KindAuth
		}
	}
	var refused *mcp.RPCError
	if errors.As(err, &refused) {
		p.RPC = RpcError(refused)
	}
}
