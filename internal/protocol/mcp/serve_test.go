package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// answering are handlers that give these answers.
func answering(opts Options) Options {
	opts.Roots = func(context.Context) (json.RawMessage, error) { return raw(`{"roots":[{"uri":"file:///1.0"}]}`), nil }
	opts.Sampling = func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
		return Object("echo", params), nil
	}
	opts.Elicitation = func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
		if text(params, "message") == "no" {
			return nil, &RPCError{Code: -1, Message: "refused", Data: raw(`{"n":1.0}`)}
		}
		if text(params, "message") == "broken" {
			return nil, errors.New("broken")
		}
		return raw("{\n\"action\":\"accept\",\"content\":{\"x\":9007199254740993}}"), nil
	}
	return opts
}

// Requests of a legacy server are answered by their handlers, byte for byte, with the id as it came.
func TestServerRequests(t *testing.T) {
	for request, want := range map[string]string{
		`"id":"r-1","method":"roots/list"`: `{"jsonrpc":"2.0",` +
			`"id":"r-1","result":{"roots":[{"uri":"file:///1.0"}]}}`,
		`"id":7,"method":"sampling/createMessage","params":{"a":1.0,"a":-0}`: `{"jsonrpc":"2.0",` +
			`"id":7,"result":{"echo":{"a":1.0,"a":-0}}}`,
		`"id":1e1,"method":"elicitation/create","params":{"message":"yes"}`: `{"jsonrpc":"2.0",` +
			`"id":1e1,"result":{ "action":"accept","content":{"x":9007199254740993}}}`,
		`"id":2,"method":"elicitation/create","params":{"message":"no"}`: `{"jsonrpc":"2.0",` +
			`"id":2,"error":{"code":-1,"message":"refused","data":{"n":1.0}}}`,
		`"id":3,"method":"elicitation/create","params":{"message":"broken"}`: `{"jsonrpc":"2.0",` +
			`"id":3,"error":{"code":-32603,"message":"broken"}}`,
		`"id":4,"method":"ping"`: `{"jsonrpc":"2.0",` +
			`"id":4,"result":{}}`,
		`"id":5,"method":"no/such"`: `{"jsonrpc":"2.0",` +
			`"id":5,"error":{"code":-32601,"message":"this client does not support no/such"}}`,
		`"id":6,"method":"tasks/list"`: `{"jsonrpc":"2.0",` +
			`"id":6,"error":{"code":-32601,"message":"this client does not support tasks/list"}}`,
		`"id":8,"method":"sampling/createMessage","params":{"task":{"ttl":1},"message":"yes"}`: `{"jsonrpc":"2.0",` +
			`"id":8,"result":{"echo":{"task":{"ttl":1},"message":"yes"}}}`,
	} {
		rules := "on x\n\tsend {\"jsonrpc\":\"2.0\"," + request + "}\n\twait response\n\tresult 1\n"
		s, server := play(t, spec.NewestLegacy, rules, answering(Options{}))
		if got := result(t, s, "x", nil); got != "1" {
			t.Errorf("result %s", got)
		}
		if got := server.Got("response"); len(got) != 1 || got[0] != want {
			t.Errorf("%s was answered with %q, want %s", request, got, want)
		}
	}
}

func TestServerRequestOverHTTP(t *testing.T) {
	const ask = `send {"jsonrpc":"2.0","id":"q","method":"roots/list"}` + "\n\twait response\n"
	for name, rules := range map[string]string{
		"on the stream of a call":  "on x\n\tsse\n\t" + ask + "\tresult 1\n",
		"on the server's own one":  "on GET\n\tsse\n\twait x\n\t" + ask + "\thang\non x\n\twait response\n\tresult 1\n",
		"on the stream after some": "on x\n\tsse\n\tnotify notifications/message {}\n\t" + ask + "\tresult 1\n",
	} {
		s, server := playHTTP(t, spec.NewestLegacy, rules, answering(Options{}))
		if got := result(t, s, "x", nil); got != "1" {
			t.Errorf("%s: result %s", name, got)
		}
		if got := server.Got("response"); len(got) != 1 || !strings.Contains(got[0], `"id":"q","result":{"roots"`) {
			t.Errorf("%s: answered with %q", name, got)
		}
	}
}

// A request that the server takes back is not answered, and its handler is told.
func TestServerTakesItsRequestBack(t *testing.T) {
	cancelled := make(chan struct{})
	opts := Options{Sampling: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		<-ctx.Done()
		close(cancelled)
		return raw(`{}`), nil
	}}
	s, server := play(t, spec.NewestLegacy, "on x\n\tsend "+
		"{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"sampling/createMessage\"}\n\tsleep 20ms\n\tnotify "+
		"notifications/cancelled {\"requestId\":\"q\"}\n\tsleep 20ms\n\tresult 1\n", opts)
	result(t, s, "x", nil)
	select {
	case <-cancelled:
	case <-time.After(atMost):
		t.Fatal("the handler was not told")
	}
	if got := server.Got("response"); len(got) != 0 {
		t.Errorf("answered with %q", got)
	}
}

func TestModernServerMayNotAsk(t *testing.T) {
	s, server := play(t, spec.NewestModern, "on x\n\tsend "+
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n\tresult {}\n", answering(Options{}))
	result(t, s, "x", nil)
	noticed(t, s, "which this protocol version does not allow")
	if got := server.Got("response"); len(got) != 0 {
		t.Errorf("answered with %q", got)
	}
}

// Too many requests, or two with one id, are dropped with a notice rather than piled up.
func TestServerAsksTooMuch(t *testing.T) {
	release := make(chan struct{})
	opts := Options{Sampling: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return raw(`{}`), nil
	}}
	s, _ := play(t, spec.NewestLegacy, "on x\n\trepeat 3 send "+
		"{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"sampling/createMessage\"}\n\tresult 1\n", opts)
	result(t, s, "x", nil)
	noticed(t, s, "was dropped")
	close(release)
}

func TestLogLevel(t *testing.T) {
	var heard []string
	opts := Options{LogLevel: "debug", OnNotification: func(m Message) { heard = append(heard, string(m.Params)) }}
	s, server := play(t, spec.NewestLegacy, "on logging/setLevel\n\tnotify notifications/message "+
		"{\"level\":\"debug\",\"data\":1.0}\n\terror -1 no\n", opts)
	if got := server.Got("logging/setLevel"); len(got) != 1 || !strings.Contains(got[0], `{"level":"debug"}`) {
		t.Errorf("asked %q", got)
	}
	if len(heard) != 1 || heard[0] != `{"level":"debug","data":1.0}` {
		t.Errorf("heard %q", heard)
	}
	noticed(t, s, "logging/setLevel returned error -1: no")
	modern, played := play(t, spec.NewestModern, "on x\n\tresult {}\n", Options{LogLevel: "info"})
	result(t, modern, "x", nil)
	if got := played.Got("x")[0]; !strings.Contains(got, `"io.modelcontextprotocol/logLevel":"info"`) {
		t.Errorf("sent %s", got)
	}
}
