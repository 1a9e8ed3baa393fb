package exemplar

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Handler returns the server as a Streamable HTTP endpoint.
func (s *Server) Handler() http.Handler {
	var h http.Handler = http.HandlerFunc(s.serveHTTP)
	if s.Web != nil {
		h = s.Web(h)
	}
	return h
}

func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	modern := r.Header.Get("Mcp-Protocol-Version") >= spec.July2026
	switch {
	case !local(r.Host) || r.Header.Get("Origin") != "" && !local(hostOf(r.Header.Get("Origin"))):
		http.Error(w, "this server accepts only local requests", http.StatusForbidden)
	case r.Method == http.MethodGet && !modern:
		s.ear(w, r)
	case r.Method == http.MethodDelete && !modern:
		s.delete(w, r)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "POST")
		http.Error(w, "use POST", http.StatusMethodNotAllowed)
	case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
		http.Error(w, "want application/json", http.StatusUnsupportedMediaType)
	case !strings.Contains(r.Header.Get("Accept"), "application/json") ||
		!strings.Contains(r.Header.Get("Accept"), "text/event-stream"):
		http.Error(w, "accept application/json and text/event-stream", http.StatusNotAcceptable)
	default:
		if body, ok := serve.ReadBody(w, r); ok {
			s.post(w, r, body)
		}
	}
}

func hostOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Host
}

// local reports whether a host is local.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// post handles one message.
func (s *Server) post(w http.ResponseWriter, r *http.Request, body []byte) {
	version := r.Header.Get("Mcp-Protocol-Version")
	m, bad := serve.Parse(body)
	modern := version >= spec.July2026 || serve.Members(serve.Members(m.Params)["_meta"])[serve.MetaVersion] != nil
	switch odd := serve.CheckVersion(version, m); {
	case odd != nil && m.Kind == serve.Request && bad == nil:
		s.modern(w, r, m, odd)
	case odd != nil:
		serve.WriteReply(w, http.StatusBadRequest, serve.Failure(m.ID, odd))
	case modern && bad != nil:
		serve.WriteReply(w, http.StatusBadRequest, serve.Failure(m.ID, bad))
	case modern:
		s.modern(w, r, m, nil)
	default:
		s.legacy(w, r, body, m, bad)
	}
}

// modern handles a self-contained message.
func (s *Server) modern(w http.ResponseWriter, r *http.Request, m serve.Message, bad *serve.Error) {
	if m.Kind != serve.Request {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if bad == nil {
		_, bad = s.eraOf(m, false)
	}
	if bad == nil {
		bad = serve.CheckHeaders(r.Header, m)
	}
	if bad == nil {
		bad = checkPlace(r.Header, m)
	}
	c := &Call{Ctx: r.Context(), Server: s, Peer: newPeer(), ID: m.ID, Method: m.Method, Params: m.Params,
		Revision: spec.July2026, Modern: true,
		HTTP: true, Fault: bad}
	s.respond(w, c)
}

// legacy handles a message of a session.
func (s *Server) legacy(w http.ResponseWriter, r *http.Request, body []byte, m serve.Message, bad *serve.Error) {
	peer := newPeer()
	if m.Method != "initialize" {
		found, status := s.session(r)
		if status != 0 {
			serve.WriteReply(w, status, serve.Failure(m.ID, &serve.Error{Code: -32000, Message: "no such session"}))
			return
		}
		peer = found
	}
	if serve.IsBatch(body) && peer.settled() == "2025-03-26" {
		s.batch(w, r, peer, body)
		return
	}
	switch {
	case bad != nil:
		serve.WriteReply(w, http.StatusBadRequest, serve.Failure(m.ID, bad))
	case m.Kind == serve.Response:
		peer.answered(m.ID, body)
		w.WriteHeader(http.StatusAccepted)
	case m.Kind == serve.Notification:
		if m.Method == "notifications/cancelled" {
			peer.cancel(serve.Members(m.Params)["requestId"])
		}
		w.WriteHeader(http.StatusAccepted)
	default:
		ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // a lost connection cancels nothing
		defer cancel()
		defer peer.run(m.ID, cancel)()
		c := &Call{Ctx: ctx, Server: s, Peer: peer, ID: m.ID, Method: m.Method, Params: m.Params,
			Revision: peer.settled(), HTTP: true, Gone: r.Context().Done()}
		if m.Method == "initialize" {
			s.open(peer)
			w.Header().Set("Mcp-Session-Id", peer.id)
		}
		s.respond(w, c)
	}
}

func (s *Server) batch(w http.ResponseWriter, r *http.Request, peer *Peer, body []byte) {
	var items, replies []json.RawMessage
	_ = json.Unmarshal(body, &items)
	for _, item := range items {
		m, bad := serve.Parse(item)
		switch {
		case bad != nil:
			replies = append(replies, serve.Failure(m.ID, bad))
		case m.Kind == serve.Request:
			c := &Call{Ctx: r.Context(), Server: s, Peer: peer, ID: m.ID, Method: m.Method, Params: m.Params,
				Revision: peer.settled(), HTTP: true, Send: func([]byte) {}}
			if reply := s.answer(c); reply != nil {
				replies = append(replies, reply)
			}
		}
	}
	if len(replies) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	serve.WriteReply(w, http.StatusOK, serve.Encode(replies))
}

// respond sends plain JSON, or an event stream if there are messages before the response.
func (s *Server) respond(w http.ResponseWriter, c *Call) {
	e := &events{w: w}
	defer e.close()
	if !c.Modern {
		e.peer, e.stream = c.Peer, c.Peer.stream()
	}
	c.Send = e.send
	c.Ask = func(method, params string) (json.RawMessage, bool) { return c.Peer.ask(c.Ctx, e.send, method, params) }
	reply := s.answer(c)
	switch {
	case e.began() && reply != nil:
		e.end(reply)
	case e.began():
	case reply == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		status := c.Status
		if status == 0 {
			status = statusOf(reply, c)
		}
		serve.WriteReply(w, status, reply)
	}
}

// statusOf returns the HTTP status for a reply.
func statusOf(reply []byte, c *Call) int {
	raw := serve.Members(reply)["error"]
	if raw == nil {
		return http.StatusOK
	}
	var refusal serve.Error
	_ = json.Unmarshal(raw, &refusal)
	era := spec.Legacy
	if c.Modern {
		era = spec.Modern
	}
	if c.Fault == nil && refusal.Code == serve.CodeInvalidParams {
		return http.StatusOK // the request was valid, but its target was not
	}
	return serve.StatusOf(&refusal, era)
}
