package httpapi

import (
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/view"
)

func toolRoutes() []Route {
	return []Route{
		get("GET /api/links/{link}/list/{kind}", "a list: tools, resources, templates, prompts; ?fresh=1 requests it "+
			"from the server again",
			func(s *Server, r *http.Request) (view.List, error) {
				return s.inspector.List(r.Context(), r.PathValue("link"), r.PathValue("kind"),
					r.URL.Query().Get("fresh") != "")
			}),
		get("GET /api/links/{link}/form", "the form for ?tool=",
			func(s *Server, r *http.Request) (view.ToolForm, error) {
				return s.inspector.Form(r.Context(), r.PathValue("link"), r.URL.Query().Get("tool"))
			}),
		send("POST /api/links/{link}/arguments", "the arguments that would be sent for the given input",
			func(s *Server, r *http.Request, in view.Typed) (view.Examination, error) {
				return s.inspector.Examine(r.Context(), r.PathValue("link"), in)
			}),
		send("POST /api/links/{link}/sample", "example arguments",
			func(s *Server, r *http.Request, in view.SampleInput) (view.Examination, error) {
				return s.inspector.Sample(r.Context(), r.PathValue("link"), in)
			}),
		send("POST /api/links/{link}/fix", "the arguments with a suggested correction applied",
			func(s *Server, r *http.Request, in view.FixInput) (view.Examination, error) {
				return s.inspector.Fix(r.Context(), r.PathValue("link"), in)
			}),
		send("POST /api/links/{link}/apply-fix", "a tool's definition with the fix of a finding applied",
			func(s *Server, r *http.Request, in inspector.ApplyFixInput) (inspector.FixedDefinition, error) {
				return s.inspector.ApplyFix(r.Context(), r.PathValue("link"), in)
			}),
		send("POST /api/links/{link}/complete", "complete an argument of a prompt or template",
			func(s *Server, r *http.Request, in view.CompletionInput) (view.Completion, error) {
				return s.inspector.Complete(r.Context(), r.PathValue("link"), in)
			}),
		send("POST /api/expand", "expand a resource template",
			func(_ *Server, _ *http.Request, in view.ExpandInput) (view.Expanded, error) {
				return view.Expand(in), nil
			}),
	}
}
