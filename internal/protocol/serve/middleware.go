package serve

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ProperErrors gives every error a code of the protocol. What goes wrong inside a tool is the tool's result.
func ProperErrors(next mcp.MethodHandler) mcp.MethodHandler {
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
			extra.CloseSSEStream(mcp.CloseSSEStreamArgs{}) // a cancelled request is not answered
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

// failedCall is the result of a tool that could not do its work. The SDK writes the type of a result, which the modern era
// requires, only into those that the tool itself has made.
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

// NotFound is the error for a resource that does not exist, whose code the modern era has changed.
func NotFound(uri string, modern bool) error {
	e := &jsonrpc.Error{Code: CodeResourceNotFound, Message: "Resource not found", Data: Encode(map[string]string{"uri": uri})}
	if modern {
		e.Code = CodeInvalidParams
	}
	return e
}

// IsModern tells the era of a session. Each has one alone: the front and the HTTP gate see to it.
func IsModern(s mcp.Session) bool {
	session, ok := s.(*mcp.ServerSession)
	if !ok || session.InitializeParams() == nil {
		return false
	}
	return session.InitializeParams().ProtocolVersion >= Rev2026July
}
