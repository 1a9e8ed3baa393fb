package awake

import (
	"testing"
	"testing/synctest"
	"time"
)

// Nothing is left of it once it is told to stop.
func TestKeepStops(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		stop := Keep()
		time.Sleep(10 * period)
		stop()
		synctest.Wait()
	})
}
