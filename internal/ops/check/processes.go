package check

import (
	"context"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// allowsOne reports whether the server allows one process at a time. It starts a second process, which fuzz uses. Where
// only one is allowed, no process is left.
func (c *checkRun) allowsOne(ctx context.Context, ends time.Time) bool {
	if c.session.Target().Transport() != wire.Stdio {
		return false
	}
	in := c.fuzzInput()
	in.Beside(c.session)
	opts, err := engines.FuzzOptions(c.w, in)
	if err != nil {
		return false
	}
	bounded, cancel := context.WithDeadlineCause(ctx, ends, workbench.ErrTimeLimit)
	defer cancel()
	second, err := opts.Open(bounded)
	switch c.one = err == nil && errors.Is(c.session.Err(), mcp.ErrClosed); {
	case c.one:
		_ = second.Close()
	case err == nil:
		c.second = second
	}
	return c.one
}

// allowsOneSession reports whether a server over HTTP allows one session at a time: it rejects a second client, accepts the
// next one after the end of the first session, and rejects another one again; or it ends the session of the first client for the second
// one. Then no session is left.
func (c *checkRun) allowsOneSession(ctx context.Context, ends time.Time) bool {
	if c.session.Target().Transport() != wire.StreamableHTTP || c.session.Era != spec.Legacy || c.session.Handshake == nil ||
		c.session.Handshake.Header.Get("Mcp-Session-Id") == "" {
		return false
	}
	bounded, cancel := context.WithDeadlineCause(ctx, ends, workbench.ErrTimeLimit)
	defer cancel()
	refused, replaced := c.secondClient(bounded)
	if replaced {
		_ = c.session.Close()
		c.one = true
		return true
	}
	if !refused || !c.isConnected(bounded) {
		return false
	}
	_ = c.session.Close()
	next, err := c.connectAgain(bounded)
	if err != nil {
		c.refused = true // not only while the first one is connected: conform gets no session
		return false
	}
	c.one, _ = c.secondClient(bounded)
	_ = next.Close()
	return c.one
}

// secondClient connects another client for a moment and reports whether the server rejects it, or has ended our session for it.
func (c *checkRun) secondClient(ctx context.Context) (refused, replaced bool) {
	s, err := c.connectAgain(ctx)
	if err != nil {
		var e *mcp.HandshakeError
		return errors.As(err, &e), false
	}
	defer s.Close()
	_, err = c.session.Do(ctx, mcp.Request{Method: sdk.UnknownMethod, Timeout: recognizeTimeout})
	var expired *mcp.SessionExpiredError
	return false, errors.As(err, &expired)
}

func (c *checkRun) connectAgain(ctx context.Context) (*mcp.Session, error) {
	return mcp.Connect(ctx, c.session.Target(), nil, &mcp.Options{Protocol: c.session.Version,
		Client: mcp.Implementation{Name: "mcptest", Version: c.w.Version}, Timeout: handshakeTimeout})
}

// withSecond makes the second session the first that open returns.
func (c *checkRun) withSecond(open func(context.Context) (*mcp.Session, error)) func(context.Context) (*mcp.Session,
	error) {
	return func(ctx context.Context) (*mcp.Session, error) {
		if s := c.second; s != nil {
			c.second = nil
			return s, nil
		}
		return open(ctx)
	}
}

// closeSecond closes the second session if nobody used it.
func (c *checkRun) closeSecond() {
	if c.second != nil {
		_ = c.second.Close()
	}
}
