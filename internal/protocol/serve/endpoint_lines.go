package serve

import (
	"context"
	"io"
	"sync"
	"time"
)

// A lineServer is an endpoint's side of one stream of lines.
type lineServer struct {
	*Endpoint
	ctx    context.Context
	out    *LineWriter
	peer   *Peer         // the client; legacy once it has sent initialize
	places chan struct{} // held by requests under way
	stuck  bool          // none of them was given back for a while, nor can what was said since have helped
	calls  sync.WaitGroup
}

// ServeLines speaks with one client until in ends or ctx is done, and returns when nothing of it is left.
func (e *Endpoint) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &lineServer{Endpoint: e, ctx: ctx, out: &LineWriter{Out: out}, peer: newPeer(e.opts.Stdio), places: make(chan struct{}, e.opts.MaxAnswers)}
	s.peer.tell = func(frame []byte) { _ = s.out.Write(frame) }
	err := EachLine(ctx, in, s.line)
	if err == nil {
		Finish(&s.calls, func() { cancel(ErrGone) })
	}
	cancel(ErrGone)
	if s.peer.end() {
		e.backend.Gone(s.peer)
	}
	s.calls.Wait()
	return err
}

// line handles one line of input. It fails only when the output has.
func (s *lineServer) line(text []byte) error {
	if text == nil {
		return s.out.Write(Failure(nil, TooLong()))
	}
	if IsBatch(text) {
		return s.out.Write(Failure(nil, InvalidRequest("batches are not served")))
	}
	in, bad := ReadInbound(text)
	switch {
	case bad != nil && in.Kind == Notification && in.Method != "":
		return nil // a notification is never answered
	case bad != nil:
		return s.out.Write(Failure(in.ID, bad))
	case in.Kind == Response:
		s.stuck = false // it may be what a request has waited for
		s.peer.answered(in)
		return nil
	case in.Kind == Notification:
		s.stuck = false
		s.notified(s.peer, in)
		return nil
	}
	return s.request(in)
}

// notified does what a notification says about the connection, and passes others on.
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
		bad = &Error{Code: CodeOverloaded, Message: "the server is going away"}
	case bad == nil && era == Legacy && in.Method == "initialize" && s.peer.Revision != "":
		bad = InvalidRequest("initialize is sent once")
	case bad == nil && era == Modern && legacyOnly(in.Method):
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
		return s.out.Write(reply(in.ID, result, bad))
	}
	if !s.place() {
		done()
		return s.out.Write(Failure(in.ID, &Error{Code: CodeOverloaded, Message: "too many requests are under way"}))
	}
	s.active.Add(1)
	s.calls.Go(func() {
		defer s.active.Done()
		defer func() { <-s.places }()
		defer done()
		result, bad := s.backend.Answer(ctx, c)
		if ctx.Err() == nil { // what was withdrawn is not answered
			_ = s.out.Write(reply(in.ID, result, bad))
		}
	})
	return nil
}

// fullFor is how long a stream on which too many requests are under way waits for one of them to end.
const fullFor = time.Second

// place takes one of the places for requests. A client may send as many as it likes while they are answered; but those that are
// not may wait for what it says next, an answer or a cancellation, so that it must be heard all the same.
func (s *lineServer) place() bool {
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
