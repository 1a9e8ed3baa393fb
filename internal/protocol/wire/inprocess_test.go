package wire

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A bug of a server in this process is told like the end of any other server.
func TestPanicOfAServerInProcess(t *testing.T) {
	conn := dial(t, Target{Name: "buggy", Serve: func(context.Context, io.Reader, io.Writer) error { panic("oh no") }},
		nil)
	_, err := conn.Recv(t.Context())
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "buggy: the server panicked: oh no") {
		t.Errorf("Recv: %v, want an *Error that tells the panic", err)
	}
}
