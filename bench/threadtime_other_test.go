//go:build !linux

package bench

import "time"

var began = time.Now()

// threadTime is the time that has passed.
func threadTime() time.Duration { return time.Since(began) }
