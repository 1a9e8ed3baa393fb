package httpapi

import (
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// The user's browser is redirected to a separate listener that exists as long as the sign-in: the redirect
// comes from another origin, which no route here accepts.
func authRoutes() []Route {
	return []Route{
		get("GET /api/auth", "the sign-ins and the list of steps",
			func(s *Server, _ *http.Request) (view.SignIns, error) {
				return s.inspector.SignIns(), nil
			}),
		send("POST /api/auth", "start a sign-in; returns immediately, progress is sent as events",
			func(s *Server, _ *http.Request, in view.NewSignIn) (view.SignIn, error) {
				return s.inspector.SignIn(in)
			}),
		get("GET /api/auth/{signin}", "one sign-in", func(s *Server, r *http.Request) (view.SignIn, error) {
			return s.inspector.SignInOf(r.PathValue("signin"))
		}),
		send("POST /api/auth/{signin}/cancel", "cancel a sign-in in progress",
			func(s *Server, r *http.Request, _ None) (view.SignIn, error) {
				return s.inspector.CancelSignIn(r.PathValue("signin"))
			}),
		get("GET /api/servers/{server}/token", "metadata of the token stored for a server",
			func(s *Server, r *http.Request) (view.Tokens, error) {
				return s.inspector.TokenOf(r.PathValue("server"))
			}),
		get("DELETE /api/servers/{server}/token", "delete the token for a server",
			func(s *Server, r *http.Request) (None, error) {
				return None{}, s.inspector.SignOut(r.PathValue("server"))
			}),
	}
}
