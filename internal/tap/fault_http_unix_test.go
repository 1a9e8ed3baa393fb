//go:build unix

package tap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A scriptedServer responds to every request with its method, as JSON or as events, and counts the IDs that arrive.
type scriptedServer struct {
	events bool
	mu     sync.Mutex
	seen   map[string]int
	sizes  map[string]int
}

// ServeHTTP responds to a message.
func (s *scriptedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal(body, &m) != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.seen[string(m.ID)]++
	s.sizes[string(m.ID)] = len(body)
	s.mu.Unlock()
	if !s.events {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, result(m.Method, string(m.ID)))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n"+
		"id: 7\nevent: message\ndata: %s\n\n", result(m.Method, string(m.ID)))
}

// A received is what a client receives for a request.
type received struct {
	status int
	header http.Header
	body   string
	err    error
	took   time.Duration
}

// post sends a message as a client with a long time limit.
func post(t *testing.T, address, session, body string) received {
	t.Helper()
	return postWithin(t, time.Minute, address, session, body)
}

// postWithin sends a message as a client with a time limit.
func postWithin(t *testing.T, limit time.Duration, address, session, body string) received {
	t.Helper()
	start := time.Now()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	client := &http.Client{Timeout: limit, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return received{err: err, took: time.Since(start)}
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	return received{resp.StatusCode, resp.Header, string(content), err, time.Since(start)}
}

// hangLimit is the time limit of a client for a call that hangs.
const hangLimit = time.Second

// Every kind over HTTP does to the client and the server what its documentation says, for a response with one message
// and for an event stream. The second of three calls has the fault.
func TestHTTPFaults(t *testing.T) {
	two := result("tools/call", "2")
	event := "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n"
	eventTwo := "id: 7\nevent: message\ndata: " + two + "\n\n"
	isStatus := func(status int) func(received) bool {
		return func(r received) bool { return r.err == nil && r.status == status && r.body == "" }
	}
	hangs := func(r received) bool { return r.err != nil && r.took >= hangLimit }
	aborted := func(r received) bool { return r.err != nil && r.took < 30*time.Second }
	type want struct {
		json, events func(received) bool // nil if the kind does not apply
		server       int                 // how often the call reaches the server
	}
	is := func(body string) func(received) bool {
		return func(r received) bool { return r.err == nil && r.status == http.StatusOK && r.body == body }
	}
	later := func(body string, least time.Duration) func(received) bool {
		return func(r received) bool { return r.body == body && r.took >= least }
	}
	after := func(least time.Duration) func(received) bool {
		return func(r received) bool { return r.took > least && r.status == http.StatusOK }
	}
	failed := func(r received) bool { return r.status == http.StatusBadRequest }
	both := func(check func(received) bool, server int) want { return want{check, check, server} }
	for spec, tt := range map[string]want{
		"delay=300ms": {later(two, 300*time.Millisecond), later(event+eventTwo, 300*time.Millisecond), 1},
		"hang":        {hangs, hangs, 1},
		"drop":        {isStatus(http.StatusAccepted), is(event), 1},
		"duplicate": {is("event: message\ndata: " + two + "\n\nevent: message\ndata: " + two + "\n\n"),
			is(event + eventTwo + eventTwo), 1},
		"reorder=200ms": {later(two, 200*time.Millisecond), is(event + eventTwo), 1},
		"error": {func(r received) bool { return strings.Contains(r.body, `"id":2,"error":{"code":-32603`) },
			func(r received) bool { return strings.Contains(r.body, `data: {"jsonrpc":"2.0","id":2,"error"`) }, 1},
		"wrong-id": {func(r received) bool { return strings.Contains(r.body, `"id":"mcptest-wrong-id"`) },
			func(r received) bool { return strings.Contains(r.body, `"id":"mcptest-wrong-id"`) }, 1},
		"garbage": {func(r received) bool { return !json.Valid([]byte(r.body)) && r.body != "" },
			func(r received) bool { return strings.Contains(r.body, "is not JSON {\n\n") }, 1},
		"cut": {func(r received) bool { return errors.Is(r.err, io.ErrUnexpectedEOF) && r.body == two[:len(two)/2] },
			func(r received) bool { return strings.HasSuffix(r.body, two[:len(two)/2]+"\n\n") }, 1},
		"close":      {aborted, aborted, 1},
		"slow=400ms": {later(two, 400*time.Millisecond), later(event+eventTwo, 400*time.Millisecond), 1},
		"oversize=50000": {func(r received) bool { return len(r.body) == 50000 && json.Valid([]byte(r.body)) },
			func(r received) bool { return len(r.body) > 50000 }, 1},
		"invalid-utf8": {func(r received) bool { return !utf8.ValidString(r.body) },
			func(r received) bool { return !utf8.ValidString(r.body) }, 1},
		"http=401": both(func(r received) bool {
			return r.status == 401 && r.header.Get("WWW-Authenticate") != ""
		}, 0),
		"http=404": both(isStatus(404), 0),
		"http=429": both(func(r received) bool { return r.status == 429 && r.header.Get("Retry-After") == "1" }, 0),
		"http=500": both(isStatus(500), 0),
		"http=503": both(isStatus(503), 0),
		"cut-sse": {nil, func(r received) bool {
			return errors.Is(r.err, io.ErrUnexpectedEOF) && r.body == event+eventTwo[:len(eventTwo)/2]
		}, 1},

		"from=client:delay=300ms":   both(after(300*time.Millisecond), 1),
		"from=client:hang":          both(hangs, 0),
		"from=client:drop":          both(isStatus(http.StatusAccepted), 0),
		"from=client:duplicate":     both(func(r received) bool { return r.status == 200 }, 2),
		"from=client:reorder=200ms": both(after(200*time.Millisecond), 1),
		"from=client:error": both(func(r received) bool {
			return strings.HasPrefix(r.body, `{"jsonrpc":"2.0","id":2,"error"`)
		}, 0),
		"from=client:wrong-id":       both(func(r received) bool { return strings.Contains(r.body, "mcptest-wrong-id") }, 0),
		"from=client:garbage":        both(failed, 0),
		"from=client:cut":            both(failed, 0),
		"from=client:close":          both(aborted, 0),
		"from=client:slow=200ms":     both(after(200*time.Millisecond), 1),
		"from=client:oversize=90000": both(func(r received) bool { return r.status == 200 }, 1),
		"from=client:invalid-utf8":   both(func(received) bool { return true }, 1),
	} {
		for kind, check := range map[string]func(received) bool{"json": tt.json, "events": tt.events} {
			if check == nil {
				continue
			}
			t.Run(spec+"/"+kind, func(t *testing.T) {
				t.Parallel()
				rule := "tools/call:#2:" + spec
				server := &scriptedServer{events: kind == "events", seen: map[string]int{}, sizes: map[string]int{}}
				address, end := tapHTTPWith(t, server, rule)
				limit := time.Minute
				if strings.HasSuffix(spec, "hang") {
					limit = hangLimit
				}
				first := post(t, address, "", toolCall(1, "a"))
				second := postWithin(t, limit, address, "", toolCall(2, "b"))
				third := post(t, address, "", toolCall(3, "c"))
				s, frames := end()
				if first.status != 200 || third.status != 200 || first.err != nil || third.err != nil {
					t.Errorf("calls without a fault: %+v, %+v", first, third)
				}
				if !check(second) {
					t.Errorf("the client receives %+v", second)
				}
				if got := server.seen["2"]; got != tt.server {
					t.Errorf("the call reached the server %d times, want %d", got, tt.server)
				}
				if strings.Contains(spec, "client:oversize") && server.sizes["2"] != 90000 {
					t.Errorf("the server received %d bytes", server.sizes["2"])
				}
				checkInjected(t, s, frames, rule)
			})
		}
	}
}

// An expired session stays expired: only a new session works.
func TestExpiredSession(t *testing.T) {
	server := &scriptedServer{seen: map[string]int{}, sizes: map[string]int{}}
	address, end := tapHTTPWith(t, server, "tools/call:#2:expired-session")
	var got []int
	for i, session := range []string{"s1", "s1", "s1", "s2"} {
		got = append(got, post(t, address, session, toolCall(i+1, "a")).status)
	}
	s, frames := end()
	if want := []int{200, 404, 404, 200}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
	checkInjected(t, s, frames, "tools/call:#2:expired-session")
}

// Faults of a stream of 2024-11-05 apply to responses in another exchange than the request; the endpoint is rewritten.
func TestFaultsOfLegacyStream(t *testing.T) {
	messages := make(chan string, 1)
	address, end := tapHTTPWith(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			messages <- string(body)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "event: endpoint\ndata: http://"+r.Host+"/messages\n\n")
		_ = http.NewResponseController(w).Flush()
		<-messages
		_, _ = io.WriteString(w, "event: message\ndata: "+result("tools/call", "1")+"\n\n")
	}), "tools/call:duplicate")
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	buffer := make([]byte, 500)
	n, _ := resp.Body.Read(buffer)
	if want := "data: " + strings.TrimSuffix(address, "/mcp") + "/messages"; !bytes.Contains(buffer[:n], []byte(want)) {
		t.Errorf("first event %q, want %q", buffer[:n], want)
	}
	if r := post(t, address, "", toolCall(1, "a")); r.status != http.StatusAccepted {
		t.Errorf("post: %+v", r)
	}
	rest, err := io.ReadAll(resp.Body)
	if err != nil || strings.Count(string(rest), `"id":1`) != 2 {
		t.Errorf("the client receives %q, %v", rest, err)
	}
	s, frames := end()
	checkInjected(t, s, frames, "tools/call:duplicate")
	if frames[0].From != wire.Client {
		t.Errorf("first frame %+v", frames[0])
	}
}

