package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// echoBackend answers with what it was asked, and blocks on the method "wait".
type echoBackend struct{ answered, gone atomic.Int64 }

func (b *echoBackend) Answer(ctx context.Context, c *Call) (json.RawMessage, *Error) {
	b.answered.Add(1)
	switch c.Method {
	case "initialize":
		return json.RawMessage(`{"protocolVersion":"` + c.Peer.Revision + `"}`), nil
	case "wait":
		<-ctx.Done()
		return nil, nil
	case "ask":
		answer, err := c.Ask(ctx, "roots/list", nil)
		if err != nil {
			return nil, &Error{Code: CodeInternal, Message: err.Error()}
		}
		return answer, nil
	}
	if c.Params == nil {
		return json.RawMessage(`{}`), nil
	}
	return c.Params, nil
}
func (b *echoBackend) Notified(*Peer, *Inbound) {}
func (b *echoBackend) Disconnected(*Peer)       { b.gone.Add(1) }

// post sends a body; header pairs follow.
func post(t testing.TB, h http.Handler, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const opening = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func open(t testing.TB, h http.Handler, header ...string) string {
	t.Helper()
	w := post(t, h, opening, header...)
	id := w.Header().Get("Mcp-Session-Id")
	if w.Code != 200 || id == "" {
		t.Fatalf("initialize: %d %s", w.Code, w.Body)
	}
	return id
}

// What two readers could take for two things is refused, whichever way it comes (C2, C5).
func TestC2StrictInbound(t *testing.T) {
	b := &echoBackend{}
	e := NewEndpoint(b, nil)
	session := open(t, e)
	long := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	for name, test := range map[string]struct {
		body string
		code int
	}{
		"duplicate key": {`{"jsonrpc":"2.0","id":2,"method":"tools/call","method":"ping"}`,
			CodeInvalidRequest},
		"duplicate nested key": {`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a",` +
			`"arguments":{"x":1,"x":2}}}`, CodeInvalidRequest},
		"escaped duplicate": {`{"jsonrpc":"2.0","id":2,"method":"x","\u006dethod":"y"}`, CodeInvalidRequest},
		"case variant":      {`{"jsonrpc":"2.0","id":2,"method":"x","Method":"y"}`, CodeInvalidRequest},
		"long s":            {`{"jsonrpc":"2.0","id":2,"method":"x","paramſ":{}}`, CodeInvalidRequest},
		"case variant in params": {`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","Name":"b"}}`,
			CodeInvalidParams},
		"invalid UTF-8":     {"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"\xff\"}", CodeParse},
		"lone surrogate":    {`{"jsonrpc":"2.0","id":2,"method":"\ud800"}`, CodeParse},
		"trailing text":     {`{"jsonrpc":"2.0","id":2,"method":"x"} {}`, CodeParse},
		"byte order mark":   {"\ufeff" + `{"jsonrpc":"2.0","id":2,"method":"x"}`, CodeParse},
		"NaN":               {`{"jsonrpc":"2.0","id":2,"method":"x","params":{"a":NaN}}`, CodeParse},
		"too deep":          {`{"jsonrpc":"2.0","id":2,"method":"x","params":` + long + `}`, CodeInvalidRequest},
		"float id":          {`{"jsonrpc":"2.0","id":2.5,"method":"x"}`, CodeInvalidRequest},
		"batch":             {`[{"jsonrpc":"2.0","id":2,"method":"x"}]`, CodeInvalidRequest},
		"result and method": {`{"jsonrpc":"2.0","id":2,"method":"x","result":{}}`, CodeInvalidRequest},
	} {
		before := b.answered.Load()
		w := post(t, e, test.body, "Mcp-Session-Id", session)
		var got struct{ Error struct{ Code int } }
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Error.Code != test.code ||
			b.answered.Load() != before {
			t.Errorf("%s: %d %s; want code %d and no answer of the backend", name, w.Code, w.Body, test.code)
		}
		var out bytes.Buffer
		if err := e.ServeLines(t.Context(), strings.NewReader(test.body+"\n"), &out); err != nil ||
			!strings.Contains(out.String(), fmt.Sprint(test.code)) {
			t.Errorf("%s on a line: %s (%v); want code %d", name, &out, err, test.code)
		}
	}
	kept := `{"jsonrpc":"2.0","id":12345678901234567890123,"method":"echo","params":{"b":1,"a":9007199254740993,` +
		`"t":"<b>\u0041"}}`
	if w := post(t, e, kept, "Mcp-Session-Id", session); w.Body.String() != `{"jsonrpc":"2.0",`+
		`"id":12345678901234567890123,"result":{"b":1,"a":9007199254740993,"t":"<b>\u0041"}}` {
		t.Errorf("exact bytes came back as %s", w.Body)
	}
}

func TestC5Sizes(t *testing.T) {
	e := NewEndpoint(&echoBackend{}, &EndpointOptions{MaxMessage: 1000})
	body := func(n int) string { return `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", n-36) + `"}` }
	for n, want := range map[int]int{1000: 400, 1001: 413, 100_000: 413} {
		for _, chunked := range []bool{false, true} {
			var reader io.Reader = strings.NewReader(body(n))
			if chunked {
				reader = io.MultiReader(reader) // hides its length
			}
			r := httptest.NewRequest(http.MethodPost, "/mcp", reader)
			r.Header.Set("Accept", "*/*")
			w := httptest.NewRecorder()
			if e.ServeHTTP(w, r); w.Code != want {
				t.Errorf("%d bytes, chunked %v: %d, want %d", n, chunked, w.Code, want)
			}
		}
	}
}

// The headers of a modern request repeat its body; one that does not is refused (C2).
func TestC2HeaderMismatch(t *testing.T) {
	b := &echoBackend{}
	e := NewEndpoint(b, nil)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"säge",` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	good := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call",
		"Mcp-Name": "=?base64?c8OkZ2U=?="}
	headers := func(change ...string) []string {
		var list []string
		for name, value := range good {
			if name == change[0] {
				value = change[1]
			}
			list = append(list, name, value)
		}
		return list
	}
	if w := post(t, e, body, headers("", "")...); w.Code != 200 {
		t.Fatalf("matching headers: %d %s", w.Code, w.Body)
	}
	for _, change := range [][]string{{"Mcp-Method", "tools/list"}, {"Mcp-Method", ""}, {"Mcp-Name", "other"},
		{"Mcp-Name", "=?base64?b3RoZXI=?="},
		{"Mcp-Name", ""}, {"Mcp-Protocol-Version", "2025-11-25"}} {
		before := b.answered.Load()
		w := post(t, e, body, headers(change...)...)
		if w.Code != 400 || !strings.Contains(w.Body.String(), "-32020") || b.answered.Load() != before {
			t.Errorf("%v: %d %s, want 400 with -32020", change, w.Code, w.Body)
		}
	}
}

// A session belongs to its caller; for others it does not exist (E3).
func TestE3SessionsBelongToTheirCaller(t *testing.T) {
	b := &echoBackend{}
	e := NewEndpoint(b, &EndpointOptions{Caller: func(r *http.Request) string { return r.Header.Get("X-Caller") }})
	session := open(t, e, "X-Caller", "ada")
	call := `{"jsonrpc":"2.0","id":2,"method":"echo"}`
	if w := post(t, e, call, "Mcp-Session-Id", session, "X-Caller", "ada"); w.Code != 200 {
		t.Fatalf("ada: %d %s", w.Code, w.Body)
	}
	foreign := post(t, e, call, "Mcp-Session-Id", session, "X-Caller", "eve")
	forged := post(t, e, call, "Mcp-Session-Id", strings.Repeat("A", len(session)), "X-Caller", "eve")
	if foreign.Code != 404 || forged.Code != 404 || foreign.Body.String() != forged.Body.String() {
		t.Errorf("eve: %d %s, forged: %d %s; want the same 404", foreign.Code, foreign.Body, forged.Code, forged.Body)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // a stream that is opened would not end
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, method, "/mcp", nil)
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("X-Caller", "eve")
		r.Header.Set("Accept", "text/event-stream")
		w := httptest.NewRecorder()
		if e.ServeHTTP(w, r); w.Code != 404 {
			t.Errorf("%s by eve: %d, want 404", method, w.Code)
		}
	}
	// A cancellation or an answer of another's session goes nowhere either.
	done := make(chan *httptest.ResponseRecorder)
	go func() {
		done <- post(t, e, `{"jsonrpc":"2.0","id":7,"method":"wait"}`, "Mcp-Session-Id", session, "X-Caller", "ada")
	}()
	other := open(t, e, "X-Caller", "eve")
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
	post(t, e, cancel, "Mcp-Session-Id", other, "X-Caller", "eve")
	select {
	case <-done:
		t.Fatal("eve cancelled ada's request")
	case <-time.After(50 * time.Millisecond):
	}
	for range 1000 { // the request may not have begun
		post(t, e, cancel, "Mcp-Session-Id", session, "X-Caller", "ada")
		select {
		case w := <-done:
			if w.Body.Len() != 0 {
				t.Errorf("a cancelled request was answered: %s", w.Body)
			}
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Error("ada could not cancel")
}

// Sessions that nobody uses make room for others, and cost little (E7).
func TestE7ManySessions(t *testing.T) {
	b := &echoBackend{}
	e := NewEndpoint(b, nil)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var last string
	for range 20_000 {
		last = open(t, e)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if e.Sessions() > 10_000 || b.gone.Load() != 10_000 {
		t.Errorf("%d sessions open, %d told to be gone; want at most 10,000 and 10,000", e.Sessions(), b.gone.Load())
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("%d MiB more in use, want under 64", grown>>20)
	}
	if w := post(t, e, `{"jsonrpc":"2.0","id":2,"method":"echo"}`, "Mcp-Session-Id", last); w.Code != 200 {
		t.Errorf("the youngest session: %d, want 200", w.Code)
	}
}

// A busy session is never the one that makes room.
func TestBusySessionsStay(t *testing.T) {
	e := NewEndpoint(&echoBackend{}, &EndpointOptions{MaxSessions: 1})
	session := open(t, e)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		post(t, e, `{"jsonrpc":"2.0","id":7,"method":"wait"}`, "Mcp-Session-Id", session)
	}()
	for !e.sessions.find(session, "").busy() {
		time.Sleep(time.Millisecond)
	}
	if w := post(t, e, opening); !strings.Contains(w.Body.String(), "-32000") {
		t.Errorf("a second session: %d %s, want it refused", w.Code, w.Body)
	}
	cancel()
	e.Drain(ctx)
	<-done
}
