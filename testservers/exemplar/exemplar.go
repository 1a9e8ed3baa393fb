// Package exemplar is a server that conforms to every revision, over stdio and over HTTP, and can be configured to
// violate one rule at a time.
//
// A mutant is a [Server] with one of its functions set: each can change the behavior of the clean server. So
// a check can be tested against a server that violates only its rule.
package exemplar

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A Handler returns the complete JSON-RPC message for one request. nil means no response.
type Handler func(*Call) []byte

// A Server is a clean server, except for the functions that are set.
type Server struct {
	Wrap  func(Handler) Handler        // changes the responses
	Heard func(l *Line, method string) // on a notification, in addition to the clean server
	// on a pipe: receives each line first; true means that it is handled
	Input func(l *Line, line []byte) bool
	Start func(l *Line)                             // on a pipe: before anything is read
	End   func(l *Line)                             // on a pipe: after the input has ended
	Web   func(http.Handler) http.Handler           // over HTTP: before everything
	Plan  func(*Features)                           // changes the features
	Stop  func(c *Call, method string) (quiet bool) // on a cancelled request: true lets it continue

	once     sync.Once
	features Features
	mu       sync.Mutex
	sessions map[string]*Peer
	watchers map[*watcher]bool
	tasks    []*task
}

// Features are the declared capabilities and the items, as raw JSON.
type Features struct {
	Revisions    []string // supported
	Info         string   // serverInfo
	Instructions string
	Capabilities map[string]string // by name; those that a revision does not define are omitted
}

// Close cancels the requests whose clients have disconnected.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.sessions {
		p.cancelAll()
	}
}

// plan returns the features of this server.
func (s *Server) plan() *Features {
	s.once.Do(func() {
		s.features = Features{
			Revisions:    []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"},
			Info:         `{"name":"exemplar","version":"1.0.0"}`,
			Instructions: "Call echo to hear yourself.",
			Capabilities: map[string]string{
				"tools": `{"listChanged":true}`, "resources": `{"subscribe":true,"listChanged":true}`,
				"prompts":     `{"listChanged":true}`,
				"completions": `{}`, "logging": `{}`,
				"tasks":      `{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`,
				"extensions": `{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/skills":{"directoryRead":true}}`,
			},
		}
		if s.Plan != nil {
			s.Plan(&s.features)
		}
	})
	return &s.features
}

// A Peer is the server's state of a client: none from 2026-07-28 on.
type Peer struct {
	mu           sync.Mutex
	revision     string // set by initialize
	capabilities json.RawMessage
	level        string          // requested log level
	watched      map[string]bool // subscribed resources
	running      map[string]context.CancelFunc
	answers      map[string]chan json.RawMessage // of requests to the client
	asked        int
	send         func([]byte) // outside of any request; nil if not possible
	id           string       // of the session, over HTTP
	tape         tape
}

// A Call is one request.
type Call struct {
	Ctx      context.Context
	Server   *Server
	Peer     *Peer
	ID       json.RawMessage
	Method   string
	Params   json.RawMessage
	Revision string
	Modern   bool
	HTTP     bool
	// over HTTP up to 2025-11-25: closed when the client's connection is lost
	Gone <-chan struct{}
	// why the clean server rejects it before it checks the method
	Fault *serve.Error
	// over HTTP: of the response; 0 for the default
	Status int
	Send   func(message []byte)                                          // a message related to the request
	Ask    func(method, params string) (answer json.RawMessage, ok bool) // a request to the client, up to 2025-11-25
}

// Notify sends a notification related to the request.
func (c *Call) Notify(method, params string) {
	c.Send([]byte(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`))
}

// Result returns a response with a result.
func (c *Call) Result(result string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + string(c.ID) + `,"result":` + result + `}`)
}

// answer handles a request with the mutation.
func (s *Server) answer(c *Call) []byte {
	h := Handler(clean)
	if s.Wrap != nil {
		h = s.Wrap(h)
	}
	return h(c)
}
