package demo

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// recoverError converts the panic of a handler to an error of its request: the server shares a process with its
// client.
func recoverError(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = nil, fmt.Errorf("%s panicked: %v", method, p)
			}
		}()
		return next(ctx, method, request)
	}
}
