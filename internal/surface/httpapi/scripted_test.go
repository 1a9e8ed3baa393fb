package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// scripted adds a server of the modern era whose one tool, go, answers with the given result, and returns its id.
func (p *page) scripted(result string) string {
	p.t.Helper()
	id, _ := p.answering(func(mcp.Message) string { return result })
	return id
}

// asking adds a server whose tool asks for an elicitation with the given params before it answers.
func (p *page) asking(params string) string {
	p.t.Helper()
	id, _ := p.answering(func(m mcp.Message) string {
		var given struct {
			Responses json.RawMessage `json:"inputResponses"`
		}
		_ = json.Unmarshal(m.Params, &given)
		if given.Responses == nil {
			return `{"resultType":"input_required","inputRequests":{"q1":{"method":"elicitation/create","params":` +
				params + `}}}`
		}
		return `{"content":[{"type":"text","text":` + string(quoted(string(given.Responses))) + `}]}`
	})
	return id
}

func quoted(text string) []byte { raw, _ := json.Marshal(text); return raw }

// A heard is what a scripted server was sent.
type heard struct {
	mu       sync.Mutex
	messages []mcp.Message
	headers  []http.Header
}

func (h *heard) note(m mcp.Message, header http.Header) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.messages, h.headers = append(h.messages, m), append(h.headers, header)
}

// last is the params of the last message with the method.
func (h *heard) last(method string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n := len(h.messages) - 1; n >= 0; n-- {
		if h.messages[n].Method == method {
			return string(h.messages[n].Params)
		}
	}
	return ""
}

// answering adds a server whose tool answers as it is told.
func (p *page) answering(answer func(mcp.Message) string) (id string, got *heard) {
	p.t.Helper()
	got = &heard{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := mcp.Read(wire.Frame{Body: body})
		got.note(m, r.Header.Clone())
		w.Header().Set("Content-Type", "application/json")
		result := `{"resultType":"complete"}`
		switch m.Method {
		case "server/discover":
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
				`"ttlMs":0,"cacheScope":"private"}`
		case "tools/list":
			result = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"go",` +
				`"description":"Goes.","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			result = answer(m)
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	p.t.Cleanup(server.Close)
	return ask[view.Server](p, "POST", "/api/servers", view.NewServer{Name: "scripted", URL: server.URL}).ID,
		got
}

// question waits until a server asks something.
func (p *page) question(link string) view.Question {
	p.t.Helper()
	return until(p, func() (view.Question, bool) {
		l := ask[view.Link](p, "GET", "/api/links/"+link, nil)
		if len(l.Questions) == 0 {
			return view.Question{}, false
		}
		return l.Questions[0], true
	})
}

// server finds a server by its name.
func (p *page) server(name string) view.Server {
	p.t.Helper()
	for _, s := range ask[view.Servers](p, "GET", "/api/servers", nil).Servers {
		if s.Name == name {
			return s
		}
	}
	p.t.Fatalf("unknown server %q", name)
	return view.Server{}
}

// run runs an operation and returns the last event.
func (p *page) run(path, link, input string) view.RunEvent {
	p.t.Helper()
	all := p.runEvents(path, link, input)
	return all[len(all)-1]
}

// runEvents runs an operation and returns all that is told of it.
func (p *page) runEvents(path, link, input string) []view.RunEvent {
	p.t.Helper()
	s := p.stream(context.Background(), "POST", "/api/run/"+path, view.RunInput{Link: link, InputJSON: input})
	var all []view.RunEvent
	for {
		var e view.RunEvent
		if !s.next(&e) {
			break
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		p.t.Fatalf("nothing was told of %s", path)
	}
	return all
}
