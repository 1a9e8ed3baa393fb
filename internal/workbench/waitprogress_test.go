package workbench

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A server that says nothing is told of from second to second, after two; one that is quick is not.
func TestAwaiting(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		time.Second:             "",
		4500 * time.Millisecond: "starting: npx, 2 s; starting: npx, 3 s; starting: npx, 4 s; over",
	} {
		synctest.Test(t, func(t *testing.T) {
			var told []string
			w := &Workbench{Notify: func(e Event) {
				if e.Over {
					e.Waiting = "over"
				}
				told = append(told, e.Waiting)
			}}
			done := w.ShowWaiting(wire.Target{Name: "demo", Command: []string{"/usr/bin/npx", "-y", "demo"}})
			time.Sleep(wait)
			done()
			if got := strings.Join(told, "; "); got != want {
				t.Errorf("in %v it tells %q, want %q", wait, got, want)
			}
		})
	}
}
