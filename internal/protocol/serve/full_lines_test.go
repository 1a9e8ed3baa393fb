package serve

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// converse plays the client of a stream of lines: what it says, and how what it gets to hear next begins.
func converse(t *testing.T, e *Endpoint, turns ...string) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- e.ServeLines(t.Context(), inR, outW) }()
	heard := make(chan string)
	go func() {
		defer close(heard)
		for lines := bufio.NewScanner(outR); lines.Scan(); {
			heard <- lines.Text()
		}
	}()
	for _, turn := range turns {
		if want, ok := strings.CutPrefix(turn, "< "); ok {
			select {
			case got := <-heard:
				if !strings.HasPrefix(got, want) {
					t.Errorf("heard %s, want %s", got, want)
				}
			case <-time.After(time.Hour):
				t.Errorf("heard nothing, want %s", want)
			}
			continue
		}
		go func() { _, _ = io.WriteString(inW, turn+"\n") }()
		synctest.Wait()
	}
	_ = inW.Close()
	go func() {
		for range heard { // what is said after the end is nobody's business
		}
	}()
	if err := <-done; err != nil {
		t.Error(err)
	}
	_ = outW.Close()
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// When all places are taken by requests that wait for the client, what it says next must still be heard.
func TestFullStreamHearsAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := NewEndpoint(&echoBackend{}, &EndpointOptions{MaxAnswers: 1})
		converse(t, e, hello, `< {"jsonrpc":"2.0","id":1,"result"`,
			`{"jsonrpc":"2.0","id":2,"method":"ask"}`, `< {"jsonrpc":"2.0","id":1,"method":"roots/list"`,
			`{"jsonrpc":"2.0","id":3,"method":"echo"}`, `< {"jsonrpc":"2.0","id":3,"error":{"code":-32000`,
			`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`, `< {"jsonrpc":"2.0","id":2,"result":{"roots":[]}}`,
			`{"jsonrpc":"2.0","id":4,"method":"echo"}`, `< {"jsonrpc":"2.0","id":4,"result"`)
	})
}

// One that never ends by itself can be taken back, and makes room.
func TestFullStreamHearsCancellations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := NewEndpoint(&echoBackend{}, &EndpointOptions{MaxAnswers: 1})
		converse(t, e, hello, `< {"jsonrpc":"2.0","id":1,"result"`,
			`{"jsonrpc":"2.0","id":2,"method":"wait"}`, `{"jsonrpc":"2.0","id":3,"method":"echo"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
			`< {"jsonrpc":"2.0","id":3,"error":{"code":-32000`,
			`{"jsonrpc":"2.0","id":4,"method":"echo"}`, `< {"jsonrpc":"2.0","id":4,"result"`)
	})
}
