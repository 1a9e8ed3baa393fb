package workbench

import (
	"fmt"
	"sync"
	"time"
)

// quietFor is how long a server may take to greet before whoever watches is told what is being waited for.
const quietFor = 2 * time.Second

// awaiting tells from second to second that a server has not greeted yet, until done is called.
func (w *Workbench) awaiting(server string) (done func()) {
	started, over := time.Now(), make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		next := time.NewTimer(quietFor)
		defer next.Stop()
		for told := false; ; told = true {
			select {
			case <-over:
				if told {
					w.event(Event{Over: true})
				}
				return
			case <-next.C:
				w.event(Event{Waiting: fmt.Sprintf("waiting for %s to answer (%v)…", clip(server, 40), time.Since(started).Round(time.Second))})
				next.Reset(time.Second)
			}
		}
	})
	return func() { close(over); telling.Wait() }
}
