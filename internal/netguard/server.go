package netguard

import (
	"net/http"
	"time"
)

// Server returns a server for a guarded handler with limits against slow and large clients. It sets no write timeout,
// because responses stream; the read timeout ends with the request body.
func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ConnContext:       connContext,
	}
}
