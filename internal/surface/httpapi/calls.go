package httpapi

import (
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/view"
)

func callRoutes() []Route {
	return []Route{
		send("POST /api/links/{link}/calls", "send a request; returns immediately with the status running",
			func(s *Server, r *http.Request, in view.NewCall) (view.Call, error) {
				return s.inspector.Call(r.Context(), r.PathValue("link"), in)
			}),
		get("GET /api/links/{link}/calls", "the calls, without content", onLink((*inspector.Inspector).Calls)),
		get("DELETE /api/links/{link}/calls", "delete the finished calls",
			func(s *Server, r *http.Request) (None, error) {
				return None{}, s.inspector.DeleteCalls(r.PathValue("link"))
			}),
		get("GET /api/links/{link}/calls/{call}", "one call with its content", onCall((*inspector.Inspector).OneCall)),
		send("POST /api/links/{link}/calls/{call}/cancel", "cancel a call",
			func(s *Server, r *http.Request, _ None) (view.Call, error) {
				return onCall((*inspector.Inspector).Cancel)(s, r)
			}),
		get("GET /api/links/{link}/calls/{call}/copy", "the call formatted as ?as=mcptest, curl, suite or jsonrpc",
			func(s *Server, r *http.Request) (view.Copy, error) {
				n, err := number(r, "call")
				if err != nil {
					return view.Copy{}, err
				}
				return s.inspector.Copy(r.PathValue("link"), n, r.URL.Query().Get("as"))
			}),
		bytes("GET /api/links/{link}/calls/{call}/raw", "the response, byte for byte",
			func(s *Server, r *http.Request) (blob, error) {
				content, err := onCall((*inspector.Inspector).Raw)(s, r)
				return blob{content: content, kind: "text/plain; charset=utf-8", name: "answer.json"}, err
			}),
		bytes("GET /api/links/{link}/calls/{call}/content/{index}",
			"the decoded bytes of one content block; structured content for -1",
			func(s *Server, r *http.Request) (blob, error) {
				n, err := number(r, "call")
				if err != nil {
					return blob{}, err
				}
				index, err := number(r, "index")
				if err != nil {
					return blob{}, err
				}
				content, kind, err := s.inspector.Bytes(r.PathValue("link"), n, index)
				return blob{content: content, kind: kind, name: "content"}, err
			}),
	}
}

// onCall handles a request about the call in the path.
func onCall[Out any](ask func(*inspector.Inspector, string, int) (Out, error)) func(*Server, *http.Request) (Out,
	error) {
	return func(s *Server, r *http.Request) (out Out, err error) {
		n, err := number(r, "call")
		if err != nil {
			return out, err
		}
		return ask(s.inspector, r.PathValue("link"), n)
	}
}

func questionRoutes() []Route {
	return []Route{
		send("POST /api/links/{link}/answers", "answer a request from the server",
			func(s *Server, r *http.Request, in view.Answer) (None, error) {
				return None{}, s.inspector.Answer(r.PathValue("link"), in)
			}),
		send("POST /api/links/{link}/questions/{question}/examine", "the content that would be sent for an elicitation",
			func(s *Server, r *http.Request, in view.Typed) (view.Examination, error) {
				return s.inspector.ExamineAnswer(r.PathValue("link"), r.PathValue("question"), in)
			}),
	}
}
