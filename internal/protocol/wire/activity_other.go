//go:build !linux

package wire

// An activityObserver sees nothing here.
type activityObserver struct{}

// Activity cannot be observed here.
func (c *stdioConn) Activity() Activity { return ActivityUnknown }
