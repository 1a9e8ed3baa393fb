package demo

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// handler serves a rawServer over Streamable HTTP, without sessions.
func (s *rawServer) handler() (http.Handler, func()) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !allowed(w, r) {
			return
		}
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST")
			http.Error(w, "use POST", http.StatusMethodNotAllowed)
			return
		}
		if body, ok := serve.ReadBody(w, r); ok {
			s.post(w, r, body)
		}
	}), func() {}
}

func (s *rawServer) post(w http.ResponseWriter, r *http.Request, body []byte) {
	version := r.Header.Get("MCP-Protocol-Version")
	m, bad := serve.Parse(body)
	if odd := serve.CheckVersion(version, m); odd != nil {
		serve.WriteReply(w, http.StatusBadRequest, serve.Failure(m.ID, odd))
		return
	}
	switch {
	case bad != nil && serve.IsBatch(body) && bad.Code != serve.CodeParse:
		bad = serve.InvalidRequest("batches are not supported")
		fallthrough
	case bad != nil:
		serve.WriteReply(w, http.StatusBadRequest, serve.Failure(m.ID, bad))
		return
	case m.Kind != serve.Request:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	e, bad := serve.EraOf(m, spec.EraOf(version) == spec.Legacy)
	switch {
	case bad == nil && e == spec.Modern:
		bad = serve.CheckHeaders(r.Header, m)
	case bad == nil && version == spec.NewestModern:
		bad = serve.InvalidParams("_meta field %q is required", serve.MetaVersion)
	}
	if bad != nil {
		serve.WriteReply(w, http.StatusBadRequest, serve.Failure(m.ID, bad))
		return
	}
	s.run(w, r, m, e)
}

// run responds with plain JSON, or with an event stream from the first notification on.
func (s *rawServer) run(w http.ResponseWriter, r *http.Request, m serve.Message, e spec.Era) {
	stream := &eventStream{w: w}
	reply := s.respond(r.Context(), m, e, &rawCall{
		notify: func(method string, params any) { stream.send(notice(method, params)) },
		// Over HTTP the process serves other clients, so only the connection is closed.
		die: func(*Crash) { panic(http.ErrAbortHandler) },
	})
	if stream.started {
		stream.send(reply.bytes(m.ID))
		return
	}
	serve.WriteReply(w, serve.StatusOf(reply.err, e), reply.bytes(m.ID))
}

// An eventStream writes messages as server-sent events.
type eventStream struct {
	w http.ResponseWriter

	mu      sync.Mutex
	started bool
}

func (s *eventStream) send(message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started {
		s.started = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("Cache-Control", "no-cache")
		s.w.Header().Set("X-Accel-Buffering", "no")
		s.w.WriteHeader(http.StatusOK)
	}
	s.w.Write(bytes.Join([][]byte{[]byte("event: message\ndata: "), message, []byte("\n\n")}, nil))
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}
