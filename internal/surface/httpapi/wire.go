package httpapi

import (
	"net/http"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/view"
)

func wireRoutes() []Route {
	return []Route{
		get("GET /api/links/{link}/frames", "rows of the timeline: ?after, limit, q, side, method, kind, call",
			func(s *Server, r *http.Request) (view.Frames, error) {
				return s.inspector.Frames(r.PathValue("link"), frameQuery(r))
			}),
		get("GET /api/links/{link}/frames/{seq}", "one frame in full",
			func(s *Server, r *http.Request) (view.FrameDetail, error) {
				seq, err := number(r, "seq")
				if err != nil {
					return view.FrameDetail{}, err
				}
				return s.inspector.OneFrame(r.PathValue("link"), seq)
			}),
		bytes("GET /api/links/{link}/frames/{seq}/raw", "the body of a frame, byte for byte",
			func(s *Server, r *http.Request) (blob, error) {
				seq, err := number(r, "seq")
				if err != nil {
					return blob{}, err
				}
				content, err := s.inspector.FrameBytes(r.PathValue("link"), seq)
				return blob{content: content, kind: "text/plain; charset=utf-8", name: "frame.json"}, err
			}),
		get("GET /api/links/{link}/frames/{seq}/copy", "the request of a recorded frame as ?as=mcptest or suite",
			func(s *Server, r *http.Request) (view.Copy, error) {
				seq, err := number(r, "seq")
				if err != nil {
					return view.Copy{}, err
				}
				return s.inspector.CopyFrame(r.PathValue("link"), seq, r.URL.Query().Get("as"))
			}),
		bytes("GET /api/links/{link}/export",
			"all frames as ?format=jsonl or har; secrets are replaced by placeholders",
			func(s *Server, r *http.Request) (blob, error) {
				format := r.URL.Query().Get("format")
				content, err := s.inspector.ExportFrames(r.PathValue("link"), format)
				return blob{content: content, kind: "application/octet-stream", name: "transcript." + format}, err
			}),
		large(send("POST /api/transcripts", "open a transcript as a link in the state offline",
			func(s *Server, _ *http.Request, in view.NewTranscript) (view.Link, error) {
				return s.inspector.ImportTranscript(in)
			})),
	}
}

func frameQuery(r *http.Request) view.FrameQuery {
	q := r.URL.Query()
	whole := func(name string) int {
		n, _ := strconv.Atoi(q.Get(name))
		return n
	}
	return view.FrameQuery{After: whole("after"), Limit: whole("limit"), Call: whole("call"),
		Search: q.Get("q"), Side: q.Get("side"), Method: q.Get("method"), Kind: q.Get("kind")}
}

func gatewayState(s *Server, r *http.Request, in view.GatewayInput) (view.GatewayState, error) {
	return s.inspector.Gateway(r.Context(), in)
}

func approveAtGateway(s *Server, r *http.Request, in view.GatewayApproval) (None, error) {
	return None{}, s.inspector.ApproveAtGateway(r.Context(), in)
}
