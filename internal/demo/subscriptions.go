package demo

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
