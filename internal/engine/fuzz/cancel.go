package fuzz

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// cancelled makes a call, cancels it immediately, and runs a health check. The server may or may not respond to the
// call; it must keep running.
func (r *runner) cancelled(ctx context.Context, params []byte) (late bool, err error) {
	if kind := r.session.Target().Transport(); kind != wire.Stdio && kind != wire.InProcess ||
		r.session.Era == spec.Modern {
		short, cancel := context.WithTimeout(ctx, time.Millisecond)
		_, _ = r.session.Do(short, mcp.Request{Method: "tools/call", Params: params, Timeout: r.opts.Hang,
			Input: decline})
		cancel()
	} else if err := r.sendAndCancel(ctx, params); err != nil && ctx.Err() == nil {
		return false, r.connectionLost(err)
	}
	switch err := r.sign(ctx, r.waits(nil)); {
	case err == nil || ctx.Err() != nil:
		return false, nil
	case errors.Is(err, context.DeadlineExceeded):
		return true, err
	default:
		return false, r.connectionLost(err)
	}
}

// sendAndCancel writes both messages in one write, so that they are always adjacent.
func (r *runner) sendAndCancel(ctx context.Context, params []byte) error {
	id := strconv.FormatInt(r.session.ReserveID(), 10)
	both := `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + string(params) + "}\n" +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	_, err := r.session.CallRaw(ctx, nil, []byte(both), nil)
	return err
}
