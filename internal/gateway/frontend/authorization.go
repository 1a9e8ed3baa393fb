package frontend

import "github.com/mcptest-dev/mcptest/internal/gateway/upstream"

// aboutAuthorization is what a client can act on: where to connect an account, and which scopes are missing.
func aboutAuthorization(e *upstream.AuthorizationError) map[string]any {
	about := map[string]any{"server": e.Server, "advice": e.Advice}
	if e.Connect != "" {
		about["connect_url"] = e.Connect
	}
	if len(e.Scopes) > 0 {
		about["scopes"] = e.Scopes
	}
	return about
}
