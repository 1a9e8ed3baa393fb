package demo

import (
	"context"
	"errors"
	"io"
	"sync"
)

// A rawStream is one connection of a rawServer over lines.
type rawStream struct {
	server *rawServer
	out    *lineWriter
	die    context.CancelCauseFunc
	calls  sync.WaitGroup

	mu      sync.Mutex
	opened  bool                          // the client has sent initialize
	running map[string]context.CancelFunc // by the bytes of the id
}

// serve speaks to one client until its input ends. Calls that run then are given up.
func (s *rawServer) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, die := context.WithCancelCause(ctx)
	defer die(nil)
	c := &rawStream{server: s, out: &lineWriter{out: out}, die: die, running: map[string]context.CancelFunc{}}
	err := eachLine(ctx, in, func(line []byte) error { return c.line(ctx, line) })
	finish(&c.calls, func() { die(context.Canceled) })
	var died *Died
	if errors.As(context.Cause(ctx), &died) {
		return died
	}
	return err
}

func (c *rawStream) line(ctx context.Context, line []byte) error {
	switch {
	case line == nil:
		return c.out.write(failure(nil, tooLong()))
	case isBatch(line):
		if bad := syntax(line); bad != nil {
			return c.out.write(failure(nil, bad))
		}
		return c.out.write(failure(nil, invalidRequest("batches are not supported")))
	}
	m, bad := parse(line)
	switch {
	case bad != nil && m.kind == notification && m.method != "":
		return nil
	case bad != nil:
		return c.out.write(failure(m.id, bad))
	case m.kind == notification:
		c.notified(m)
		return nil
	case m.kind == response:
		return nil
	}
	return c.request(ctx, m)
}

func (c *rawStream) request(ctx context.Context, m message) error {
	c.mu.Lock()
	e, bad := eraOf(m, c.opened)
	again := c.opened && e == legacy && m.method == "initialize"
	c.mu.Unlock()
	switch {
	case bad != nil:
		return c.out.write(failure(m.id, bad))
	case again:
		return c.out.write(failure(m.id, invalidRequest("initialize was sent before")))
	}
	if m.method != "tools/call" {
		reply := c.server.answer(ctx, m, e, &rawCall{})
		if m.method == "initialize" && reply.err == nil {
			c.mu.Lock()
			c.opened = true
			c.mu.Unlock()
		}
		return c.reply(m, reply)
	}
	return c.start(ctx, m, e)
}

// start runs a call beside the reading, so that it can be cancelled.
func (c *rawStream) start(ctx context.Context, m message, e era) error {
	ctx, cancel := context.WithCancel(ctx)
	id := string(m.id)
	c.mu.Lock()
	_, taken := c.running[id]
	if !taken {
		c.running[id] = cancel
	}
	c.mu.Unlock()
	if taken {
		cancel()
		return c.out.write(failure(nil, invalidRequest("id %s is in use", id)))
	}
	c.calls.Go(func() {
		defer cancel()
		reply := c.server.answer(ctx, m, e, &rawCall{notify: c.notify, die: func(d *Died) { c.die(d) }})
		c.mu.Lock()
		delete(c.running, id)
		c.mu.Unlock()
		if ctx.Err() == nil { // a cancelled request is not answered
			c.reply(m, reply)
		}
	})
	return nil
}

func (c *rawStream) reply(m message, r rawReply) error {
	if text, ok := c.server.noise[m.method]; ok {
		c.out.write([]byte(text))
	}
	return c.out.write(r.bytes(m.id))
}

func (c *rawStream) notify(method string, params any) {
	c.out.write(notice(method, params))
}

func (c *rawStream) notified(m message) {
	if m.method != "notifications/cancelled" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.running[string(members(m.params)["requestId"])]; ok {
		cancel()
	}
}

// notice is a notification.
func notice(method string, params any) []byte {
	return encode(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}
