package workbench

import (
	"cmp"
	"context"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// OneProcess says that a server allows one process at a time: it holds a port, a lock file or a profile.
const OneProcess = "the server allows one process at a time"

// OneAtATime says that a server allows one process or session at a time.
func OneAtATime(unit string) string { return "the server allows one " + unit + " at a time" }

// MakeRoom closes the session of an operation after a second process of its server has failed at its start: the server
// may allow one process at a time. It reports whether there was a session that can have been in the way.
func (w *Workbench) MakeRoom(ctx context.Context, c *Connection, err error) bool {
	var exit *wire.ExitError
	s := cmp.Or(c.open, c.beside)
	if s == nil || s.Target().Transport() != wire.Stdio || s.Err() != nil || ctx.Err() != nil ||
		!errors.As(err, &exit) {
		return false
	}
	if w.Yield != nil {
		w.Yield()
	} else {
		_ = s.Close()
	}
	return true
}

// ReportOneProcess reports why the session of an operation was closed.
func (w *Workbench) ReportOneProcess() {
	w.Event(Event{Notice: OneProcess + ", so its open connection was closed for this"})
}

// ConnectBeside opens a session with the server of an operation beside the one that it may have.
func (w *Workbench) ConnectBeside(ctx context.Context, c *Connection, t wire.Target, log *wire.Transcript,
	opts *mcp.Options) (*mcp.Session, error) {
	s, err := mcp.Connect(ctx, t, log, opts)
	if err != nil && w.MakeRoom(ctx, c, err) {
		if s, err = mcp.Connect(ctx, t, log, opts); err == nil {
			w.ReportOneProcess()
		}
	}
	return s, err
}
