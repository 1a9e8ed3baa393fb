package isolate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Limits of what is stored about the messages to a user.
const (
	maxEvents   = 200
	maxRequests = 10_000
	maxNames    = 10_000 // of progress tokens, and of updated resources
	maxName     = 4096   // bytes
)

// A user is an identity with its session and what it received.
type user struct {
	Identity
	run *run
	s   *mcp.Session
	log *wire.Transcript

	mu       sync.Mutex
	requests map[string]request // in flight, by connection and ID
	events   []event
	progress map[string]int // notifications by token
	updates  map[string]int // notifications/resources/updated by URI: the frame of the first
	replays  int            // the connection on which a stream is resumed; 0 if there is none
}

// A request is one that a user has sent.
type request struct {
	method, name string
	body         []byte
}

// An event is a server-sent event with an ID.
type event struct {
	stream, id, body string
}

func (r *run) user(id Identity) *user {
	u := &user{Identity: id, run: r, requests: map[string]request{}, progress: map[string]int{},
		updates: map[string]int{}}
	u.log = r.log.Branch(id.Name, u.onFrame)
	return u
}

func (u *user) open(ctx context.Context) error {
	s, err := u.Open(ctx, u.log)
	if err != nil {
		return fmt.Errorf("%s: %w", u.Name, err)
	}
	u.s = s
	return nil
}

func (u *user) close() {
	if u.s != nil {
		_ = u.s.Close()
	}
}

// onFrame examines a frame of any connection of the user.
func (u *user) onFrame(f wire.Frame) {
	if len(f.Body) == 0 {
		return
	}
	m := mcp.Read(f)
	u.mu.Lock()
	defer u.mu.Unlock()
	if f.Event != nil && f.Event.ID != "" && len(u.events) < maxEvents && f.From == wire.Server {
		u.events = append(u.events, event{fmt.Sprint(f.Conn, f.Stream), f.Event.ID, string(f.Body)})
	}
	for _, m := range append([]mcp.Message{m}, m.Rest...) {
		if f.From == wire.Client {
			u.sent(f, &m)
		} else {
			u.received(f, &m)
		}
	}
}

func (u *user) sent(f wire.Frame, m *mcp.Message) {
	if m.IsRequest() && len(u.requests) < maxRequests {
		u.requests[key(f, m)] = request{m.Method, nameOf(m.Params), f.Body}
	}
}

func key(f wire.Frame, m *mcp.Message) string { return fmt.Sprint(f.Conn, " ", string(m.ID)) }

// nameOf returns the name of the tool or prompt, or the URI, that a request is about.
func nameOf(params json.RawMessage) string {
	for _, pointer := range []string{"/name", "/uri", "/taskId"} {
		if name := schema.TextAt(params, pointer); name != "" {
			return name
		}
	}
	return ""
}

func (u *user) received(f wire.Frame, m *mcp.Message) {
	asked := request{}
	rule, subject := ruleNotice, m.Method
	switch {
	case m.Method == "notifications/progress":
		raw, _ := schema.Get(m.Params, "/progressToken")
		if token := strings.Trim(string(raw), `"`); bounded(u.progress, token) {
			u.progress[token]++
		}
		rule = ruleProgress
	case m.Method == "notifications/resources/updated":
		if uri := schema.TextAt(m.Params, "/uri"); u.updates[uri] == 0 && bounded(u.updates, uri) {
			u.updates[uri] = max(f.Seq, 1)
		}
	case m.Method == "":
		asked = u.requests[key(f, m)]
		rule, subject = ruleOf(asked.method), strings.TrimSpace(asked.method+" "+asked.name)
	}
	if f.Conn == u.replays && f.Conn > 0 {
		rule = ruleReplay
	}
	for _, mark := range u.run.ledger.foreign(f.Body, asked.body, u.Name) {
		u.run.ledger.see(sighting{rule: rule, subject: subject, by: u.Name, mark: mark, frame: f.Seq,
			text: around(f.Body, mark.text)})
	}
}

// bounded reports whether a count may be stored: a server can name any number of tokens and resources, of any length.
func bounded(counts map[string]int, name string) bool {
	_, known := counts[name]
	return known || len(counts) < maxNames && len(name) <= maxName
}

// ruleOf is the rule for data of another user in a response to a method.
func ruleOf(method string) string {
	switch {
	case strings.HasPrefix(method, "tasks/"):
		return ruleTask
	case method == "resources/read":
		return ruleResource
	case strings.HasSuffix(method, "/list"):
		return ruleList
	}
	return ruleResult
}

// replaying sets the connection on which a stream is resumed.
func (u *user) replaying(conn int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.replays = conn
}

func (u *user) progressOf(token string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.progress[token]
}
