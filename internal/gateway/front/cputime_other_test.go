//go:build !unix

package front

import "time"

var began = time.Now()

// cpuTime is the time on the wall where there is no better one.
func cpuTime() time.Duration { return time.Since(began) }
