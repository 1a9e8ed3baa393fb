package workbench

import (
	"fmt"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// quietFor is how long a server may take to connect before the user is shown a progress message.
const quietFor = 2 * time.Second

// ShowWaiting reports every second that a server has not responded yet, until done is called.
func (w *Workbench) ShowWaiting(t wire.Target) (done func()) {
	started, over := time.Now(), make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		next := time.NewTimer(quietFor)
		defer next.Stop()
		for told := false; ; told = true {
			select {
			case <-over:
				if told {
					w.Event(Event{Over: true})
				}
				return
			case <-next.C:
				w.Event(Event{Waiting: awaited(t, time.Since(started))})
				next.Reset(time.Second)
			}
		}
	})
	return func() { close(over); telling.Wait() }
}

// awaited formats what is being waited for and for how long: "starting: npx, 14 s".
func awaited(t wire.Target, since time.Duration) string {
	doing, name := "connecting", t.String()
	if len(t.Command) > 0 {
		doing, name = "starting", timeout.Program(t.Command)
	}
	return fmt.Sprintf("%s: %s, %.0f s", doing, clip.Runes(name, 40), since.Seconds())
}
