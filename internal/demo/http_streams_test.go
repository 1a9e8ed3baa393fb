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

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

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
		if res, err := http.DefaultClient.Do(newRequest(ctx, t, "POST", server.URL,
			modernRequest("1", "tools/call", params, "{}"), modernHeaders("tools/call", params)...)); err == nil {
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
	session := openHTTP(t, url, spec.November2025)
	ended := make(chan struct{})
	var cancelling sync.WaitGroup
	cancelling.Go(func() {
		for { // the call may not have begun
			if a := do(t, "POST", url, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`,
				session...); a.status != 202 {
				t.Errorf("cancelled: %d; want 202", a.status)
			}
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	a := do(t, "POST", url, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait",`+
		`"arguments":{"milliseconds":5000}}}`, session...)
	close(ended)
	cancelling.Wait()
	if strings.Contains(a.body, "data: {") {
		t.Errorf("the stream of a cancelled call: %q; want it empty", a.body)
	}
	if a := do(t, "POST", url, `{"jsonrpc":"2.0","id":6,"method":"ping"}`, session...); a.code() != 0 ||
		a.status != 200 {
		t.Errorf("ping after the cancelled call: %d %s", a.status, a.body)
	}
}

// TestHTTPListen reads a subscription stream.
func TestHTTPListen(t *testing.T) {
	url := listen(t, "demo")
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	body := modernRequest(`"l"`, "subscriptions/listen",
		`"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://note"]},`, "{}")
	res, err := http.DefaultClient.Do(newRequest(ctx, t, "POST", url, body,
		modernHeaders("subscriptions/listen", "")...))
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
	if got := next(); !strings.Contains(got, "notifications/resources/updated") ||
		!strings.Contains(got, `subscriptionId":"l"`) {
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
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") || strings.Count(a.body, "data: ") != 5 ||
		a.text() != "3 rows are valid" {
		t.Errorf("import_rows: %s", a.body)
	}
	if res, err := http.DefaultClient.Do(newRequest(t.Context(), t, "POST", url,
		flawedCall("divide", `{"a":1,"b":0}`))); err == nil {
		t.Errorf("divide by 0: %d; want the connection to break", res.StatusCode)
	}
	if a := do(t, "POST", url, flawedCall("divide", `{"a":4,"b":2}`)); a.text() != "2" {
		t.Errorf("after that: %s; want the others served", a.body)
	}
}

// TestHTTPStandaloneStream reads the stream that a session opens for what belongs to no request.
func TestHTTPStandaloneStream(t *testing.T) {
	url := listen(t, "demo")
	headers := openHTTP(t, url, spec.November2025)
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	res, err := http.DefaultClient.Do(newRequest(ctx, t, "GET", url, "",
		append(headers, "Accept: text/event-stream", "Content-Type: ")...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("GET: %s, %s", res.Status, res.Header.Get("Content-Type"))
	}
	do(t, "POST", url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"flash_tool",`+
		`"arguments":{"milliseconds":50}}}`, headers...)
	events := bufio.NewScanner(res.Body)
	for events.Scan() {
		if strings.Contains(events.Text(), "notifications/tools/list_changed") {
			return
		}
	}
	t.Error("the stream ended without list_changed")
}
