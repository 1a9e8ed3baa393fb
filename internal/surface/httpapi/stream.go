package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// Timing of event streams.
const (
	eventTimeout      = 10 * time.Second      // a client that does not accept an event within this time is dropped
	keepAliveInterval = 15 * time.Second      // idle time after which a keep-alive comment is sent
	debounce          = 40 * time.Millisecond // changes within this time are sent together
)

// stream declares a route that returns a stream of events.
func stream[In, Out any](pattern, doc string,
	answer func(ctx context.Context, s *Server, r *http.Request, in In, e *events) error) Route {
	return Route{Pattern: pattern, Doc: doc, In: typeOf[In](), Out: typeOf[Out](), Stream: true,
		handle: func(s *Server, w http.ResponseWriter, r *http.Request) error {
			in, err := body[In](r)
			if err != nil {
				return err
			}
			select {
			case s.streams <- struct{}{}:
				defer func() { <-s.streams }()
			default:
				return &view.Problem{Kind: view.KindUsage,
					Message: fmt.Sprintf("too many open event streams (%d)", maxStreams),
					Hint:    "close other tabs of this page"}
			}
			s.running.Add(1)
			defer s.running.Done()
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			go func() {
				select {
				case <-s.stopped:
					cancel()
				case <-ctx.Done():
				}
			}()
			return answer(ctx, s, r, in, newEvents(w))
		}}
}

// An events writes server-sent events. It is safe for concurrent use.
type events struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	rc   *http.ResponseController
	dead error
}

func newEvents(w http.ResponseWriter) *events {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	e := &events{w: w, rc: http.NewResponseController(w)}
	e.comment("hello")
	return e
}

// put writes one event. A client that does not accept it in time gets no more.
func (e *events) put(id int, kind string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	head := "event: " + kind + "\n"
	if id > 0 {
		head = "id: " + strconv.Itoa(id) + "\n" + head
	}
	return e.write(head + "data: " + string(text) + "\n\n")
}

// comment writes a keep-alive comment, which readers ignore.
func (e *events) comment(text string) error { return e.write(": " + text + "\n\n") }

func (e *events) write(text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dead != nil {
		return e.dead
	}
	_ = e.rc.SetWriteDeadline(time.Now().Add(eventTimeout)) // not every writer can
	if _, e.dead = e.w.Write([]byte(text)); e.dead == nil {
		e.dead = e.rc.Flush()
	}
	return e.dead
}

// streamEvents sends events until the client disconnects.
func streamEvents(ctx context.Context, s *Server, r *http.Request, _ None, e *events) error {
	last, _ := strconv.Atoi(r.URL.Query().Get("after"))
	alive := time.NewTicker(keepAliveInterval)
	defer alive.Stop()
	for {
		list, next := s.inspector.Journal().After(last)
		for _, event := range list {
			if err := e.put(event.ID, event.Kind, event); err != nil {
				return nil
			}
			last = event.ID
		}
		select {
		case <-next:
		case <-alive.C:
			if err := e.comment("alive"); err != nil {
				return nil
			}
		case <-ctx.Done():
			return nil
		}
		select {
		case <-time.After(debounce):
		case <-ctx.Done():
			return nil
		}
	}
}

// streamRun runs an operation and sends its events. If the client disconnects, the operation is stopped.
func streamRun(ctx context.Context, s *Server, r *http.Request, in view.RunInput, e *events) error {
	s.inspector.Run(ctx, r.PathValue("operation"), in,
		func(event view.RunEvent) { _ = e.put(0, event.Kind, event) })
	return nil
}
