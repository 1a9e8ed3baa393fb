package exemplar

import (
	"crypto/rand"
	"net/http"
	"strings"
)

// open starts a session.
func (s *Server) open(p *Peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.id = rand.Text()
	if s.sessions == nil {
		s.sessions = map[string]*Peer{}
	}
	s.sessions[p.id] = p
}

// session returns the session of a request, or the error status.
func (s *Server) session(r *http.Request) (*Peer, int) {
	id := r.Header.Get("Mcp-Session-Id")
	s.mu.Lock()
	defer s.mu.Unlock()
	switch p := s.sessions[id]; {
	case id == "":
		return nil, http.StatusBadRequest
	case p == nil:
		return nil, http.StatusNotFound
	default:
		return p, 0
	}
}

// ear is the stream for unsolicited messages to a client up to 2025-11-25.
func (s *Server) ear(w http.ResponseWriter, r *http.Request) {
	p, status := s.session(r)
	switch {
	case status != 0:
		http.Error(w, "no such session", status)
		return
	case !strings.Contains(r.Header.Get("Accept"), "text/event-stream"):
		http.Error(w, "accept text/event-stream", http.StatusNotAcceptable)
		return
	}
	if seen := r.Header.Get("Last-Event-ID"); seen != "" {
		s.replay(w, r, p, seen)
		return
	}
	e := &events{w: w}
	e.begin()
	p.mu.Lock()
	p.send = e.send
	p.mu.Unlock()
	stop := s.watch(p.hear)
	<-r.Context().Done()
	stop()
	p.mu.Lock()
	p.send = nil
	p.mu.Unlock()
	e.close()
}

func (s *Server) delete(w http.ResponseWriter, r *http.Request) {
	p, status := s.session(r)
	if status != 0 {
		http.Error(w, "no such session", status)
		return
	}
	s.mu.Lock()
	delete(s.sessions, p.id)
	s.mu.Unlock()
	p.cancelAll()
	w.WriteHeader(http.StatusOK)
}
