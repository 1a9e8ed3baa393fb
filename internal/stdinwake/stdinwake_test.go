package stdinwake

import (
	"testing"
	"testing/synctest"
	"time"
)

// No timer remains after stop.
func TestStop(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		stop := Start()
		time.Sleep(10 * period)
		stop()
		synctest.Wait()
	})
}
