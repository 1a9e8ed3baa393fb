package httpapi

import (
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/inspector"
)

// The browser of the person is sent back to a listener of its own, which lives as long as the sign-in: a page of another
// origin sends it there, which no route here accepts.
func authRoutes() []Route {
	return []Route{
		get("GET /api/auth", "the sign-ins, and the steps that there are", func(s *Server, _ *http.Request) (inspector.SignIns, error) {
			return s.inspector.SignIns(), nil
		}),
		send("POST /api/auth", "start the way to a token; answers at once, events tell the steps", func(s *Server, _ *http.Request, in inspector.NewSignIn) (inspector.SignIn, error) {
			return s.inspector.SignIn(in)
		}),
		get("GET /api/auth/{signin}", "one sign-in", func(s *Server, r *http.Request) (inspector.SignIn, error) {
			return s.inspector.SignInOf(r.PathValue("signin"))
		}),
		send("POST /api/auth/{signin}/cancel", "end a sign-in that is under way", func(s *Server, r *http.Request, _ None) (inspector.SignIn, error) {
			return s.inspector.CancelSignIn(r.PathValue("signin"))
		}),
		get("GET /api/servers/{server}/token", "what is known of the token that is kept for a server", func(s *Server, r *http.Request) (inspector.Tokens, error) {
			return s.inspector.TokenOf(r.PathValue("server"))
		}),
		get("DELETE /api/servers/{server}/token", "forget the token for a server", func(s *Server, r *http.Request) (None, error) {
			return None{}, s.inspector.SignOut(r.PathValue("server"))
		}),
	}
}
