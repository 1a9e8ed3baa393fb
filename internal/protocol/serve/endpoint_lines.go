package serve

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A lineServer is an endpoint's side of one stream of lines.
type lineServer struct {
	*Endpoint
	ctx    context.Context
	out    *LineWriter
	peer   *Peer         // the client; legacy once it has sent initialize
	places chan struct{} // held by requests in flight
	stuck  bool          // no slot was released for a while, and no message since can have helped
	calls  sync.WaitGroup
}

// ServeLines serves one client until in ends or ctx is done, and returns when all of it has ended.
func (e *Endpoint) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &lineServer{Endpoint: e, ctx: ctx, out: &LineWriter{Out: out}, peer: newPeer(e.opts.Stdio),
		places: make(chan struct{}, e.opts.MaxAnswers)}
	s.peer.tell = func(frame []byte) { _ = s.out.Write(frame) }
	err := EachLine(ctx, in, s.line)
	if err == nil {
		Shutdown(&s.calls, func() { cancel(ErrDisconnected) })
	}
	cancel(ErrDisconnected)
	if s.peer.end() {
		e.backend.Disconnected(s.peer)
	}
	s.calls.Wait()
	return err
}

// line handles one line of input. It fails only if the output has failed.
func (s *lineServer) line(text []byte) error {
	if text == nil {
		return s.out.Write(Failure(nil, TooLong()))
	}
	if IsBatch(text) {
		return s.out.Write(Failure(nil, InvalidRequest("batches are not supported")))
	}
	in, bad := ReadInbound(text)
	switch {
	case bad != nil && in.Kind == Notification && in.Method != "":
		return nil // a notification gets no response
	case bad != nil:
		return s.out.Write(Failure(in.ID, bad))
	case in.Kind == Response:
		s.stuck = false // a request may be waiting for it
		s.peer.onResponse(in)
		return nil
	case in.Kind == Notification:
		s.stuck = false
		s.notified(s.peer, in)
		return nil
	}
	return s.request(in)
}

// notified handles notifications about the connection, and passes others on.
func (e *Endpoint) notified(p *Peer, in *Inbound) {
	switch in.Method {
	case "notifications/cancelled":
		p.withdraw(in)
	default:
		e.backend.Notified(p, in)
	}
}

func (s *lineServer) request(in *Inbound) error {
	era, bad := eraBy(in.Method, in.Meta, s.peer.Revision != "")
	switch {
	case bad == nil && s.Draining():
		bad = &Error{Code: CodeOverloaded, Message: "the server is shutting down"}
	case bad == nil && era == spec.Legacy && in.Method == "initialize" && s.peer.Revision != "":
		bad = InvalidRequest("initialize must be sent only once")
	case bad == nil && era == spec.Modern && legacyOnly(in.Method):
		bad = MethodNotFound(in.Method)
	case bad == nil:
		bad = in.checkShape()
	}
	if bad != nil {
		return s.out.Write(Failure(in.ID, bad))
	}
	ctx, done, bad := s.peer.begin(s.ctx, in.ID)
	if bad != nil {
		return s.out.Write(Failure(nil, bad)) // the id belongs to another request
	}
	c := &Call{Inbound: in, Era: era, Peer: s.peer, Drained: s.drained, send: s.out.Write}
	if in.Method == "initialize" {
		defer done()
		result, bad := s.initialize(ctx, s.peer, c)
		defer c.responded()
		return s.out.Write(reply(in.ID, result, bad))
	}
	if !s.reserve() {
		done()
		return s.out.Write(Failure(in.ID, &Error{Code: CodeOverloaded, Message: "too many in-flight requests"}))
	}
	s.active.Add(1)
	s.calls.Go(func() {
		defer s.active.Add(-1)
		defer func() { <-s.places }()
		defer done()
		result, bad := s.backend.Answer(ctx, c)
		if ctx.Err() == nil { // a cancelled request gets no response
			_ = s.out.Write(reply(in.ID, result, bad))
			c.responded()
		}
	})
	return nil
}

// fullFor is how long a stream with too many requests in flight waits for one of them to finish.
const fullFor = time.Second

// reserve takes a slot for a request. A client may send many requests while they are handled; but they may wait
// for its next message, a response or a cancellation, so the stream must still be read.
func (s *lineServer) reserve() bool {
	select {
	case s.places <- struct{}{}:
		s.stuck = false
		return true
	default:
	}
	if s.stuck {
		return false
	}
	timer := time.NewTimer(fullFor)
	defer timer.Stop()
	select {
	case s.places <- struct{}{}:
		return true
	case <-timer.C:
		s.stuck = true
	case <-s.ctx.Done():
	}
	return false
}
