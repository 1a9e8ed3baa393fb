package httpapi

import (
	"net/http"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/inspector"
)

func linkRoutes() []Route {
	return []Route{
		get("GET /api/links", "the connections", func(s *Server, _ *http.Request) (inspector.Links, error) {
			return s.inspector.Links(), nil
		}),
		send("POST /api/links", "connect; answers at once, with the state connecting", func(s *Server, _ *http.Request, in inspector.NewLink) (inspector.Link, error) {
			return s.inspector.Connect(in)
		}),
		get("GET /api/links/{link}", "one connection", onLink((*inspector.Inspector).Link)),
		send("POST /api/links/{link}/close", "end a connection and keep what is known of it", func(s *Server, r *http.Request, _ None) (inspector.Link, error) {
			return s.inspector.Close(r.PathValue("link"))
		}),
		get("DELETE /api/links/{link}", "end a connection and forget it", func(s *Server, r *http.Request) (None, error) {
			return None{}, s.inspector.Forget(r.PathValue("link"))
		}),
		send("POST /api/links/{link}/reconnect", "end a connection and open it again; its calls and frames stay",
			func(s *Server, r *http.Request, _ None) (inspector.Link, error) {
				return s.inspector.Reconnect(r.PathValue("link"))
			}),
		get("GET /api/links/{link}/logs", "the server's log messages", onLink((*inspector.Inspector).Logs)),
		get("GET /api/links/{link}/stderr", "the end of its standard error", onLink((*inspector.Inspector).Stderr)),
		get("GET /api/links/{link}/stderr/lines", "its lines, from ?after= on, each with the frame that it came after", func(s *Server, r *http.Request) (inspector.StderrLines, error) {
			after, _ := strconv.Atoi(r.URL.Query().Get("after"))
			return s.inspector.StderrLines(r.PathValue("link"), after)
		}),
		get("GET /api/links/{link}/roots", "what we answer to roots/list", onLink((*inspector.Inspector).Roots)),
		send("PUT /api/links/{link}/roots", "change it; the server is told", func(s *Server, r *http.Request, in inspector.Roots) (inspector.Roots, error) {
			return s.inspector.SetRoots(r.Context(), r.PathValue("link"), in.Roots)
		}),
		send("POST /api/links/{link}/subscriptions", "have the updates of a resource told", func(s *Server, r *http.Request, in SubscriptionInput) (inspector.Link, error) {
			return s.inspector.Subscribe(r.PathValue("link"), in.URI)
		}),
		get("DELETE /api/links/{link}/subscriptions", "end the subscription of ?uri=", func(s *Server, r *http.Request) (inspector.Link, error) {
			return s.inspector.Unsubscribe(r.PathValue("link"), r.URL.Query().Get("uri"))
		}),
	}
}

// onLink answers with what the inspector says about the connection of the path.
func onLink[Out any](ask func(*inspector.Inspector, string) (Out, error)) func(*Server, *http.Request) (Out, error) {
	return func(s *Server, r *http.Request) (Out, error) { return ask(s.inspector, r.PathValue("link")) }
}
