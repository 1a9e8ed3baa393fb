package conform

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// An upstream is the service behind a server: an MCP server with one tool, or any other that returns JSON. It remembers
// whether it received a token.
type upstream struct {
	token  string
	server *http.Server

	mu    sync.Mutex
	count int
	found bool
}

// newUpstream listens on an address of this machine.
func newUpstream(address, token string) (*upstream, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on the address of --auth-upstream: %w", err)
	}
	u := &upstream{token: token}
	u.server = netguard.Server(u)
	go func() { _ = u.server.Serve(listener) }()
	return u, nil
}

// seen returns the number of requests, and whether one of them had the token.
func (u *upstream) seen() (count int, found bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.count, u.found
}

func (u *upstream) close() { _ = u.server.Close() }

// ServeHTTP looks for the token in a request.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, netguard.MaxBody))
	if err != nil {
		return
	}
	all := r.URL.String() + " " + string(body)
	for _, values := range r.Header {
		all += " " + strings.Join(values, " ")
	}
	u.mu.Lock()
	u.count++
	u.found = u.found || strings.Contains(all, u.token)
	u.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(upstreamReply(body))
}

// upstreamReply returns the response of an MCP server, or an empty object to other requests.
func upstreamReply(body []byte) []byte {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Version string `json:"protocolVersion"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &m) != nil || m.ID == nil {
		return []byte("{}")
	}
	result := map[string]any{}
	switch m.Method {
	case "initialize":
		result = map[string]any{"protocolVersion": m.Params.Version, "capabilities": map[string]any{"tools": struct{}{}},
			"serverInfo": map[string]string{"name": "mcptest-upstream", "version": "1"}}
	case "tools/list":
		result["tools"] = []any{map[string]any{"name": "echo", "inputSchema": map[string]string{"type": "object"}}}
	case "tools/call":
		result["content"] = []any{map[string]string{"type": "text", "text": "ok"}}
	case "server/discover":
		reply, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID,
			"error": map[string]any{"code": -32601, "message": "Method not found"}})
		return reply
	}
	reply, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	return reply
}
