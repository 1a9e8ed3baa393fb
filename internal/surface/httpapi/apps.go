package httpapi

import (
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/view"
)

func appRoutes() []Route {
	return []Route{
		send("POST /api/links/{link}/apps", "open the view of a tool, for the page of the Origin header",
			func(s *Server, r *http.Request, in view.NewApp) (view.App, error) {
				return s.inspector.OpenApp(r.Context(), r.PathValue("link"), r.Header.Get("Origin"), in)
			}),
		get("GET /api/links/{link}/apps/{app}", "an open view, with the loads that were blocked",
			func(s *Server, r *http.Request) (view.App, error) {
				return s.inspector.App(r.PathValue("link"), r.PathValue("app"))
			}),
		get("DELETE /api/links/{link}/apps/{app}", "close a view",
			func(s *Server, r *http.Request) (None, error) {
				return None{}, s.inspector.CloseApp(r.PathValue("link"), r.PathValue("app"))
			}),
		send("POST /api/links/{link}/apps/{app}/requests", "send a request of a view to the server, if it is allowed",
			func(s *Server, r *http.Request, in view.AppRequest) (view.AppReply, error) {
				return s.inspector.RequestOfApp(r.Context(), r.PathValue("link"), r.PathValue("app"), in)
			}),
	}
}
