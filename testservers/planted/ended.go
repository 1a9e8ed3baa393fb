package planted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// Ended is an HTTP server with a defect that only HTTP shows: a deleted session is still accepted.
type Ended struct {
	Mended atomic.Bool // it responds to such a session with 404

	sessions atomic.Int64
	ended    sync.Map // by id
}

// ServeHTTP serves one tool.
func (e *Ended) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	if _, ended := e.ended.Load(id); ended && e.Mended.Load() {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	switch r.Method {
	case http.MethodDelete:
		e.ended.Store(id, true)
	case http.MethodPost:
		e.post(w, r)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (e *Ended) post(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Arguments json.RawMessage }
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil || json.Unmarshal(body, &m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if m.Method == "initialize" {
		w.Header().Set("Mcp-Session-Id", fmt.Sprint(e.sessions.Add(1)))
	}
	results := map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"planted",` +
			`"version":"1"}}`,
		"tools/list": `{"tools":[` + Creature{input: free}.tool() + `]}`,
		"tools/call": called(m.Params.Arguments), "ping": "{}",
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, results[m.Method])
}

// called is the result of a call, whose arguments are validated.
func called(arguments json.RawMessage) string {
	if len(compile(free).Validate(arguments)) == 0 {
		return fine
	}
	return strings.Replace(fine, "}]", `}],"isError":true`, 1)
}
