//go:build unix

package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"
)

// A frame that does not fit into the pipe is written as far as possible. Its rest comes before the next one.
func TestSendMoreThanThePipeHolds(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &stdioConn{target: Target{Command: []string{"x"}}, stdin: w, turn: make(chan struct{}, 1), deadlines: true,
		prompt: newPromptWriter(w)}
	small, large := []byte("small"), bytes.Repeat([]byte("large "), 200_000)
	if _, err := c.Send(t.Context(), Frame{Body: small}); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.Send(short, Frame{Body: large}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a frame without a reader: %v, want a timeout", err)
	}
	if _, err := c.Send(short, Frame{Body: small}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a frame after the timeout: %v, want a timeout", err)
	}
	read := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(r)
		read <- all
	}()
	for range 2 {
		if _, err := c.Send(t.Context(), Frame{Body: small}); err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Close()
	if got, want := <-read, bytes.Join([][]byte{small, large, small, small, nil}, []byte("\n")); !bytes.Equal(got, want) {
		t.Errorf("%d bytes arrived, want %d", len(got), len(want))
	}
	if n, err := c.write(t.Context(), small); n != 0 || err == nil {
		t.Errorf("a write to a closed pipe: %d, %v", n, err)
	}
}
