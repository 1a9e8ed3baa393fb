package workbench

import (
	"context"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
)

// A Screen shows what an operation does on a terminal.
type Screen struct {
	// Gateway shows a gateway until the context ends.
	Gateway func(ctx context.Context, b GatewayBoard) error
	OwnsErr bool // standard error is the terminal too, so that nothing else may be written to it
}

// A GatewayBoard is what a screen shows of a gateway.
type GatewayBoard struct {
	Address string
	Token   string // of the run; empty if there is none
	Status  func() status.Status
	Notices func() []string // the last warnings
	Stop    func()          // ends the gateway; a second call does not wait for calls under way
}

// boardTools is how many tools a screen is told of: it shows none.
const boardTools = 0

// show shows the gateway until what is returned is called. The contexts that are returned end when the person at the
// screen wants the gateway to end, and when that person does not want to wait.
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
		failure = r.w.Screen.Gateway(shown, GatewayBoard{Address: address, Token: r.door.token, Notices: r.notices.all,
			Status: func() status.Status { return r.status(boardTools) },
			Stop: func() {
				if run.Err() != nil {
					hurry()
				}
				r.leaving.Store(true)
				stop()
			}})
		stop() // a screen that is gone leaves nobody who could end the gateway
	})
	return run, impatient, func() error {
		end()
		done.Wait()
		stop()
		hurry()
		return failure
	}
}
