package hostrun

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// An API is a protocol between hosts and models.
type API struct {
	path    func(path string) bool // whether a request asks the model
	tools   func(body json.RawMessage) []hosts.Tool
	results func(body json.RawMessage) []Result // of all tool calls in the conversation
	// answer writes what the model says: a call, or a text.
	answer func(w http.ResponseWriter, r *http.Request, body json.RawMessage, call *toolCall, text string)
	other  string // the response to requests of the same path that do not ask the model
}

// A Call is a tool call of the script.
type Call struct {
	Tool      string          `json:"tool"` // as the server names it
	Arguments json.RawMessage `json:"arguments"`
}

// A Result is what the model gets for a tool call.
type Result struct {
	Text string          `json:"text"` // what a model reads of it
	Raw  json.RawMessage `json:"raw"`  // as the host sent it

	Found []hosts.Tool `json:"-"` // by a search for tools, best first; only their names
}

// A toolCall is a call with the names that the host gave the tool.
type toolCall struct {
	id, namespace, name string
	arguments           json.RawMessage
}

// maxRequest is the maximum size of a request: hosts send all tools with each.
const maxRequest = 64 << 20

// finalText is what the model says when its script is done.
const finalText = "Done."

// A model answers the requests of a host from a script, and records them.
type model struct {
	api    *API
	script []Call
	find   func(given []hosts.Tool, name string) (hosts.Tool, bool) // the tool of the server

	mu       sync.Mutex
	requests int
	bodies   []json.RawMessage // of the first requests, within maxBodies
	kept     int               // bytes of them
	tools    []hosts.Tool      // of all requests; the latest definition of each
	results  []Result
	uncalled string // the tool of the script that the model did not get
}

// ServeHTTP answers one request.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if r.Method != http.MethodPost || err != nil || !m.api.path(r.URL.Path) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost && strings.Contains(strings.ToLower(r.URL.Path), "count") {
			_, _ = io.WriteString(w, m.api.other)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":{"message":"not part of the scripted model","type":"not_found_error"}}`)
		return
	}
	given, results := m.api.tools(body), m.api.results(body)
	m.api.answer(w, r, body, m.next(body, given, results), finalText)
}

// next records a request and returns the next call of the script; nil if the model has nothing to call.
func (m *model) next(body json.RawMessage, given []hosts.Tool, results []Result) *toolCall {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests++; m.kept+len(body) <= maxBodies {
		m.bodies, m.kept = append(m.bodies, body), m.kept+len(body)
	}
	for _, tool := range given {
		m.note(tool)
	}
	if len(results) > len(m.results) {
		m.results = results
	}
	if len(results) >= len(m.script) || len(given) == 0 {
		return nil
	}
	call := m.script[len(results)]
	tool, found := m.find(given, call.Tool)
	if !found {
		m.uncalled = call.Tool
		return nil
	}
	m.uncalled = ""
	return &toolCall{id: callID(len(results)), namespace: tool.Namespace, name: tool.Name,
		arguments: call.Arguments}
}

// callID returns a unique ID for each call of a script.
func callID(n int) string {
	id := "call_" + string(rune('a'+n%26))
	if n >= 26 {
		id += strconv.Itoa(n / 26)
	}
	return id
}

// note adds a tool to those that the model got.
func (m *model) note(tool hosts.Tool) {
	for i, known := range m.tools {
		if known.Name == tool.Name && known.Namespace == tool.Namespace {
			m.tools[i] = tool
			return
		}
	}
	if len(m.tools) < maxGiven {
		m.tools = append(m.tools, tool)
	}
}

// Bounds of what is kept of a host that never stops asking its model.
const (
	maxBodies = 128 << 20
	maxGiven  = 10_000 // tools
)

// writeEvents writes server-sent events; the name of an event may be empty.
func writeEvents(w http.ResponseWriter, events ...[2]string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if e[0] != "" {
			_, _ = io.WriteString(w, "event: "+e[0]+"\n")
		}
		_, _ = io.WriteString(w, "data: "+e[1]+"\n\n")
	}
}

func writeJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

// text returns a value as JSON text.
func text(value any) string {
	raw, _ := json.Marshal(value)
	return string(raw)
}

// readable returns the text of a result: a string, or the texts of a list of parts.
func readable(raw json.RawMessage) string {
	var whole string
	if json.Unmarshal(raw, &whole) == nil {
		return whole
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	var all []string
	for _, p := range parts {
		if p.Text == "" && p.Type != "text" && p.Type != "input_text" {
			p.Text = "[" + p.Type + "]"
		}
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}
