package guard

import (
	"io"
	"net/http"
	"time"
)

// A body has to arrive in bodyTimeout. Its deadline is lifted at the end, so that an answer may stream for longer; the
// server's own ReadTimeout would cut such an answer off.
type body struct {
	io.ReadCloser
	control *http.ResponseController
}

func newBody(w http.ResponseWriter, from io.ReadCloser) io.ReadCloser {
	b := &body{ReadCloser: from, control: http.NewResponseController(w)}
	if b.control.SetReadDeadline(time.Now().Add(bodyTimeout)) != nil {
		return from // a recorder in a test has no deadlines
	}
	return b
}

// Read lifts the deadline once the body has ended.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Server returns a server for a guarded handler with the limits that keep slow and large clients out. It sets no write
// timeout, because answers stream.
func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
}
