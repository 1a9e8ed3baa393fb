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
		release := func() { close(in.released) }
		late := time.AfterFunc(hang, release)
		if err := server.Serve(ctx, in, &bytes.Buffer{}); err != context.DeadlineExceeded {
			t.Errorf("%s: Serve = %v; want the context's error", server.Name, err)
		}
		cancel()
		if !late.Stop() {
			t.Errorf("%s: Serve has waited for the terminal", server.Name)
			continue
		}
		release()
	}
}
