package demo

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
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
	if a := do(t, "POST", url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers...); a.status != 202 || a.body != "" {
		t.Errorf("initialized: %d %q; want 202 without a body", a.status, a.body)
	}
	return headers
}

// modernHeaders are the headers that a modern request repeats its body in.
func modernHeaders(method, params string) []string {
	h := []string{"MCP-Protocol-Version: " + serve.Rev2026July, "Mcp-Method: " + method}
	p := serve.Members([]byte(`{` + strings.TrimSuffix(params, ",") + `}`))
	for _, name := range []string{"name", "uri"} {
		if v := p[name]; serve.IsString(v) && (method == "tools/call" || method == "prompts/get" || method == "resources/read") {
			value := strings.Trim(string(v), `"`)
			if strings.Contains(value, `\`) {
				value = "=?base64?ZGVtbzovL25vd2hlcmUB?="
			}
			h = append(h, "Mcp-Name: "+value)
		}
	}
	return h
}

func TestRulesOverHTTP(t *testing.T) {
	url := listen(t, "demo")
	for _, revision := range serve.Revisions() {
		t.Run(revision, func(t *testing.T) {
			var headers []string
			if revision != serve.Rev2026July {
				headers = openHTTP(t, url, revision)
			}
			for _, r := range rules() {
				want, line, headers := r.legacy, `{"jsonrpc":"2.0","id":5,"method":"`+r.method+`","params":{`+strings.TrimSuffix(r.params, ",")+`}}`, headers
				if revision == serve.Rev2026July {
					want, line, headers = r.modern, modernRequest("5", r.method, r.params, "{}"), modernHeaders(r.method, r.params)
				}
				a := do(t, "POST", url, line, headers...)
				checkReply(t, r.name, revision, a.reply, want)
				status := 200
				switch {
				case r.name == "second initialize" && revision != serve.Rev2026July:
					status = 400
				case want == serve.CodeInvalidRequest:
					status = 400
				case revision == serve.Rev2026July && want == serve.CodeMethodNotFound:
					status = 404
				case revision == serve.Rev2026July && want != 0:
					status = 400
				}
				if a.status != status {
					t.Errorf("%s: status %d; want %d\n%s", r.name, a.status, status, a.body)
				}
			}
		})
	}
}

func TestHTTPTransportRules(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":5,"method":"ping"}`
	list := modernRequest("5", "tools/list", "", "{}")
	call := modernRequest("5", "tools/call", `"name":"echo","arguments":{"message":"x"},`, "{}")
	modernTo := func(method string) []string {
		return []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
	}
	for _, name := range []string{"demo", "demo-guide"} {
		url := listen(t, name)
		session := openHTTP(t, url, serve.Rev2025November)
		for _, c := range []struct {
			name, method, body string
			headers            []string
			status, code       int
		}{
			{"foreign host", "POST", ping, append([]string{"Host: evil.example"}, session...), 403, 0},
			{"foreign host with our port", "POST", list, append([]string{"Host: evil.example:80"}, modernTo("tools/list")...), 403, 0},
			{"foreign origin", "POST", ping, append([]string{"Origin: https://evil.example"}, session...), 403, 0},
			{"null origin", "POST", ping, append([]string{"Origin: null"}, session...), 403, 0},
			{"origin like ours", "POST", ping, append([]string{"Origin: http://localhost.evil.example"}, session...), 403, 0},
			{"local origin", "POST", ping, append([]string{"Origin: http://localhost:5173"}, session...), 200, 0},
			{"localhost", "POST", ping, append([]string{"Host: localhost:99"}, session...), 200, 0},
			{"IPv6", "POST", ping, append([]string{"Host: [::1]:99"}, session...), 200, 0},
			{"not JSON", "POST", `{`, session, 400, serve.CodeParse},
			{"empty", "POST", ``, session, 400, serve.CodeParse},
			{"no jsonrpc", "POST", `{"id":5,"method":"ping"}`, session, 400, serve.CodeInvalidRequest},
			{"id null", "POST", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, session, 400, serve.CodeInvalidRequest},
			{"batch", "POST", `[` + ping + `]`, session, 400, serve.CodeInvalidRequest},
			{"batch without version header", "POST", `[` + ping + `]`, append([]string{"MCP-Protocol-Version: "}, session[1:]...), 400, serve.CodeInvalidRequest},
			{"modern batch", "POST", `[` + list + `]`, modernTo("tools/list"), 400, serve.CodeInvalidRequest},
			{"text", "POST", ping, append([]string{"Content-Type: text/plain"}, session...), 415, 0},
			{"accepts JSON alone", "POST", ping, append([]string{"Accept: application/json"}, session...), 406, 0},
			{"unknown old version", "POST", ping, []string{"MCP-Protocol-Version: 1900-01-01"}, 400, serve.CodeUnsupportedVersion},
			{"unknown version between", "POST", ping, []string{"MCP-Protocol-Version: 2026-07-27"}, 400, serve.CodeUnsupportedVersion},
			{"unknown new version", "POST", strings.Replace(list, serve.Rev2026July, "2099-01-01", 1),
				[]string{"MCP-Protocol-Version: 2099-01-01", "Mcp-Method: tools/list"}, 400, serve.CodeUnsupportedVersion},
			{"unknown version that the body contradicts", "POST", list, []string{"MCP-Protocol-Version: 2025-01-01", "Mcp-Method: tools/list"}, 400, serve.CodeHeaderMismatch},
			{"version that an unknown one in the body contradicts", "POST", strings.Replace(list, serve.Rev2026July, "2099-01-01", 1),
				modernTo("tools/list"), 400, serve.CodeHeaderMismatch},
			{"unknown version to GET", "GET", ``, []string{"MCP-Protocol-Version: 1900-01-01"}, map[string]int{"demo": 400, "demo-guide": 405}[name],
				map[string]int{"demo": serve.CodeUnsupportedVersion}[name]},
			{"unknown notification", "POST", `{"jsonrpc":"2.0","method":"notifications/odd"}`, session, 202, 0},
			{"modern notification", "POST", `{"jsonrpc":"2.0","method":"notifications/odd"}`, modernTo("notifications/odd"), 202, 0},
			{"modern GET", "GET", ``, modernTo(""), 405, 0},
			{"modern DELETE", "DELETE", ``, modernTo(""), 405, 0},
			{"PUT", "PUT", ping, session, 405, 0},
			{"modern", "POST", list, modernTo("tools/list"), 200, 0},
			{"modern without header", "POST", list, nil, 400, serve.CodeHeaderMismatch},
			{"modern with legacy header", "POST", list, []string{"MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/list"}, 400, serve.CodeHeaderMismatch},
			{"modern without method header", "POST", list, []string{"MCP-Protocol-Version: 2026-07-28"}, 400, serve.CodeHeaderMismatch},
			{"modern with wrong method", "POST", list, modernTo("tools/call"), 400, serve.CodeHeaderMismatch},
			{"modern without name", "POST", call, modernTo("tools/call"), 400, serve.CodeHeaderMismatch},
			{"modern with wrong name", "POST", call, append([]string{"Mcp-Name: add"}, modernTo("tools/call")...), 400, serve.CodeHeaderMismatch},
			{"modern without _meta", "POST", `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, modernTo("tools/list"), 400, serve.CodeInvalidParams},
			{"modern ping without _meta", "POST", ping, modernTo("ping"), 400, serve.CodeInvalidParams},
			{"modern unknown method", "POST", modernRequest("5", "no/such", "", "{}"), modernTo("no/such"), 404, serve.CodeMethodNotFound},
		} {
			if a := do(t, c.method, url, c.body, c.headers...); a.status != c.status || a.code() != c.code {
				t.Errorf("%s: %s: %d %.300s; want %d with code %d", name, c.name, a.status, a.body, c.status, c.code)
			}
		}
	}
}

func TestHTTPSessionLife(t *testing.T) {
	url := listen(t, "demo")
	list := `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	if a := do(t, "POST", url, list); a.status != 400 || a.code() != serve.CodeInvalidRequest {
		t.Errorf("without a session: %d %s", a.status, a.body)
	}
	if a := do(t, "GET", url, ""); a.status != 400 && a.status != 405 {
		t.Errorf("GET without a session: %d", a.status)
	}
	headers := openHTTP(t, url, serve.Rev2025June)
	if a := do(t, "POST", url, list, headers...); a.status != 200 || a.code() != 0 {
		t.Errorf("in the session: %d %s", a.status, a.body)
	}
	if a := do(t, "DELETE", url, "", headers...); a.status/100 != 2 {
		t.Errorf("DELETE: %d", a.status)
	}
	for _, c := range []struct{ method, body string }{{"POST", list}, {"GET", ""}, {"DELETE", ""}, {"POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`}} {
		if a := do(t, c.method, url, c.body, headers...); a.status != 404 {
			t.Errorf("%s after the end: %d %s; want 404", c.method, a.status, a.body)
		}
	}
}

func TestHTTPThroughSDKClient(t *testing.T) {
	for _, revision := range []string{serve.Rev2026July, serve.Rev2025November} {
		t.Run(revision, func(t *testing.T) {
			url := listen(t, "demo")
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, helpful())
			s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for tool, want := range map[string]string{"visit_page": "The user agreed to visit the page.", "ask_user": "Hello, Ada, who likes green.", "ask_model": "m said: re: hi", "list_roots": "The client has 0 roots."} {
				arguments := map[string]map[string]any{"ask_user": {"question": "?"}, "ask_model": {"prompt": "hi"}, "list_roots": {}, "visit_page": {"topic": "payment"}}[tool]
				res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
				if err != nil {
					t.Errorf("%s: %v", tool, err)
					continue
				}
				if got := res.Content[0].(*mcp.TextContent).Text; got != want {
					t.Errorf("%s = %q; want %q", tool, got, want)
				}
			}
		})
	}
}

// TestHTTPDisconnectCancels closes the connection of a modern call, which is how such a call is cancelled.
func TestHTTPDisconnectCancels(t *testing.T) {
	c := newClean()
	endpoint, stop := serve.Handler(c.server)
	server := httptest.NewServer(endpoint)
	defer server.Close()
	defer stop()
	params := `"name":"wait","arguments":{"milliseconds":5000},`
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	var asking sync.WaitGroup
	asking.Go(func() {
		if res, err := http.DefaultClient.Do(newRequest(ctx, t, "POST", server.URL, modernRequest("1", "tools/call", params, "{}"), modernHeaders("tools/call", params)...)); err == nil {
			io.ReadAll(res.Body)
			res.Body.Close()
		}
	})
	running := func() bool {
		for range c.server.Sessions() {
			return true
		}
		return false
	}
	for !running() && time.Since(began) < hang {
		time.Sleep(time.Millisecond)
	}
	cancel()
	for running() && time.Since(began) < hang {
		time.Sleep(time.Millisecond)
	}
	if took := time.Since(began); took >= 5*time.Second {
		t.Errorf("the call ran for %v; want it to end with the connection", took)
	}
	asking.Wait()
}

// TestHTTPCancelIsNotAnswered cancels a call of a session, whose stream then ends without a message.
func TestHTTPCancelIsNotAnswered(t *testing.T) {
	url := listen(t, "demo")
	session := openHTTP(t, url, serve.Rev2025November)
	ended := make(chan struct{})
	var cancelling sync.WaitGroup
	cancelling.Go(func() {
		for { // the call may not have begun
			if a := do(t, "POST", url, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, session...); a.status != 202 {
				t.Errorf("cancelled: %d; want 202", a.status)
			}
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	a := do(t, "POST", url, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{"milliseconds":5000}}}`, session...)
	close(ended)
	cancelling.Wait()
	if strings.Contains(a.body, "data: {") {
		t.Errorf("the stream of a cancelled call: %q; want it empty", a.body)
	}
	if a := do(t, "POST", url, `{"jsonrpc":"2.0","id":5,"method":"ping"}`, session...); a.code() != 0 || a.status != 200 {
		t.Errorf("ping after the cancelled call: %d %s", a.status, a.body)
	}
}

// TestHTTPListen reads a subscription stream.
func TestHTTPListen(t *testing.T) {
	url := listen(t, "demo")
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	body := modernRequest(`"l"`, "subscriptions/listen", `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://note"]},`, "{}")
	res, err := http.DefaultClient.Do(newRequest(ctx, t, "POST", url, body, modernHeaders("subscriptions/listen", "")...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	events := bufio.NewScanner(res.Body)
	next := func() string {
		for events.Scan() {
			if data, ok := strings.CutPrefix(events.Text(), "data: "); ok && data != "" {
				return data
			}
		}
		return ""
	}
	if got := next(); !strings.Contains(got, "notifications/subscriptions/acknowledged") {
		t.Errorf("first = %s; want the acknowledgement", got)
	}
	call := func(params string) {
		do(t, "POST", url, modernRequest("1", "tools/call", params, "{}"), modernHeaders("tools/call", params)...)
	}
	call(`"name":"write_note","arguments":{"text":"x"},`)
	if got := next(); !strings.Contains(got, "notifications/resources/updated") || !strings.Contains(got, `subscriptionId":"l"`) {
		t.Errorf("after write_note: %s", got)
	}
	call(`"name":"flash_tool","arguments":{"milliseconds":50},`)
	if got := next(); !strings.Contains(got, "notifications/tools/list_changed") {
		t.Errorf("after flash_tool: %s", got)
	}
}

func TestRawProgressOverHTTP(t *testing.T) {
	url := listen(t, "demo-flawed")
	a := do(t, "POST", url, flawedCall("import_rows", "{}"))
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") || strings.Count(a.body, "data: ") != 5 || a.text() != "3 rows are fine" {
		t.Errorf("import_rows: %s", a.body)
	}
	if res, err := http.DefaultClient.Do(newRequest(t.Context(), t, "POST", url, flawedCall("divide", `{"a":1,"b":0}`))); err == nil {
		t.Errorf("divide by 0: %d; want the connection to break", res.StatusCode)
	}
	if a := do(t, "POST", url, flawedCall("divide", `{"a":4,"b":2}`)); a.text() != "2" {
		t.Errorf("after that: %s; want the others served", a.body)
	}
}

// TestHTTPStandaloneStream reads the stream that a session opens for what belongs to no request.
func TestHTTPStandaloneStream(t *testing.T) {
	url := listen(t, "demo")
	headers := openHTTP(t, url, serve.Rev2025November)
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	res, err := http.DefaultClient.Do(newRequest(ctx, t, "GET", url, "", append(headers, "Accept: text/event-stream", "Content-Type: ")...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("GET: %s, %s", res.Status, res.Header.Get("Content-Type"))
	}
	do(t, "POST", url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"flash_tool","arguments":{"milliseconds":50}}}`, headers...)
	events := bufio.NewScanner(res.Body)
	for events.Scan() {
		if strings.Contains(events.Text(), "notifications/tools/list_changed") {
			return
		}
	}
	t.Error("the stream ended without list_changed")
}
