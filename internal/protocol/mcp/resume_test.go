package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// ids lists the Last-Event-ID of each GET.
func ids(server *wiretest.Server) string {
	var all []string
	for _, m := range server.Received() {
		if m.Method == "GET" {
			all = append(all, m.Header.Get("Last-Event-Id"))
		}
	}
	return strings.Join(all, ",")
}

// A legacy stream that ends before the answer is taken up where it ended, after the time that the server wants.
func TestResume(t *testing.T) {
	for name, tt := range map[string]struct{ call, get, ids string }{
		"after a priming event": {`write "id: p1\nretry: 30\ndata:\n\n"`, `result {"n":1}`, ",p1"},
		"after some news": {`write "id: a\nretry: 10\ndata: {\"jsonrpc\":\"2.0\",` +
			`\"method\":\"notifications/x\"}\n\n"`, `result {"n":1}`, ",a"},
		"after a break": {"write \"id: a\\nretry: 10\\ndata:\\n\\n\"\n\tcut", `result {"n":1}`, ",a"},
		"after half an event": {"write \"id: a\\nretry: 10\\ndata:\\n\\nid: b\\ndata: {\\\"jsonr\"\n\tcut",
			`result {"n":1}`, ",a"},
		"twice": {`write "id: a\nretry: 10\ndata:\n\n"`,
			"write \"id: b\\ndata:\\n\\n\"\non GET\n\tsse\n\tresult {\"n\":1}", ",a,b"},
	} {
		t.Run(name, func(t *testing.T) {
			// The first GET is the session's own stream; the answer has the id of the call, which is 2.
			get := strings.ReplaceAll(tt.get, `result {"n":1}`, `send {"jsonrpc":"2.0","id":2,"result":{"n":1}}`)
			rules := "on GET\n\tstatus 405\non GET\n\tsse\n\t" + get + "\non x\n\tsse\n\t" + tt.call + "\n"
			s, server := playHTTP(t, spec.NewestLegacy, rules, Options{})
			start := time.Now()
			if got := result(t, s, "x", nil); got != `{"n":1}` {
				t.Errorf("result %s", got)
			}
			if got := ids(server); got != tt.ids {
				t.Errorf("Last-Event-ID %q, want %q", got, tt.ids)
			}
			if len(server.Got("x")) != 1 || time.Since(start) < 10*time.Millisecond {
				t.Errorf("called %d times, taken up after %v", len(server.Got("x")), time.Since(start))
			}
		})
	}
}

// TestD3 never repeats a call whose stream broke; its outcome is unknown.
func TestD3OutcomeUnknown(t *testing.T) {
	for name, tt := range map[string]struct{ call, get, want string }{
		"no id":              {"notify notifications/x {}", "", "may or may not have run"},
		"broken":             {"notify notifications/x {}\n\tcut", "", "may or may not have run"},
		"cannot be taken up": {`write "id: a\nretry: 1\ndata:\n\n"`, "status 405", "may or may not have run (HTTP 405"},
		"session is gone":    {`write "id: a\nretry: 1\ndata:\n\n"`, "status 404", "may or may not have run (HTTP 404"},
		"ends again, 11 ×":   {`write "id: a\nretry: 1\ndata:\n\n"`, "sse", "may or may not have run"},
	} {
		s, server := playHTTP(t, spec.NewestLegacy,
			"on GET\n\tstatus 405\non GET\n\t"+tt.get+"\non x\n\tsse\n\t"+tt.call+"\n", Options{})
		_, err := s.Call(context.Background(), "x", nil)
		var e *wire.Error
		if !errors.Is(err, ErrOutcomeUnknown) || !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if n := len(server.Got("x")); n != 1 {
			t.Errorf("%s: called %d times", name, n)
		}
	}
}

