// Package timeout owns the time limits for servers: the defaults, and the Timer that decides when a request has failed.
package timeout

import (
	"cmp"
	"time"
)

const (
	// Default is the request timeout if none is set: how long a server may send nothing about a request.
	Default = 60 * time.Second
	// MaxFactor limits a request that reports progress: it fails after MaxFactor times its timeout in any case.
	MaxFactor = 5
	// Handshake limits the handshake with a server that is already running, such as an HTTP server.
	Handshake = 15 * time.Second
	// None is longer than any request may take. It is for requests that another Timer limits.
	None = 24 * time.Hour
)

// Or returns d, or Default if d is not set.
func Or(d time.Duration) time.Duration { return cmp.Or(max(d, 0), Default) }
