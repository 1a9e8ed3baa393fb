//go:build !unix

package cputime

import "time"

var began = time.Now()

// Used is the time on the wall since the start, where there is no better one.
func Used() time.Duration { return time.Since(began) }
