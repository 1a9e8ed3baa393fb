package serve

import (
	"context"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MapErrors gives every error a protocol error code. An error inside a tool is the tool's result.
func MapErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if err == nil {
			return res, nil
		}
		modern := IsModern(req.GetSession())
		known, isKnown := err.(*jsonrpc.Error)
		switch p := req.GetParams().(type) {
		case *mcp.ReadResourceParams:
			if isKnown && known.Code == CodeInvalidParams {
				return nil, NotFound(p.URI, modern)
			}
		case *mcp.CallToolParamsRaw:
			if !isKnown && ctx.Err() == nil {
				return failedCall(err, modern), nil
			}
		}
		if extra := req.GetExtra(); ctx.Err() != nil && extra != nil && extra.CloseSSEStream != nil {
			extra.CloseSSEStream(mcp.CloseSSEStreamArgs{}) // a cancelled request gets no response
		}
		if isKnown && known.Code != 0 {
			return nil, known
		}
		code := int64(CodeInternal)
		if wrapped := new(jsonrpc.Error); errors.As(err, &wrapped) && wrapped.Code != 0 {
			code = wrapped.Code
		}
		return nil, &jsonrpc.Error{Code: code, Message: err.Error()}
	}
}

// failedCall returns the result of a failed tool. The SDK sets the result type, which the modern era requires,
// only in results that the tool itself returned.
func failedCall(err error, modern bool) mcp.Result {
	content := []mcp.Content{&mcp.TextContent{Text: "The call failed: " + err.Error()}}
	if !modern {
		return &mcp.CallToolResult{IsError: true, Content: content}
	}
	return &typedResult{Content: content, IsError: true, ResultType: "complete"}
}

type typedResult struct {
	mcp.ResultBase
	Content    []mcp.Content `json:"content"`
	IsError    bool          `json:"isError"`
	ResultType string        `json:"resultType"`
}

// NotFound is the error for an unknown resource, whose code changed in 2026-07-28.
func NotFound(uri string, modern bool) error {
	e := &jsonrpc.Error{Code: CodeResourceNotFound, Message: "Resource not found",
		Data: Encode(map[string]string{"uri": uri})}
	if modern {
		e.Code = CodeInvalidParams
	}
	return e
}

// IsModern reports whether a session is modern. Each session has a single era: the front and the HTTP gate
// ensure it.
func IsModern(s mcp.Session) bool {
	session, ok := s.(*mcp.ServerSession)
	if !ok || session.InitializeParams() == nil {
		return false
	}
	return spec.EraOf(session.InitializeParams().ProtocolVersion) == spec.Modern
}
