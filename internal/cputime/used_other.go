//go:build !unix

package cputime

import "time"

var began = time.Now()

// Used is the wall-clock time since the start, if CPU time is not available.
func Used() time.Duration { return time.Since(began) }
