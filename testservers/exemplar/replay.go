package exemplar

import (
	"fmt"
	"net/http"
	"strings"
)

// A kept is an event of a stream that a client of the older era may want again.
type kept struct {
	stream int
	id     string
	data   []byte
	last   bool // the answer: nothing comes after it
}

// A tape keeps the events of a session, so that a stream can be gone on with on another connection.
type tape struct {
	events  []kept
	streams int
	grown   chan struct{} // closed when an event comes
}

// stream begins a stream of events.
func (p *Peer) stream() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tape.streams++
	return p.tape.streams
}

// keep notes an event and returns its id.
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

// after lists what came on a stream after an event, and a channel that tells of more.
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

// replay goes on with a stream after the event that the client saw last, up to the answer.
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
