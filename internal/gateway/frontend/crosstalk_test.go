package frontend

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How many clients talk at once, and how often each.
const principals = 100

var callsOfEach = map[bool]int{false: 500 / slowdown, true: 500}[full]

// A hundred callers with the same ids and progress tokens share a server, and each hears only of its own.
func TestE2NoCrossTalk(t *testing.T) {
	r := newRig(t, All, nil,
		map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{"echo": func(c *toyCall) string {
			nonce := string(serve.Members(c.arguments)["nonce"])
			if token := c.meta["progressToken"]; token != nil {
				c.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + string(token) +
					`,"progress":1,"message":` + nonce + `}}`)
			}
			return `{"content":[{"type":"text","text":` + nonce + `}]}`
		}}})})
	var wg sync.WaitGroup
	for i := range principals {
		caller := fmt.Sprintf("caller-%d", i)
		s := r.dial(t, protocols[i%2], caller, mcp.Options{})
		wg.Go(func() {
			for n := range callsOfEach {
				if !hearsItsOwn(t, s, caller, fmt.Sprintf(`"%s nonce %d"`, caller, n)) {
					return
				}
			}
		})
	}
	wg.Wait()
}

// hearsItsOwn makes a call and sees that its answer and its progress are those of the nonce.
func hearsItsOwn(t *testing.T, s *mcp.Session, caller, nonce string) bool {
	t.Helper()
	var progress []string
	ex, err := s.Do(t.Context(), mcp.Request{Method: "tools/call",
		Params: json.RawMessage(`{"name":"a__echo","arguments":{"nonce":` + nonce +
			`},"_meta":{"progressToken":7}}`),
		OnMessage: func(m mcp.Message) { progress = append(progress, string(m.Params)) }})
	if err != nil || ex.Reply.Error != nil || !strings.Contains(string(ex.Reply.Result), nonce) {
		t.Errorf("%s: %v, want its nonce", caller, ex)
		return false
	}
	if len(progress) != 1 || !strings.Contains(progress[0], nonce) ||
		!strings.Contains(progress[0], `"progressToken":7`) {
		t.Errorf("%s heard %q, want its own progress", caller, progress)
		return false
	}
	return true
}

// No server gets to see a caller's credential or its name, and nothing that one caller sees may be kept for another.
func TestE2CredentialsStayHere(t *testing.T) {
	var mu sync.Mutex
	var seen strings.Builder
	behind := newRig(t, All, nil,
		map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{"echo": echoing}})})
	spy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		fmt.Fprintln(&seen, r.URL, r.Header)
		mu.Unlock()
		behind.endpoint.ServeHTTP(w, r)
	}))
	t.Cleanup(spy.Close)
	before := newRig(t, All, nil, map[string]wire.Target{"b": {URL: spy.URL + "/mcp"}})
	for _, protocol := range protocols {
		for _, caller := range []string{"ada-the-first", "bob-the-second"} {
			s := before.dial(t, protocol, caller, mcp.Options{})
			if got := call(t, s, "b__a__echo", `{"n":1}`); !strings.Contains(got, `{"n":1}`) {
				t.Fatalf("%s: %s", protocol, got)
			}
			for _, method := range []string{"tools/list", "resources/list", "prompts/list",
				"resources/templates/list"} {
				if got := rawCall(t, s, method, `{}`); protocol == "2026-07-28" &&
					!strings.Contains(got, `"cacheScope":"private"`) {
					t.Errorf("%s: %s, want it to be kept by nobody else", method, got)
				}
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for _, secret := range []string{"s3cret", "ada-the-first", "bob-the-second"} {
		if strings.Contains(seen.String(), secret) {
			t.Errorf("the server behind was told %q:\n%s", secret, &seen)
		}
	}
}
