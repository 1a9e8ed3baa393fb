package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A rawStream is one connection of a rawServer over lines.
type rawStream struct {
	server *rawServer
	out    *serve.LineWriter
	die    context.CancelCauseFunc
	calls  sync.WaitGroup

	mu      sync.Mutex
	opened  bool                          // the client has sent initialize
	running map[string]context.CancelFunc // by the bytes of the id
}

// serve serves one client until its input ends. Calls in flight are cancelled then.
func (s *rawServer) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, die := context.WithCancelCause(ctx)
	defer die(nil)
	c := &rawStream{server: s, out: &serve.LineWriter{Out: out}, die: die, running: map[string]context.CancelFunc{}}
	err := serve.EachLine(ctx, in, func(line []byte) error { return c.line(ctx, line) })
	serve.Shutdown(&c.calls, func() { die(context.Canceled) })
	var died *Crash
	if errors.As(context.Cause(ctx), &died) {
		return died
	}
	return err
}

func (c *rawStream) line(ctx context.Context, line []byte) error {
	switch {
	case line == nil:
		return c.out.Write(serve.Failure(nil, serve.TooLong()))
	case serve.IsBatch(line):
		if bad := serve.Syntax(line); bad != nil {
			return c.out.Write(serve.Failure(nil, bad))
		}
		return c.out.Write(serve.Failure(nil, serve.InvalidRequest("batches are not supported")))
	}
	m, bad := serve.Parse(line)
	switch {
	case bad != nil && m.Kind == serve.Notification && m.Method != "":
		return nil
	case bad != nil:
		return c.out.Write(serve.Failure(m.ID, bad))
	case m.Kind == serve.Notification:
		c.notified(m)
		return nil
	case m.Kind == serve.Response:
		return nil
	}
	return c.request(ctx, m)
}

func (c *rawStream) request(ctx context.Context, m serve.Message) error {
	c.mu.Lock()
	e, bad := serve.EraOf(m, c.opened)
	again := c.opened && e == spec.Legacy && m.Method == "initialize"
	c.mu.Unlock()
	switch {
	case bad != nil:
		return c.out.Write(serve.Failure(m.ID, bad))
	case again:
		return c.out.Write(serve.Failure(m.ID, serve.InvalidRequest("initialize was already sent")))
	}
	if m.Method != "tools/call" {
		reply := c.server.respond(ctx, m, e, &rawCall{})
		if m.Method == "initialize" && reply.err == nil {
			c.mu.Lock()
			c.opened = true
			c.mu.Unlock()
		}
		return c.reply(m, reply)
	}
	return c.start(ctx, m, e)
}

// start runs a call concurrently with reading, so that it can be cancelled.
func (c *rawStream) start(ctx context.Context, m serve.Message, e spec.Era) error {
	ctx, cancel := context.WithCancel(ctx)
	id := string(m.ID)
	c.mu.Lock()
	_, taken := c.running[id]
	if !taken {
		c.running[id] = cancel
	}
	c.mu.Unlock()
	if taken {
		cancel()
		return c.out.Write(serve.Failure(nil, serve.InvalidRequest("id %s is already in use", id)))
	}
	c.calls.Go(func() {
		defer cancel()
		defer c.crash()
		reply := c.server.respond(ctx, m, e, &rawCall{notify: c.notify, die: func(d *Crash) { c.die(d) }})
		c.mu.Lock()
		delete(c.running, id)
		c.mu.Unlock()
		if ctx.Err() == nil { // a cancelled request gets no response
			c.reply(m, reply)
		}
	})
	return nil
}

// crash converts the panic of a call to a crash of the server, as in a separate process.
func (c *rawStream) crash() {
	if p := recover(); p != nil {
		c.die(&Crash{Code: 2, Message: fmt.Sprintf("panic: %v", p)})
	}
}

func (c *rawStream) reply(m serve.Message, r rawReply) error {
	if text, ok := c.server.noise[m.Method]; ok {
		c.out.Write([]byte(text))
	}
	return c.out.Write(r.bytes(m.ID))
}

func (c *rawStream) notify(method string, params any) {
	c.out.Write(notice(method, params))
}

func (c *rawStream) notified(m serve.Message) {
	if m.Method != "notifications/cancelled" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.running[string(serve.Members(m.Params)["requestId"])]; ok {
		cancel()
	}
}

// notice is a notification.
func notice(method string, params any) []byte {
	return serve.Encode(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}
