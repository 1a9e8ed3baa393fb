package demo

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// knownSubscriptions removes unknown resources from a subscription request, since the SDK would reject all of
// them. The acknowledgment then lists the remaining ones.
func knownSubscriptions(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if p, ok := req.GetParams().(*mcp.SubscriptionsListenParams); ok && p != nil && p.Notifications != nil {
			p.Notifications.ResourceSubscriptions = slices.DeleteFunc(p.Notifications.ResourceSubscriptions,
				func(uri string) bool { return !exists(uri) })
		}
		return next(ctx, method, req)
	}
}
