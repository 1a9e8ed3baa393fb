package demo

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"
)

// A terminal is a reader that blocks whatever happens.
type terminal struct{ released chan struct{} }

func (r terminal) Read([]byte) (int, error) {
	<-r.released
	return 0, io.EOF
}

func (r terminal) Close() error { return nil }

func TestServeStopsOnATerminal(t *testing.T) {
	for _, server := range All() {
		in := terminal{make(chan struct{})}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		began := time.Now()
		err := server.Serve(ctx, in, &bytes.Buffer{})
		if took := time.Since(began); err != context.DeadlineExceeded || took > 2*time.Second {
			t.Errorf("%s: Serve = %v after %v; want the context's error at once", server.Name, err, took)
		}
		cancel()
		close(in.released)
	}
}
