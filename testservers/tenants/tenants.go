// Package tenants has a server with two users, alice and bob, over Streamable HTTP. It keeps them apart, or it has one
// planted leak that a test of isolation must find.
package tenants

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A Leak is a planted fault, and the rules that find it.
type Leak struct {
	Name  string
	Rules []string // each of them must be reported, and no other
	// it is found only if the private texts of the users are known: every response is the one of the first user
	Private bool
	// it needs a session or a stream of the older revisions
	OfSessions bool
}

// The names of the leaks.
const (
	sharedSessions = "session map without users"
	cachedList     = "list cache without users"
	taskIDs        = "tasks by sequential IDs"
	tokenProgress  = "progress by token alone"
	resourceCache  = "resource cache without users"
	fixedResource  = "cache of a fixed resource without users"
	eventReplay    = "event store without sessions"
	upstreamPool   = "upstream connections shared by a gateway"
	resultCache    = "result cache without users"
	logBroadcast   = "log messages to everyone"
	anyDelete      = "DELETE by everyone"
	hiddenResource = "hidden resource readable"
	hiddenTool     = "hidden tool callable"
	currentUser    = "global variable for the current user"
	requestUser    = "global variable for the user of a request"
	recentList     = "list of recent searches of everyone"
	lastToken      = "last token in a result"
	allUpdates     = "resource updates to everyone"
	taskCancel     = "tasks/cancel without a check"
	lateProgress   = "progress to every session"
)

// Leaks lists the planted faults.
func Leaks() []Leak {
	return []Leak{
		{Name: sharedSessions, Rules: []string{"ISO-006"}, OfSessions: true},
		{Name: cachedList, Rules: []string{"ISO-004"}},
		{Name: taskIDs, Rules: []string{"ISO-009", "ISO-010", "ISO-014"}},
		{Name: tokenProgress, Rules: []string{"ISO-011"}},
		{Name: resourceCache, Rules: []string{"ISO-002"}},
		{Name: fixedResource, Rules: []string{"ISO-003"}, Private: true},
		{Name: eventReplay, Rules: []string{"ISO-008"}, OfSessions: true},
		{Name: upstreamPool, Rules: []string{"ISO-001", "ISO-003"}, Private: true},
		{Name: resultCache, Rules: []string{"ISO-002"}},
		{Name: logBroadcast, Rules: []string{"ISO-012"}, OfSessions: true},
		{Name: anyDelete, Rules: []string{"ISO-007"}, OfSessions: true},
		{Name: hiddenResource, Rules: []string{"ISO-003"}},
		{Name: hiddenTool, Rules: []string{"ISO-005"}},
		{Name: currentUser, Rules: []string{"ISO-001"}},
		{Name: requestUser, Rules: []string{"ISO-001"}},
		{Name: recentList, Rules: []string{"ISO-004"}},
		{Name: lastToken, Rules: []string{"ISO-013"}},
		{Name: allUpdates, Rules: []string{"ISO-012"}, OfSessions: true},
		{Name: taskCancel, Rules: []string{"ISO-010"}},
		{Name: lateProgress, Rules: []string{"ISO-011"}, OfSessions: true},
	}
}

// The users, by their tokens.
const (
	AliceToken = "token-of-alice-5c1f2a"
	BobToken   = "token-of-bob-9d3e7b"
)

var users = map[string]string{AliceToken: "alice", BobToken: "bob"}

// A Server is the server with at most one leak.
type Server struct {
	leak string

	mu       sync.Mutex
	sessions map[string]*session
	tasks    map[string]*task
	cache    map[string]string
	idle     string // the user of the idle upstream connection
	current  string // of the last request
	token    string // of the last call
	recent   []string
	byToken  map[string]chan string // streams by progress token
	events   []event
	started  int
}

// A session is one session of a user.
type session struct {
	id, user string
	out      chan string // messages for its GET stream
	watches  map[string]bool
}

type event struct {
	id, stream, session, body string
}

// New returns the server with a leak; without one if the name is empty.
func New(leak string) *Server {
	return &Server{leak: leak, sessions: map[string]*session{}, tasks: map[string]*task{}, cache: map[string]string{},
		byToken: map[string]chan string{}}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	user := users[token]
	if user == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "unauthorized", http.StatusUnauthorized)
		return
	}
	found := s.session(r, user)
	switch {
	case r.Method == http.MethodGet && found != nil:
		s.listen(w, r, found)
	case r.Method == http.MethodDelete && found != nil:
		s.mu.Lock()
		delete(s.sessions, found.id)
		s.mu.Unlock()
	case r.Method == http.MethodPost:
		s.post(w, r, found, user, token)
	default:
		http.Error(w, "no such session", http.StatusNotFound)
	}
}

// session returns the session of a request, if it belongs to the user.
func (s *Server) session(r *http.Request, user string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.sessions[r.Header.Get("Mcp-Session-Id")]
	switch {
	case found == nil || found.user == user || s.leak == sharedSessions && r.Method == http.MethodPost,
		s.leak == anyDelete && r.Method == http.MethodDelete:
		return found
	}
	return nil
}

func (s *Server) post(w http.ResponseWriter, r *http.Request, in *session, user, token string) {
	body, ok := serve.ReadBody(w, r)
	if !ok {
		return
	}
	m, bad := serve.Parse(body)
	switch {
	case bad != nil:
		serve.WriteReply(w, http.StatusBadRequest, serve.Failure(m.ID, bad))
	case r.Header.Get("Mcp-Protocol-Version") == spec.July2026 && m.Kind == serve.Request:
		s.modern(w, m, user, token)
	case m.Method == "initialize":
		in = s.open(user)
		w.Header().Set("Mcp-Session-Id", in.id)
		reply(w, m.ID, `{"protocolVersion":"2025-11-25","serverInfo":{"name":"tenants","version":"1"},"capabilities":{`+
			`"tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{},`+
			`"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}}`)
	case r.Header.Get("Mcp-Session-Id") == "":
		http.Error(w, "no session", http.StatusBadRequest)
	case in == nil:
		http.Error(w, "no such session", http.StatusNotFound)
	case m.Kind != serve.Request:
		w.WriteHeader(http.StatusAccepted)
	default:
		c := &call{Server: s, in: in, user: user, token: token, m: m, w: w}
		c.handle()
	}
}

// modern handles a request of 2026-07-28, which has no session.
func (s *Server) modern(w http.ResponseWriter, m serve.Message, user, token string) {
	if m.Method == "server/discover" {
		s.mu.Lock()
		s.current = user
		s.mu.Unlock()
		reply(w, m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"serverInfo":{"name":"tenants",`+
			`"version":"1"},"capabilities":{"tools":{},"resources":{},"prompts":{},"extensions":{`+
			`"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"}`)
		return
	}
	c := &call{Server: s, in: &session{user: user, out: make(chan string, 100), watches: map[string]bool{}}, user: user,
		token: token, m: m, w: w, modern: true}
	c.handle()
}

// open starts a session. The order of sessions must not be visible in their IDs.
func (s *Server) open(user string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := &session{id: rand.Text(), user: user, out: make(chan string, 100), watches: map[string]bool{}}
	s.sessions[in.id] = in
	s.current = user
	return in
}

func reply(w http.ResponseWriter, id json.RawMessage, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

func refuse(w http.ResponseWriter, id json.RawMessage, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, text)
}

// send puts a message into the GET stream of a session; a full one loses it.
func (in *session) send(message string) {
	select {
	case in.out <- message:
	default:
	}
}
