// Package exemplar is a server that keeps to the protocol in every revision, over lines and over HTTP, and can be made to
// break one rule at a time.
//
// A mutant is a [Server] with one of its functions set: each sees what the clean server would do and may do otherwise. So
// a check can be tested against a server that breaks its rule and nothing else.
package exemplar

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A Handler answers one request with a whole JSON-RPC message. nil is silence.
type Handler func(*Call) []byte

// A Server is a clean server, but for the functions that are set.
type Server struct {
	Wrap  func(Handler) Handler                     // changes how requests are answered
	Heard func(l *Line, method string)              // on a notification, beside what the clean server does
	Input func(l *Line, line []byte) bool           // on a pipe: sees each line first; true means that it is dealt with
	Start func(l *Line)                             // on a pipe: before anything is read
	End   func(l *Line)                             // on a pipe: after the input has ended
	Web   func(http.Handler) http.Handler           // over HTTP: before everything
	Plan  func(*Features)                           // changes what the server has
	Stop  func(c *Call, method string) (quiet bool) // on a cancelled request: true keeps it going

	once     sync.Once
	features Features
	mu       sync.Mutex
	sessions map[string]*Peer
	watchers map[*watcher]bool
	tasks    []*task
}

// Features are what the server declares and offers, as raw JSON.
type Features struct {
	Revisions    []string // it speaks
	Info         string   // serverInfo
	Instructions string
	Capabilities map[string]string // by name; what a revision does not know is left out
}

// Close ends the requests that go on although their clients have left.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.sessions {
		p.cancelAll()
	}
}

// plan is what this server has.
func (s *Server) plan() *Features {
	s.once.Do(func() {
		s.features = Features{
			Revisions:    []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"},
			Info:         `{"name":"exemplar","version":"1.0.0"}`,
			Instructions: "Call echo to hear yourself.",
			Capabilities: map[string]string{
				"tools": `{"listChanged":true}`, "resources": `{"subscribe":true,"listChanged":true}`, "prompts": `{"listChanged":true}`,
				"completions": `{}`, "logging": `{}`,
				"tasks": `{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`, "extensions": `{"io.modelcontextprotocol/tasks":{}}`,
			},
		}
		if s.Plan != nil {
			s.Plan(&s.features)
		}
	})
	return &s.features
}

// A Peer is what the server remembers of a client: nothing in the modern era.
type Peer struct {
	mu           sync.Mutex
	revision     string // settled by initialize
	capabilities json.RawMessage
	level        string          // of the log messages that it wants
	watched      map[string]bool // resources that it subscribed to
	running      map[string]context.CancelFunc
	answers      map[string]chan json.RawMessage // of requests to the client
	asked        int
	send         func([]byte) // outside of any request; nil if there is no way
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
	Gone     <-chan struct{}                                               // over HTTP in the older era: closed when the client's connection is lost
	Fault    *serve.Error                                                  // why the clean server refuses it before it looks at the method
	Status   int                                                           // over HTTP: of the answer; 0 for the usual one
	Send     func(message []byte)                                          // a message on the request's account
	Ask      func(method, params string) (answer json.RawMessage, ok bool) // a request to the client, in the older era
}

// Notify sends a notification on the request's account.
func (c *Call) Notify(method, params string) {
	c.Send([]byte(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`))
}

// Result is the answer with a result.
func (c *Call) Result(result string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + string(c.ID) + `,"result":` + result + `}`)
}

// answer serves a request by way of the mutation.
func (s *Server) answer(c *Call) []byte {
	h := Handler(clean)
	if s.Wrap != nil {
		h = s.Wrap(h)
	}
	return h(c)
}
