package httpapi

import (
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/view"
)

func serverRoutes() []Route {
	return []Route{
		get("GET /api/hello", "version and capabilities of mcptest",
			func(s *Server, _ *http.Request) (view.Hello, error) {
				return s.inspector.Hello(), nil
			}),
		get("GET /api/servers", "the available servers", func(s *Server, _ *http.Request) (view.Servers, error) {
			return s.inspector.Servers(), nil
		}),
		send("POST /api/servers", "add a server; nothing is started",
			func(s *Server, _ *http.Request, in view.NewServer) (view.Server, error) {
				return s.inspector.Add(in)
			}),
		get("DELETE /api/servers/{server}", "remove a server that the page added",
			func(s *Server, r *http.Request) (None, error) {
				return None{}, s.inspector.Remove(r.PathValue("server"))
			}),
		send("POST /api/servers/{server}/values", "provide values that were not stored; nothing is started",
			func(s *Server, r *http.Request, in view.NewValues) (view.Server, error) {
				return s.inspector.SetValues(r.PathValue("server"), in)
			}),
		send("POST /api/servers/import", "add the servers from an mcp.json or a host's config file",
			func(s *Server, _ *http.Request, in ImportInput) (view.Imported, error) {
				return s.inspector.Import(in.Name, in.Text), nil
			}),
		get("GET /api/servers/export", "servers as mcp.json, those of ?id= or all that the page added; values are "+
			"variable references",
			func(s *Server, r *http.Request) (Text, error) {
				return Text{Text: s.inspector.Export(r.URL.Query()["id"])}, nil
			}),
		send("POST /api/approvals", "approve exactly this command",
			func(s *Server, _ *http.Request, in ApprovalInput) (view.Server, error) {
				return s.inspector.Approve(in.Hash)
			}),
		get("DELETE /api/approvals/{hash}", "revoke an approval", func(s *Server, r *http.Request) (None, error) {
			return None{}, s.inspector.Revoke(r.PathValue("hash"))
		}),
	}
}
