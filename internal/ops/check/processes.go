package check

import (
	"context"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
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
