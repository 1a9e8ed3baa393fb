//go:build !linux

package wire

// An activityObserver observes nothing on this system.
type activityObserver struct{}

// Activity cannot be observed on this system.
func (c *stdioConn) Activity() Activity { return ActivityUnknown }

// isBusy cannot be observed on this system.
func (c *stdioConn) isBusy() bool { return false }
