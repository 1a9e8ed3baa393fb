package workbench

import (
	"cmp"
	"context"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// OneProcess says that a server allows one process at a time: it holds a port, a lock file or a profile.
const OneProcess = "the server allows one process at a time"

// makeRoom closes the session of an operation after a second process of its server has failed at its start: the server may
// allow one process at a time. It reports whether there was a session that can have been in the way.
func (w *Workbench) makeRoom(ctx context.Context, c *Connection, err error) bool {
	var exit *wire.ExitError
	s := cmp.Or(c.open, c.beside)
	if s == nil || s.Target().Transport() != wire.Stdio || s.Err() != nil || ctx.Err() != nil || !errors.As(err, &exit) {
		return false
	}
	if w.Yield != nil {
		w.Yield()
	} else {
		_ = s.Close()
	}
	return true
}

// reportOneProcess reports why the session of an operation was closed.
func (w *Workbench) reportOneProcess() {
	w.event(Event{Notice: OneProcess + ", so its open connection was closed for this"})
}

// conformBeside runs conform on the server of an operation beside the session that it may have.
func (w *Workbench) conformBeside(ctx context.Context, c *Connection, t wire.Target, opts *conform.Options) (*conform.Outcome, error) {
	out, err := conform.Run(ctx, t, opts)
	if err != nil && w.makeRoom(ctx, c, err) {
		opts.Processes = conform.One
		if out, err = conform.Run(ctx, t, opts); err == nil {
			w.reportOneProcess()
		}
	}
	return out, err
}

// connectBeside opens a session with the server of an operation beside the one that it may have.
func (w *Workbench) connectBeside(ctx context.Context, c *Connection, t wire.Target, log *wire.Transcript, opts *mcp.Options) (*mcp.Session, error) {
	s, err := mcp.Connect(ctx, t, log, opts)
	if err != nil && w.makeRoom(ctx, c, err) {
		if s, err = mcp.Connect(ctx, t, log, opts); err == nil {
			w.reportOneProcess()
		}
	}
	return s, err
}
