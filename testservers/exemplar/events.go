package exemplar

import (
	"fmt"
	"net/http"
	"sync"
)

// events writes messages as server-sent events.
type events struct {
	mu     sync.Mutex
	w      http.ResponseWriter
	peer   *Peer // the client that may request a replay; nil for none
	stream int   // its number among the streams of the peer
	begun  bool
	closed bool
}

func (e *events) began() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.begun
}

func (e *events) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.beginLocked()
	_ = http.NewResponseController(e.w).Flush()
}

func (e *events) beginLocked() {
	if e.begun {
		return
	}
	e.begun = true
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("Cache-Control", "no-cache")
	e.w.Header().Set("X-Accel-Buffering", "no")
	e.w.WriteHeader(http.StatusOK)
}

func (e *events) send(message []byte) { e.put(message, false) }

// end sends the response.
func (e *events) end(reply []byte) { e.put(reply, true) }

func (e *events) put(message []byte, last bool) {
	id := ""
	if e.peer != nil {
		id = e.peer.keep(e.stream, message, last)
	}
	e.write(id, message)
}

func (e *events) write(id string, message []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.beginLocked()
	if id != "" {
		fmt.Fprintf(e.w, "id: %s\n", id)
	}
	fmt.Fprintf(e.w, "event: message\ndata: %s\n\n", message)
	_ = http.NewResponseController(e.w).Flush()
}

// close prevents writes after the exchange has ended.
func (e *events) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}
