package demo

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A web serves the clean server over Streamable HTTP. The SDK's handler serves one era or the other, so that there
// are two of them around the one server, and a gate in front.
type web struct {
	server         *mcp.Server
	legacy, modern http.Handler
}

func cleanHandler() (http.Handler, func()) {
	server := newClean().server
	get := func(*http.Request) *mcp.Server { return server }
	h := &web{
		server: server,
		legacy: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			MaxRequestBodyBytes: maxMessage, SessionTimeout: time.Hour}),
		modern: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			Stateless: true, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true}),
	}
	return h, h.stop
}

// stop ends all sessions.
func (h *web) stop() {
	for s := range h.server.Sessions() {
		s.Close()
	}
}

// ServeHTTP implements http.Handler.
func (h *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !allowed(w, r) {
		return
	}
	version := r.Header.Get("MCP-Protocol-Version")
	if r.Method != http.MethodPost {
		switch {
		case checkVersion(version, message{}) != nil:
			writeReply(w, http.StatusBadRequest, failure(nil, checkVersion(version, message{})))
		case version == rev2026July:
			h.modern.ServeHTTP(w, r)
		default:
			h.legacy.ServeHTTP(w, r)
		}
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	m, _ := parse(body)
	if odd := checkVersion(version, m); odd != nil {
		writeReply(w, http.StatusBadRequest, failure(m.id, odd))
		return
	}
	h.post(w, r, body, version)
}

func (h *web) post(w http.ResponseWriter, r *http.Request, body []byte, version string) {
	session := r.Header.Get("Mcp-Session-Id")
	if isBatch(body) && version != rev2026July {
		h.batch(w, r, body, session)
		return
	}
	m, bad := parse(body)
	if bad == nil {
		bad = unique(body)
	}
	named, _ := modernMeta(m.params)
	switch {
	case bad != nil:
		writeReply(w, http.StatusBadRequest, failure(m.id, bad))
	case version == rev2026July || m.kind == request && named >= rev2026July:
		h.postModern(w, r, m, body)
	default:
		h.postLegacy(w, r, m, body, session)
	}
}

func (h *web) postModern(w http.ResponseWriter, r *http.Request, m message, body []byte) {
	switch m.kind {
	case notification:
		w.WriteHeader(http.StatusAccepted) // there is none that could mean anything without a session
		return
	case response:
		writeReply(w, http.StatusBadRequest, failure(nil, invalidRequest("there are no requests that this could answer")))
		return
	}
	e, bad := eraOf(m, false)
	if bad == nil && e == legacy {
		bad = invalidParams("_meta field %q is required", metaVersion)
	}
	if bad == nil {
		bad = checkHeaders(r.Header, m)
	}
	if bad == nil {
		bad = gate(m, modern)
	}
	if bad != nil {
		writeReply(w, statusOf(bad, modern), failure(m.id, bad))
		return
	}
	if name := nameOf(m); name != "" {
		r.Header.Set("Mcp-Name", name) // compared above; the SDK does not know the encoding of header values
	}
	w.Header().Set("X-Accel-Buffering", "no")
	pass(h.modern, w, r, body)
}

func (h *web) postLegacy(w http.ResponseWriter, r *http.Request, m message, body []byte, session string) {
	if session != "" && h.session(session) == nil {
		writeReply(w, http.StatusNotFound, failure(m.id, invalidRequest("there is no such session")))
		return
	}
	if session == "" && m.method != "initialize" {
		writeReply(w, http.StatusBadRequest, failure(m.id, invalidRequest("Mcp-Session-Id is required; send initialize first")))
		return
	}
	switch {
	case m.kind == notification && !legacyNotification(m):
		w.WriteHeader(http.StatusAccepted)
		return
	case m.kind == request && m.method == "initialize" && session != "":
		writeReply(w, http.StatusBadRequest, failure(m.id, invalidRequest("the session is initialized already")))
		return
	case m.kind == request:
		if bad := gate(m, legacy); bad != nil {
			writeReply(w, http.StatusOK, failure(m.id, bad))
			return
		}
	}
	if m.method == "initialize" {
		body = reinitialize(m)
	}
	pass(h.legacy, w, r, body)
}

// legacyNotification tells whether the SDK takes the notification.
func legacyNotification(m message) bool {
	switch m.method {
	case "notifications/initialized", "notifications/roots/list_changed":
		return true
	case "notifications/cancelled":
		_, ok := requestID(members(m.params)["requestId"])
		return ok
	}
	return false
}

// reinitialize is the request with the revision that will be agreed on; see withRevision.
func reinitialize(m message) []byte {
	var asked string
	json.Unmarshal(members(m.params)["protocolVersion"], &asked)
	return encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}{"2.0", m.id, m.method, withRevision(m.params, negotiate(asked))})
}

// batch passes an array on in a session of the one revision that has them.
func (h *web) batch(w http.ResponseWriter, r *http.Request, body []byte, session string) {
	if bad := syntax(body); bad != nil {
		writeReply(w, http.StatusBadRequest, failure(nil, bad))
		return
	}
	s := h.session(session)
	if s == nil || negotiate(s.InitializeParams().ProtocolVersion) != rev2025March {
		writeReply(w, http.StatusBadRequest, failure(nil, invalidRequest("batches are part of sessions of %s alone", rev2025March)))
		return
	}
	var parts []json.RawMessage
	json.Unmarshal(body, &parts)
	for _, part := range parts {
		m, bad := parse(part)
		if bad == nil {
			bad = unique(part)
		}
		if bad == nil && m.kind == request {
			bad = gate(m, legacy)
		}
		if bad != nil || m.method == "initialize" {
			writeReply(w, http.StatusBadRequest, failure(m.id, invalidRequest("the batch has a part that cannot be served")))
			return
		}
	}
	pass(h.legacy, w, r, body)
}

// session returns the open session with the id, or nil.
func (h *web) session(id string) *mcp.ServerSession {
	for s := range h.server.Sessions() {
		if id != "" && s.ID() == id && s.InitializeParams() != nil {
			return s
		}
	}
	return nil
}

func pass(to http.Handler, w http.ResponseWriter, r *http.Request, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	to.ServeHTTP(w, r)
}
