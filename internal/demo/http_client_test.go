package demo

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// listen serves the built-in server of the name on loopback.
func listen(t *testing.T, name string) string {
	t.Helper()
	server, _ := Lookup(name)
	handler, stop := server.Handler()
	s := httptest.NewServer(handler)
	t.Cleanup(func() {
		stop()
		s.CloseClientConnections()
		s.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s.URL
}

// An answer is what came over HTTP: the status, and the last message of the body.
type answer struct {
	reply
	status int
	header http.Header
	body   string
}

// newRequest makes a request. Headers are "Name: value"; one without a value removes what is set by default.
func newRequest(ctx context.Context, t *testing.T, method, url, body string, headers ...string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch {
		case name == "Host":
			req.Host = value
		case value == "":
			req.Header.Del(name)
		default:
			req.Header.Set(name, value)
		}
	}
	return req
}

// do sends a request, which newRequest makes.
func do(t *testing.T, method, url, body string, headers ...string) answer {
	t.Helper()
	res, err := http.DefaultClient.Do(newRequest(t.Context(), t, method, url, body, headers...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	a := answer{status: res.StatusCode, header: res.Header, body: string(text)}
	message := a.body
	for line := range strings.SplitSeq(a.body, "\n") {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			message = data
		}
	}
	if strings.HasPrefix(message, "{") {
		a.reply = readReply(t, message)
	}
	return a
}

// openHTTP does the handshake and returns the headers of the session.
func openHTTP(t *testing.T, url, revision string) []string {
	t.Helper()
	a := do(t, "POST", url, initialize(revision, "{}"))
	if a.status != 200 || a.code() != 0 {
		t.Fatalf("initialize: %d %s", a.status, a.body)
	}
	headers := []string{"MCP-Protocol-Version: " + serve.Negotiate(revision)}
	if id := a.header.Get("Mcp-Session-Id"); id != "" {
		headers = append(headers, "Mcp-Session-Id: "+id)
	}
	if a := do(t, "POST", url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers...); a.status != 202 ||
		a.body != "" {
		t.Errorf("initialized: %d %q; want 202 without a body", a.status, a.body)
	}
	return headers
}

// modernHeaders are the headers that a modern request repeats its body in.
func modernHeaders(method, params string) []string {
	h := []string{"MCP-Protocol-Version: " + spec.July2026, "Mcp-Method: " + method}
	p := serve.Members([]byte(`{` + strings.TrimSuffix(params, ",") + `}`))
	for _, name := range []string{"name", "uri"} {
		if v := p[name]; serve.IsString(v) && (method == "tools/call" || method == "prompts/get" ||
			method == "resources/read") {
			value := strings.Trim(string(v), `"`)
			if strings.Contains(value, `\`) {
				value = "=?base64?ZGVtbzovL25vd2hlcmUB?="
			}
			h = append(h, "Mcp-Name: "+value)
		}
	}
	return h
}
