package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A httpHandler serves an SDK server over Streamable HTTP. The SDK's handler serves a single era, so there are two of
// them for one server, and a gate in front.
type httpHandler struct {
	server         *mcp.Server
	legacy, modern http.Handler
}

// Handler returns the server as a Streamable HTTP endpoint for all revisions, and a function that ends its
// sessions. The caller must check Host and Origin.
func Handler(server *mcp.Server) (http.Handler, func()) {
	get := func(*http.Request) *mcp.Server { return server }
	h := &httpHandler{
		server: server,
		legacy: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			MaxRequestBodyBytes: MaxMessage, SessionTimeout: time.Hour}),
		modern: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			Stateless: true, MaxRequestBodyBytes: MaxMessage, PropagateRequestCancellation: true}),
	}
	return h, h.stop
}

// stop ends all sessions.
func (h *httpHandler) stop() {
	for s := range h.server.Sessions() {
		s.Close()
	}
}

// ServeHTTP implements http.Handler.
func (h *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	version := r.Header.Get("MCP-Protocol-Version")
	if r.Method != http.MethodPost {
		switch {
		case CheckVersion(version, Message{}) != nil:
			WriteReply(w, http.StatusBadRequest, Failure(nil, CheckVersion(version, Message{})))
		case isModern(version):
			h.modern.ServeHTTP(w, r)
		default:
			h.legacy.ServeHTTP(w, r)
		}
		return
	}
	body, ok := ReadBody(w, r)
	if !ok {
		return
	}
	m, _ := Parse(body)
	if odd := CheckVersion(version, m); odd != nil {
		WriteReply(w, http.StatusBadRequest, Failure(m.ID, odd))
		return
	}
	h.post(w, r, body, version)
}

func (h *httpHandler) post(w http.ResponseWriter, r *http.Request, body []byte, version string) {
	session := r.Header.Get("Mcp-Session-Id")
	if IsBatch(body) && !isModern(version) {
		h.batch(w, r, body, session)
		return
	}
	m, bad := Parse(body)
	if bad == nil {
		bad = unique(body)
	}
	named, _ := modernMeta(m.Params)
	switch {
	case bad != nil:
		WriteReply(w, http.StatusBadRequest, Failure(m.ID, bad))
	case isModern(version) || m.Kind == Request && spec.EraOf(named) == spec.Modern:
		h.postModern(w, r, m, body)
	default:
		h.postLegacy(w, r, m, body, session)
	}
}

func (h *httpHandler) postModern(w http.ResponseWriter, r *http.Request, m Message, body []byte) {
	switch m.Kind {
	case Notification:
		w.WriteHeader(http.StatusAccepted) // notifications have no effect without a session
		return
	case Response:
		WriteReply(w, http.StatusBadRequest, Failure(nil, InvalidRequest("response does not match a request")))
		return
	}
	e, bad := EraOf(m, false)
	if bad == nil && e == spec.Legacy {
		bad = InvalidParams("_meta field %q is required", MetaVersion)
	}
	if bad == nil {
		bad = CheckHeaders(r.Header, m)
	}
	if bad == nil {
		bad = validateRequest(m, spec.Modern)
	}
	if bad != nil {
		WriteReply(w, StatusOf(bad, spec.Modern), Failure(m.ID, bad))
		return
	}
	if name := nameOf(m); name != "" {
		r.Header.Set("Mcp-Name", name) // compared above; the SDK does not support the encoding of header values
	}
	w.Header().Set("X-Accel-Buffering", "no")
	pass(h.modern, w, r, body)
}

func (h *httpHandler) postLegacy(w http.ResponseWriter, r *http.Request, m Message, body []byte, session string) {
	if session != "" && h.session(session) == nil {
		WriteReply(w, http.StatusNotFound, Failure(m.ID, InvalidRequest("session not found")))
		return
	}
	if session == "" && m.Method != "initialize" {
		WriteReply(w, http.StatusBadRequest, Failure(m.ID,
			InvalidRequest("Mcp-Session-Id is required; send initialize first")))
		return
	}
	switch {
	case m.Kind == Notification && !legacyNotification(m):
		w.WriteHeader(http.StatusAccepted)
		return
	case m.Kind == Request && m.Method == "initialize" && session != "":
		WriteReply(w, http.StatusBadRequest, Failure(m.ID, InvalidRequest("the session is already initialized")))
		return
	case m.Kind == Request:
		if bad := validateRequest(m, spec.Legacy); bad != nil {
			WriteReply(w, http.StatusOK, Failure(m.ID, bad))
			return
		}
	}
	if m.Method == "initialize" {
		body = reinitialize(m)
	}
	pass(h.legacy, cancelledWriter{w}, r, body)
}

// legacyNotification reports whether the SDK supports the notification.
func legacyNotification(m Message) bool {
	switch m.Method {
	case "notifications/initialized", "notifications/roots/list_changed":
		return true
	case "notifications/cancelled":
		_, ok := requestID(Members(m.Params)["requestId"])
		return ok
	}
	return false
}

// reinitialize returns the request with the revision that will be negotiated; see withRevision.
func reinitialize(m Message) []byte {
	var asked string
	json.Unmarshal(Members(m.Params)["protocolVersion"], &asked)
	return Encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}{"2.0", m.ID, m.Method, withRevision(m.Params, Negotiate(asked))})
}

// batch passes an array on in a session of the only revision with batches.
func (h *httpHandler) batch(w http.ResponseWriter, r *http.Request, body []byte, session string) {
	if bad := Syntax(body); bad != nil {
		WriteReply(w, http.StatusBadRequest, Failure(nil, bad))
		return
	}
	s := h.session(session)
	if s == nil || !spec.Of(Negotiate(s.InitializeParams().ProtocolVersion)).Batches {
		WriteReply(w, http.StatusBadRequest, Failure(nil,
			InvalidRequest("batches are allowed only in sessions of %s", spec.March2025)))
		return
	}
	var parts []json.RawMessage
	json.Unmarshal(body, &parts)
	for _, part := range parts {
		m, bad := Parse(part)
		if bad == nil {
			bad = unique(part)
		}
		if bad == nil && m.Kind == Request {
			bad = validateRequest(m, spec.Legacy)
		}
		if bad != nil || m.Method == "initialize" {
			WriteReply(w, http.StatusBadRequest, Failure(m.ID, InvalidRequest("the batch contains an invalid message")))
			return
		}
	}
	pass(h.legacy, w, r, body)
}

// session returns the open session with the ID, or nil.
func (h *httpHandler) session(id string) *mcp.ServerSession {
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
