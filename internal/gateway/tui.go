package gateway

import (
	"context"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// boardTools is the number of tools in the status for a dashboard: it shows none.
const boardTools = 0

// show shows the gateway until the returned function is called. The returned contexts end when the user asks to
// stop the gateway, and when the user does not want to wait.
func (r *gatewayRun) show(ctx context.Context, address string) (run, impatient context.Context, hide func() error) {
	run, stop := context.WithCancel(ctx)
	impatient, hurry := context.WithCancel(context.Background())
	if !r.in.TUI {
		return run, impatient, func() error { stop(); hurry(); return nil }
	}
	shown, end := context.WithCancel(context.Background())
	var failure error
	var done sync.WaitGroup
	done.Go(func() {
		failure = r.w.Screen.Gateway(shown, workbench.GatewayBoard{Address: address, Token: r.door.token,
			Notices: r.notices.all,
			Status:  func() status.Status { return r.status(boardTools) },
			Stop: func() {
				if run.Err() != nil {
					hurry()
				}
				r.leaving.Store(true)
				stop()
			}})
		stop() // without a dashboard, nobody could stop the gateway
	})
	return run, impatient, func() error {
		end()
		done.Wait()
		stop()
		hurry()
		return failure
	}
}
