package forward

import (
	"slices"
	"testing"
	"testing/synctest"
)

// Of what is never read the latest is kept, and settle waits for it.
func TestRelaysKeepTheLatest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r notificationQueue
		var told []int
		read := make(chan struct{})
		r.pass(func() { <-read; told = append(told, 0) })
		synctest.Wait()
		for i := range 2 * maxRelayed {
			r.pass(func() { told = append(told, i+1) })
		}
		close(read)
		r.flush()
		if len(told) != maxRelayed+1 || told[0] != 0 || told[1] != maxRelayed+1 || !slices.IsSorted(told) {
			t.Errorf("told %v, want the first, which was under way, and the latest %d", told, maxRelayed)
		}
		r.flush() // nothing is left to wait for
	})
}