// A message that is too large for a fault passes unchanged, in both directions and as JSON and events.
func TestTooLargeForAFault(t *testing.T) {
	text := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"` + strings.Repeat("x", 3*maxFaultyInTests) + `"}}`
	for name, events := range map[string]bool{"JSON": false, "events": true} {
		t.Run(name, func(t *testing.T) {
			address, end := tapHTTPWith(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if events {
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = io.WriteString(w, "data: ")
				}
				_, _ = io.Copy(w, r.Body)
				if events {
					_, _ = io.WriteString(w, "\n\ndata: "+result("tools/call", "2")+"\n\n")
				}
			}), "tools/call:#1:drop")
			got := post(t, address, "", text)
			want := text
			if events {
				want = "data: " + text + "\n\ndata: " + result("tools/call", "2") + "\n\n"
			}
			if got.body != want {
				t.Errorf("%d bytes come back, want %d: %.80q … %.80q", len(got.body), len(want), got.body,
					got.body[max(0, len(got.body)-80):])
			}
			s, frames := end()
			if last := frames[len(frames)-1]; events && string(last.Body) != result("tools/call", "2") {
				t.Errorf("the event after it is not recorded, but %.100s", last.Body)
			}
			if s.Faults.Count != 0 {
				t.Errorf("%d faults", s.Faults.Count)
			}
		})
	}
}
