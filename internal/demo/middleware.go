package demo

import (
	"context"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// properErrors gives every error a code of the protocol. What goes wrong inside a tool is the tool's result.
func properErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if err == nil {
			return res, nil
		}
		modern := isModern(req.GetSession())
		known, isKnown := err.(*jsonrpc.Error)
		switch p := req.GetParams().(type) {
		case *mcp.ReadResourceParams:
			if isKnown && known.Code == codeInvalidParams {
				return nil, notFound(p.URI, modern)
			}
		case *mcp.CallToolParamsRaw:
			if !isKnown && ctx.Err() == nil {
				return failed("The client could not help: " + err.Error()), nil
			}
		}
		if extra := req.GetExtra(); ctx.Err() != nil && extra != nil && extra.CloseSSEStream != nil {
			extra.CloseSSEStream(mcp.CloseSSEStreamArgs{}) // a cancelled request is not answered
		}
		if isKnown && known.Code != 0 {
			return nil, known
		}
		code := int64(codeInternal)
		if wrapped := new(jsonrpc.Error); errors.As(err, &wrapped) && wrapped.Code != 0 {
			code = wrapped.Code
		}
		return nil, &jsonrpc.Error{Code: code, Message: err.Error()}
	}
}

// knownSubscriptions drops resources that do not exist from what a client wants to listen to, since the SDK would
// refuse all for one. The acknowledgement then names those that are left.
func knownSubscriptions(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if p, ok := req.GetParams().(*mcp.SubscriptionsListenParams); ok && p != nil && p.Notifications != nil {
			p.Notifications.ResourceSubscriptions = slices.DeleteFunc(p.Notifications.ResourceSubscriptions,
				func(uri string) bool { return !exists(uri) })
		}
		return next(ctx, method, req)
	}
}
