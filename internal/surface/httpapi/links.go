package httpapi

import (
	"net/http"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/view"
)

func linkRoutes() []Route {
	return []Route{
		get("GET /api/links", "the connections", func(s *Server, _ *http.Request) (view.Links, error) {
			return s.inspector.Links(), nil
		}),
		send("POST /api/links", "connect; returns immediately with the state connecting",
			func(s *Server, _ *http.Request, in view.NewLink) (view.Link, error) {
				return s.inspector.Connect(in)
			}),
		get("GET /api/links/{link}", "one connection", onLink((*inspector.Inspector).Link)),
		send("POST /api/links/{link}/close", "close a connection and keep its data",
			func(s *Server, r *http.Request, _ None) (view.Link, error) {
				return s.inspector.Close(r.PathValue("link"))
			}),
		get("DELETE /api/links/{link}", "close a connection and delete its data",
			func(s *Server, r *http.Request) (None, error) {
				return None{}, s.inspector.RemoveConnection(r.PathValue("link"))
			}),
		send("POST /api/links/{link}/reconnect", "close a connection and open it again; its calls and frames are kept",
			func(s *Server, r *http.Request, _ None) (view.Link, error) {
				return s.inspector.Reconnect(r.PathValue("link"))
			}),
		get("GET /api/links/{link}/logs", "the server's log messages", onLink((*inspector.Inspector).Logs)),
		get("GET /api/links/{link}/stderr", "the last stderr output of the server",
			onLink((*inspector.Inspector).Stderr)),
		get("GET /api/links/{link}/stderr/lines",
			"the stderr lines from ?after= on, each with the frame that precedes it",
			func(s *Server, r *http.Request) (view.StderrLines, error) {
				after, _ := strconv.Atoi(r.URL.Query().Get("after"))
				return s.inspector.StderrLines(r.PathValue("link"), after)
			}),
		get("GET /api/links/{link}/changes", "what changed since the user last connected",
			onLink((*inspector.Inspector).Changes)),
		get("DELETE /api/links/{link}/changes", "dismiss the changes: compare later connections with the present state",
			onLink((*inspector.Inspector).DismissChanges)),
		get("GET /api/links/{link}/roots", "the roots returned for roots/list", onLink((*inspector.Inspector).Roots)),
		send("PUT /api/links/{link}/roots", "change the roots; the server is notified",
			func(s *Server, r *http.Request, in view.Roots) (view.Roots, error) {
				return s.inspector.SetRoots(r.Context(), r.PathValue("link"), in.Roots)
			}),
		send("POST /api/links/{link}/subscriptions", "subscribe to updates of a resource",
			func(s *Server, r *http.Request, in SubscriptionInput) (view.Link, error) {
				return s.inspector.Subscribe(r.PathValue("link"), in.URI)
			}),
		get("DELETE /api/links/{link}/subscriptions", "cancel the subscription to ?uri=",
			func(s *Server, r *http.Request) (view.Link, error) {
				return s.inspector.Unsubscribe(r.PathValue("link"), r.URL.Query().Get("uri"))
			}),
	}
}

// onLink handles a request about the connection in the path.
func onLink[Out any](ask func(*inspector.Inspector, string) (Out, error)) func(*Server, *http.Request) (Out, error) {
	return func(s *Server, r *http.Request) (Out, error) { return ask(s.inspector, r.PathValue("link")) }
}
