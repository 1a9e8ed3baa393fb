package guard

import (
	"net/http"
	"time"
)

// Server returns a server for a guarded handler with the limits that keep slow and large clients out. It sets no write
// timeout, because answers stream; the time for reading ends with the request's body.
func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
}
