package frontend

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A deafClient takes nothing of its answer before it is woken.
type deafClient struct {
	*httptest.ResponseRecorder
	asleep, woken chan struct{}
}

func (w deafClient) Write(p []byte) (int, error) {
	select {
	case w.asleep <- struct{}{}:
	default:
	}
	<-w.woken
	return w.ResponseRecorder.Write(p)
}

// A client that does not read what it is told holds up nobody else's calls of the same server.
func TestDeafClientHoldsUpNobody(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) { deafClientHoldsUpNobody(t, protocol) })
	}
}

func deafClientHoldsUpNobody(t *testing.T, protocol string) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{
		"echo": echoing,
		"talk": func(c *toyCall) string {
			for i := range 3 {
				c.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,`+
					`"progress":%d}}`, c.meta["progressToken"], i+1))
			}
			return text("done")
		},
	}})})
	other := r.dial(t, "2026-07-28", "other", mcp.Options{})
	deaf := deafClient{httptest.NewRecorder(), make(chan struct{}, 1), make(chan struct{})}
	over, request := make(chan struct{}), talking(t, r, protocol)
	go func() {
		defer close(over)
		r.endpoint.ServeHTTP(deaf, request)
	}()
	<-deaf.asleep
	answered := make(chan string, 1)
	go func() { answered <- call(t, other, "a__echo", `{"n":1}`) }()
	select {
	case got := <-answered:
		if !strings.Contains(got, `{"n":1}`) {
			t.Error(got)
		}
	case <-time.After(30 * time.Second):
		t.Error("the other client waits for one that does not read")
	}
	close(deaf.woken)
	<-over
	body := deaf.Body.String()
	at := []int{strings.Index(body, `"progress":1`), strings.Index(body, `"progress":2`),
		strings.Index(body, `"progress":3`), strings.Index(body, "done")}
	if at[0] < 0 || !slices.IsSorted(at) {
		t.Errorf("once it reads it gets\n%s\nwant the progress in its order, and then the answer", body)
	}
}

// A slowClient takes what it is told piece by piece.
type slowClient struct {
	*httptest.ResponseRecorder
	heard chan string
}

func (w slowClient) Write(p []byte) (int, error) {
	time.Sleep(5 * time.Millisecond) // so that whoever would speak next waits already
	w.heard <- string(p)
	return len(p), nil
}

// What a server says before it asks is told before it is asked.
func TestQuestionComesAfterWhatWasSaid(t *testing.T) {
	const steps = 20
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{
		"talk": func(c *toyCall) string {
			for i := range steps {
				c.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,`+
					`"progress":%d}}`, c.meta["progressToken"], i+1))
			}
			return text(strings.ReplaceAll(c.ask("elicitation/create"), `"`, "'"))
		},
	}})})
	client, request := slowClient{httptest.NewRecorder(), make(chan string)}, talking(t, r, "2025-11-25")
	go func() {
		defer close(client.heard)
		r.endpoint.ServeHTTP(client, request)
	}()
	said, last := 0, ""
	for event := range client.heard {
		last = event
		said += strings.Count(event, "notifications/progress")
		if !strings.Contains(event, "elicitation/create") {
			continue
		}
		if said != steps {
			t.Errorf("asked after %d of %d notifications", said, steps)
		}
		id := regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(event)[1]
		go r.endpoint.ServeHTTP(httptest.NewRecorder(),
			posted(t, request.Header, `{"jsonrpc":"2.0","id":`+id+`,"result":{"action":"decline"}}`))
	}
	if !strings.Contains(last, "decline") {
		t.Errorf("at last it heard %s, want the result", last)
	}
}

// talking is a call of the tool that tells of its progress, by a client of the revision.
func talking(t *testing.T, r *rig, protocol string) *http.Request {
	meta, header := `"progressToken":1`, http.Header{"Mcp-Protocol-Version": {protocol}}
	if protocol == "2026-07-28" {
		meta += `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
		header.Set("Mcp-Method", "tools/call")
		header.Set("Mcp-Name", "a__talk")
	} else {
		hello := httptest.NewRecorder()
		r.endpoint.ServeHTTP(hello, posted(t, nil,
			`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+protocol+
				`","capabilities":{"elicitation":{}},"clientInfo":{"name":"deaf","version":"1"}}}`))
		header.Set("Mcp-Session-Id", hello.Header().Get("Mcp-Session-Id"))
		r.endpoint.ServeHTTP(httptest.NewRecorder(),
			posted(t, header, `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	}
	return posted(t, header, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a__talk",`+
		`"arguments":{},"_meta":{`+meta+`}}}`)
}

func posted(t *testing.T, header http.Header, body string) *http.Request {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	maps.Copy(r.Header, header)
	return r
}