// A modern stream is not resumable.
func TestModernStreamsAreNotResumed(t *testing.T) {
	s, server := playHTTP(t, spec.NewestModern, "on x\n\tsse\n\twrite \"id: a\\ndata:\\n\\n\"\n", Options{})
	if _, err := s.Call(context.Background(), "x", nil); !errors.Is(err, ErrOutcomeUnknown) ||
		len(server.Got("GET")) != 0 {
		t.Errorf("%v, %d GETs", err, len(server.Got("GET")))
	}
}

// The server's own stream is opened again when it ends, where it ended.
func TestEarIsOpenedAgain(t *testing.T) {
	heard := make(chan string, 10)
	news := func(n string) string {
		return `write "id: ` + n + `\nretry: 20\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/` + n +
			`\"}\n\n"`
	}
	_, server := playHTTP(t, spec.NewestLegacy,
		"on GET\n\tsse\n\t"+news("a")+"\non GET\n\tsse\n\t"+news("b")+"\n\tcut\non GET\n\tsse\n\t"+news("c")+
			"\n\thang\n",
		Options{OnNotification: func(m Message) { heard <- m.Method }})
	for _, want := range []string{"a", "b", "c"} {
		select {
		case got := <-heard:
			if got != "notifications/"+want {
				t.Errorf("heard %s, want %s", got, want)
			}
		case <-time.After(atMost):
			t.Fatalf("%s was not heard", want)
		}
	}
	if got := ids(server); got != ",a,b" {
		t.Errorf("Last-Event-ID %q, want %q", got, ",a,b")
	}
}

// A server without a stream of its own is left alone, whatever it says about it.
func TestNoEar(t *testing.T) {
	for _, refusal := range []string{"status 405",
		"status 404\n\tsend {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no\"}}",
		"status 400\n\twrite \"<html>\"", "header Content-Type: text/html\n\tstatus 500\n\twrite \"x\""} {
		s, server := playHTTP(t, spec.NewestLegacy, "on x\n\tresult 1\non GET\n\t"+refusal+"\n", Options{})
		refused := func(f wire.Frame) bool { return f.Stream == "get-1" && f.From == wire.Server }
		for !slices.ContainsFunc(s.Transcript().Since(0), refused) {
			time.Sleep(time.Millisecond)
		}
		result(t, s, "x", nil) // what came before its answer has been read
		if n := s.Notices(); len(n) != 0 || len(server.Got("GET")) != 1 {
			t.Errorf("%q: notices %v, %d GETs", refusal, n, len(server.Got("GET")))
		}
	}
}

// Over HTTP+SSE the answers come on the one stream; its end ends the session at once.
func TestHTTPWithSSE(t *testing.T) {
	played := wiretest.New("on GET\n\tsse\n\twrite \"event: endpoint\\ndata: /message\\n\\n\"\n\twait initialize\n\t" +
		`write "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2024-11-05\",` +
		`\"capabilities\":{}}}\n\n"` +
		"\n\twait x\n\tsend {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"n\":1.0}}\n\twait y\n\tsleep 10ms\non " +
		"initialize\n\tstatus 202\n\twrite \"Accepted\"\non x\n\tstatus 202\non y\n\tstatus 202\non *\n\tstatus 404\n")
	mux := http.NewServeMux()
	mux.Handle("/", played)
	mux.Handle("POST /{$}", http.NotFoundHandler())
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	s := connect(t, wire.Target{URL: web.URL}, Options{})
	if s.Version != "2024-11-05" || !strings.Contains(s.Why, "HTTP+SSE") {
		t.Errorf("%s because %s", s.Version, s.Why)
	}
	if got := result(t, s, "x", nil); got != `{"n":1.0}` {
		t.Errorf("result %s", got)
	}
	if _, err := s.Call(context.Background(), "y", nil); !errors.Is(err, ErrOutcomeUnknown) ||
		errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the end of the stream: %v, want that the outcome is unknown, and no wait for the time limit",
			err)
	}
	if len(s.Notices()) != 0 {
		t.Errorf("notices %v", s.Notices())
	}
}
