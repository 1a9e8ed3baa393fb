package exemplar

import (
	"fmt"
	"net/http"
	"strings"
)

// A kept is an event of a stream that a client up to 2025-11-25 may request again.
type kept struct {
	stream int
	id     string
	data   []byte
	last   bool // the response: nothing follows it
}

// A tape stores the events of a session, so that a stream can be resumed on another connection.
type tape struct {
	events  []kept
	streams int
	grown   chan struct{} // closed when an event is added
}

// stream starts an event stream.
func (p *Peer) stream() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tape.streams++
	return p.tape.streams
}

// keep stores an event and returns its ID.
func (p *Peer) keep(stream int, data []byte, last bool) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := fmt.Sprintf("%d-%d", stream, len(p.tape.events))
	p.tape.events = append(p.tape.events, kept{stream: stream, id: id, data: data, last: last})
	if p.tape.grown != nil {
		close(p.tape.grown)
		p.tape.grown = nil
	}
	return id
}

// after returns the events of a stream after an event, and a channel that is closed when there are more.
func (p *Peer) after(id string) (rest []kept, more <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stream, _, _ := strings.Cut(id, "-")
	found := false
	for _, e := range p.tape.events {
		if found && fmt.Sprint(e.stream) == stream {
			rest = append(rest, e)
		}
		found = found || e.id == id
	}
	if p.tape.grown == nil {
		p.tape.grown = make(chan struct{})
	}
	return rest, p.tape.grown
}

// replay resumes a stream after the last event that the client received, up to the response.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, p *Peer, id string) {
	e := &events{w: w}
	defer e.close()
	e.begin()
	for {
		rest, more := p.after(id)
		for _, k := range rest {
			e.write(k.id, k.data)
			id = k.id
			if k.last {
				return
			}
		}
		select {
		case <-more:
		case <-r.Context().Done():
			return
		}
	}
}
