package demo

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// handler serves a rawServer over Streamable HTTP. It keeps no session in either era.
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
		if body, ok := readBody(w, r); ok {
			s.post(w, r, body)
		}
	}), func() {}
}

func (s *rawServer) post(w http.ResponseWriter, r *http.Request, body []byte) {
	version := r.Header.Get("MCP-Protocol-Version")
	m, bad := parse(body)
	if odd := checkVersion(version, m); odd != nil {
		writeReply(w, http.StatusBadRequest, failure(m.id, odd))
		return
	}
	switch {
	case bad != nil && isBatch(body) && bad.Code != codeParse:
		bad = invalidRequest("batches are not supported")
		fallthrough
	case bad != nil:
		writeReply(w, http.StatusBadRequest, failure(m.id, bad))
		return
	case m.kind != request:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	e, bad := eraOf(m, version < rev2026July)
	switch {
	case bad == nil && e == modern:
		bad = checkHeaders(r.Header, m)
	case bad == nil && version == rev2026July:
		bad = invalidParams("_meta field %q is required", metaVersion)
	}
	if bad != nil {
		writeReply(w, http.StatusBadRequest, failure(m.id, bad))
		return
	}
	s.run(w, r, m, e)
}

// run answers in plain JSON, or as an event stream from the first notification on.
func (s *rawServer) run(w http.ResponseWriter, r *http.Request, m message, e era) {
	stream := &eventStream{w: w}
	reply := s.answer(r.Context(), m, e, &rawCall{
		notify: func(method string, params any) { stream.send(notice(method, params)) },
		// Over HTTP the process serves others too, so that only the connection dies.
		die: func(*Died) { panic(http.ErrAbortHandler) },
	})
	if stream.started {
		stream.send(reply.bytes(m.id))
		return
	}
	writeReply(w, statusOf(reply.err, e), reply.bytes(m.id))
}

// statusOf is the HTTP status of a reply.
func statusOf(err *rpcError, e era) int {
	switch {
	case err == nil || e == legacy:
		return http.StatusOK
	case err.Code == codeMethodNotFound:
		return http.StatusNotFound
	case err.Code == codeInternal:
		return http.StatusOK
	}
	return http.StatusBadRequest
}

// checkVersion refuses a version header that no server of ours serves, or that contradicts the body.
func checkVersion(version string, m message) *rpcError {
	if version == "" || slices.Contains(revisions(), version) {
		return nil
	}
	if named, _ := modernMeta(m.params); named != "" && named != version {
		return mismatch("MCP-Protocol-Version")
	}
	return unsupported(version, revisions()...)
}

func mismatch(header string) *rpcError {
	return &rpcError{Code: codeHeaderMismatch, Message: header + " header does not match the body"}
}

// checkHeaders compares the headers of a modern request with its body, which they repeat.
func checkHeaders(h http.Header, m message) *rpcError {
	version, _ := modernMeta(m.params)
	for _, c := range []struct{ header, want string }{
		{"MCP-Protocol-Version", version}, {"Mcp-Method", m.method}, {"Mcp-Name", nameOf(m)},
	} {
		if got := headerText(h.Get(c.header)); c.want != "" && got != c.want {
			return mismatch(c.header)
		}
	}
	return nil
}

// nameOf is what the header Mcp-Name repeats: the tool, prompt or resource that a request is about.
func nameOf(m message) string {
	member := map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}[m.method]
	var name string
	json.Unmarshal(members(m.params)[member], &name)
	return name
}

// headerText undoes the encoding of header values that are not plain ASCII.
func headerText(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if inner, end := strings.CutSuffix(inner, "?="); ok && end {
		if text, err := base64.StdEncoding.DecodeString(inner); err == nil {
			return string(text)
		}
	}
	return value
}

func writeReply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
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
