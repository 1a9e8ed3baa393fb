package tenants

import (
	"crypto/rand"
	"fmt"
	"net/http"
)

// listen serves the GET stream of a session, or replays events of a stream.
func (s *Server) listen(w http.ResponseWriter, r *http.Request, in *session) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	if last := r.Header.Get("Last-Event-Id"); last != "" {
		s.replay(w, in, last)
	}
	_ = http.NewResponseController(w).Flush()
	for {
		select {
		case message := <-in.out:
			fmt.Fprintf(w, "data: %s\n\n", message)
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// replay writes the events after the last one of its stream.
func (s *Server) replay(w http.ResponseWriter, in *session, last string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stream := ""
	for _, e := range s.events {
		switch {
		case e.id == last && (e.session == in.id || s.leak == eventReplay):
			stream = e.stream
		case stream != "" && e.stream == stream:
			fmt.Fprintf(w, "id: %s\ndata: %s\n\n", e.id, e.body)
		}
	}
}

// An output is the event stream of one call.
type output struct {
	s      *Server
	in     *session
	w      http.ResponseWriter
	stream string
}

func (c *call) output() *output {
	c.w.Header().Set("Content-Type", "text/event-stream")
	return &output{s: c.Server, in: c.in, w: c.w, stream: rand.Text()}
}

// write sends an event and stores it.
func (o *output) write(message string) {
	e := event{rand.Text(), o.stream, o.in.id, message}
	o.s.mu.Lock()
	o.s.events = append(o.s.events, e)
	o.s.mu.Unlock()
	fmt.Fprintf(o.w, "id: %s\ndata: %s\n\n", e.id, e.body)
	_ = http.NewResponseController(o.w).Flush()
}
