package exemplar

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/stdinwake"
)

// A Line is a line-based connection.
type Line struct {
	Server *Server
	Peer   *Peer
	ctx    context.Context

	mu  sync.Mutex
	out io.Writer
}

// Write writes a message as a line.
func (l *Line) Write(message []byte) { l.Print(string(message) + "\n") }

// Print writes text verbatim.
func (l *Line) Print(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.out, text)
}

// Serve serves one client over lines until the input ends. It matches wire.Target.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &Line{Server: s, Peer: newPeer(), ctx: ctx, out: out}
	l.Peer.send = l.Write
	defer s.watch(l.Peer.hear)()
	if s.Start != nil {
		s.Start(l)
	}
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	input := bufio.NewReader(in)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			break
		}
		if line = line[:len(line)-1]; s.Input != nil && s.Input(l, line) {
			continue
		}
		l.take(line, &work)
	}
	if s.End != nil {
		s.End(l)
	}
	return nil
}

// Main serves on the standard streams of the process and returns its exit status.
func (s *Server) Main() int {
	defer stdinwake.Start()()
	if s.Serve(context.Background(), os.Stdin, os.Stdout) != nil {
		return 1
	}
	return 0
}

func newPeer() *Peer {
	return &Peer{running: map[string]context.CancelFunc{}, answers: map[string]chan json.RawMessage{}}
}

// take handles one line.
func (l *Line) take(line []byte, work *sync.WaitGroup) {
	if serve.IsBatch(line) && l.Peer.settled() == "2025-03-26" {
		work.Go(func() { l.batch(line) })
		return
	}
	m, bad := serve.Parse(line)
	switch {
	case bad != nil && (m.ID != nil || m.Kind == serve.Request):
		l.Write(serve.Failure(m.ID, bad))
	case bad != nil:
	case m.Kind == serve.Response:
		l.Peer.answered(m.ID, line)
	case m.Kind == serve.Notification:
		l.heard(m)
	case m.Method == "initialize":
		l.serve(m) // later messages depend on it
	default:
		work.Go(func() { l.serve(m) })
	}
}

// batch responds to a batch in one line.
func (l *Line) batch(line []byte) {
	var items []json.RawMessage
	_ = json.Unmarshal(line, &items)
	var replies []json.RawMessage
	for _, item := range items {
		m, bad := serve.Parse(item)
		switch {
		case bad != nil:
			replies = append(replies, serve.Failure(m.ID, bad))
		case m.Kind == serve.Request:
			if reply := l.reply(m); reply != nil {
				replies = append(replies, reply)
			}
		case m.Kind == serve.Notification:
			l.heard(m)
		}
	}
	if len(replies) > 0 {
		l.Write(serve.Encode(replies))
	}
}

func (l *Line) heard(m serve.Message) {
	if l.Server.Heard != nil {
		l.Server.Heard(l, m.Method)
	}
	if m.Method == "notifications/cancelled" {
		l.Peer.cancel(serve.Members(m.Params)["requestId"])
	}
}

func (l *Line) serve(m serve.Message) {
	if reply := l.reply(m); reply != nil {
		l.Write(reply)
	}
}

// reply returns the response to a request; nil if it was cancelled.
func (l *Line) reply(m serve.Message) []byte {
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	defer l.Peer.run(m.ID, cancel)()
	c := &Call{Ctx: ctx, Server: l.Server, Peer: l.Peer, ID: m.ID, Method: m.Method, Params: m.Params,
		Revision: l.Peer.settled(), Send: l.Write}
	c.Ask = func(method, params string) (json.RawMessage, bool) { return l.Peer.ask(ctx, l.Write, method, params) }
	var era spec.Era
	if era, c.Fault = l.Server.eraOf(m, c.Revision != ""); era == spec.Modern {
		c.Modern, c.Revision = true, spec.July2026
	}
	reply := l.Server.answer(c)
	if ctx.Err() != nil && l.ctx.Err() == nil && !(l.Server.Stop != nil && l.Server.Stop(c, m.Method)) {
		return nil // cancelled
	}
	return reply
}

// eraOf decides whether a request is handled with or without a handshake.
func (s *Server) eraOf(m serve.Message, opened bool) (spec.Era, *serve.Error) {
	if !opened && m.Method != "initialize" && m.Method != "ping" &&
		serve.Members(serve.Members(m.Params)["_meta"])[serve.MetaVersion] == nil {
		return spec.Modern, serve.InvalidParams("_meta field %q is required unless the client has sent initialize",
			serve.MetaVersion)
	}
	return serve.EraOf(m, opened)
}

// run registers a request while it is in flight.
func (p *Peer) run(id json.RawMessage, cancel context.CancelFunc) (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running[string(id)] = cancel
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.running, string(id))
	}
}

func (p *Peer) cancel(id json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel := p.running[string(id)]; cancel != nil {
		cancel()
	}
}

// cancelAll cancels all requests in flight.
func (p *Peer) cancelAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, cancel := range p.running {
		cancel()
	}
}

// ask sends a request to the client and waits for the response.
func (p *Peer) ask(ctx context.Context, send func([]byte), method, params string) (json.RawMessage, bool) {
	p.mu.Lock()
	p.asked++
	id := fmt.Sprintf(`"ask-%d"`, p.asked)
	answer := make(chan json.RawMessage, 1)
	p.answers[id] = answer
	p.mu.Unlock()
	send([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`))
	select {
	case raw := <-answer:
		return raw, serve.Members(raw)["result"] != nil
	case <-ctx.Done():
		return nil, false
	}
}

func (p *Peer) answered(id json.RawMessage, message []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if waiting := p.answers[string(id)]; waiting != nil {
		delete(p.answers, string(id))
		waiting <- append([]byte(nil), message...)
	}
}
