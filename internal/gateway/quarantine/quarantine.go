// Package quarantine compares what the servers of a gateway list with what was approved, in a lock file or later, and
// decides what callers may use. Everything that was not approved is refused: first by its hash, which is quick, and
// then perhaps released when the difference turns out to be harmless.
package quarantine

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// The kinds of definitions.
const (
	Tool         = change.ToolItem
	Prompt       = change.PromptItem
	Instructions = "instructions"
)

// A Policy is the lock of a gateway. The zero value approves nothing.
type Policy struct {
	Keep     bool                       // a changed definition may be called if it is compatible with the approved one
	AllowNew bool                       // what a locked server adds may be used, unless it is suspicious
	Servers  map[string]*change.Surface // what was approved, by server
}

// An id names a definition of a server.
type id struct{ kind, name string }

// An approved definition.
type approved struct {
	hash       string
	definition json.RawMessage
}

// approvals are the approved definitions by server and name, the latest first.
type approvals map[string]map[id][]approved

func (a approvals) add(server string, what id, definition json.RawMessage) {
	if a[server] == nil {
		a[server] = map[id][]approved{}
	}
	a[server][what] = append(a[server][what], approved{change.Hash(definition), definition})
}

// An entry is the decision about one listed definition. It is immutable.
type entry struct {
	hash       string
	listed     json.RawMessage // what the server lists
	served     json.RawMessage // what callers see: the approved definition; nil if there is none
	reason     string          // why it is refused; "" if it is not
	seen       time.Time
	item       *change.Item // the difference from what was approved; nil if it was not compared yet
	differs    bool         // it is not byte for byte what was approved, released or not
	base       json.RawMessage
	suspicious bool
}

// A server is what one server lists now.
type server struct {
	lists   *lists // nil if it has not listed anything
	entries map[id]*entry
	checked *lists // the lists that were compared
}

// lists are the definitions of a server, as it lists them.
type lists struct {
	tools, prompts []json.RawMessage
	instructions   string
	at             time.Time
	all            []listed // of them, with their hashes; nil until they are needed
}

// A listed definition.
type listed struct {
	id   id
	hash string
	raw  json.RawMessage
}

// definitions returns everything with its hash. The guard is locked.
func (l *lists) definitions() []listed {
	if l.all != nil {
		return l.all
	}
	l.all = []listed{}
	add := func(id id, raw json.RawMessage) {
		if id.name != "" {
			l.all = append(l.all, listed{id, change.Hash(raw), raw})
		}
	}
	for _, raw := range l.tools {
		add(id{Tool, nameOf(raw)}, raw)
	}
	for _, raw := range l.prompts {
		add(id{Prompt, nameOf(raw)}, raw)
	}
	if l.instructions != "" {
		add(id{Instructions, Instructions}, quoted(l.instructions))
	}
	return l.all
}

// A Guard decides what callers may use. The zero value has no policy and refuses nothing.
type Guard struct {
	mu      sync.RWMutex
	policy  *Policy
	locked  approvals // of the lock file
	reviews approvals // of the store
	servers map[string]*server
	dirty   map[string]bool // servers whose decisions changed
	change  chan struct{}   // has an element if any is dirty
	hashes  map[hashKey]string
}

type hashKey struct {
	key     catalog.Key
	version int
}

// New returns a guard without a policy.
func New() *Guard {
	return &Guard{servers: map[string]*server{}, dirty: map[string]bool{}, change: make(chan struct{}, 1),
		hashes: map[hashKey]string{}}
}

// Active reports whether there is a policy.
func (g *Guard) Active() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.policy != nil
}

// SetPolicy replaces the policy and decides again; nil removes it.
func (g *Guard) SetPolicy(p *Policy) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.policy, g.locked = p, approvals{}
	if p != nil {
		for name, s := range p.Servers {
			for _, raw := range s.Tools {
				g.locked.add(name, id{Tool, nameOf(raw)}, raw)
			}
			for _, raw := range s.Prompts {
				g.locked.add(name, id{Prompt, nameOf(raw)}, raw)
			}
			if s.Instructions != "" {
				g.locked.add(name, id{Instructions, Instructions}, quoted(s.Instructions))
			}
		}
	}
	for name, s := range g.servers {
		s.checked = nil
		g.decide(name)
		g.mark(name)
	}
}

// SetReviews replaces the approvals that are in the store, and decides again. It returns the servers whose decisions
// changed.
func (g *Guard) SetReviews(all []catalog.Review) []string {
	reviews := approvals{}
	for _, r := range all {
		for _, a := range r.Approved {
			if a.Hash == change.Hash(a.Definition) { // of a damaged record nothing is approved
				reviews.add(r.Server, id{r.Kind, r.Name}, a.Definition)
			}
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reviews = reviews
	var changed []string
	for name := range g.servers {
		if g.decide(name) {
			g.servers[name].checked = nil
			changed = append(changed, name)
			g.mark(name)
		}
	}
	return changed
}

// List records what a server lists, and decides. From its return on, nothing is admitted that was not approved.
func (g *Guard) List(name string, tools, prompts []json.RawMessage, instructions string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.servers[name]
	if s == nil {
		s = &server{}
		g.servers[name] = s
	}
	s.lists = &lists{tools: tools, prompts: prompts, instructions: instructions, at: time.Now()}
	if g.decide(name) {
		g.mark(name)
	}
}

// Remove removes a server.
func (g *Guard) Remove(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.servers, name)
}

// mark records that the decisions about a server changed. The guard is locked.
func (g *Guard) mark(name string) {
	g.dirty[name] = true
	select {
	case g.change <- struct{}{}:
	default:
	}
}

// Changed has an element when decisions have changed since the last call of Take.
func (g *Guard) Changed() <-chan struct{} { return g.change }

// Take returns the servers whose decisions changed since the last call.
func (g *Guard) Take() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	for name := range g.dirty {
		names = append(names, name)
	}
	g.dirty = map[string]bool{}
	slices.Sort(names)
	return names
}

// Mark makes Take return a server, if there is a policy.
func (g *Guard) Mark(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.policy != nil {
		g.mark(name)
	}
}

// Check returns a *catalog.QuarantineError if a definition may not be used.
func (g *Guard) Check(server, kind, name string) error {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.policy == nil {
		return nil
	}
	refused := &catalog.QuarantineError{Key: catalog.Key{Server: server, Name: name}, Kind: kind}
	s := g.servers[server]
	if s == nil || s.lists == nil {
		refused.Reason = catalog.ReasonUnverified
		return refused
	}
	e := s.entries[id{kind, name}]
	switch {
	case e == nil:
		refused.Reason = catalog.ReasonUnlisted
	case e.reason != "":
		refused.Reason, refused.Hash = e.reason, e.hash
	default:
		return nil
	}
	return refused
}

// Served returns the definitions of a server that callers may see, and which of them are refused, by name with the
// reason. It reports false if there is no policy.
func (g *Guard) Served(server, kind string) (all []json.RawMessage, refused map[string]string, ok bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.policy == nil {
		return nil, nil, false
	}
	refused = map[string]string{}
	s := g.servers[server]
	if s == nil {
		return nil, refused, true
	}
	for id, e := range s.entries {
		if id.kind != kind || e.served == nil {
			continue
		}
		all = append(all, e.served)
		if e.reason != "" {
			refused[id.name] = e.reason
		}
	}
	return all, refused, true
}

// Instructions returns the instructions of a server if they were approved, and "" otherwise.
func (g *Guard) Instructions(server, text string) string {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.policy == nil || text == "" {
		return text
	}
	hash := change.Hash(quoted(text))
	if slices.ContainsFunc(g.known(server, id{Instructions, Instructions}),
		func(a approved) bool { return a.hash == hash }) {
		return text
	}
	return ""
}

// Visible reports whether a tool of the catalog that its server listed was approved as it is.
func (g *Guard) Visible(t *catalog.Tool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.policy == nil {
		return true
	}
	key := hashKey{t.Key(), t.Version}
	hash, known := g.hashes[key]
	if !known {
		if len(g.hashes) > maxHashes {
			clear(g.hashes)
		}
		hash = change.Hash(t.Raw)
		g.hashes[key] = hash
	}
	if s := g.servers[t.Server]; s != nil {
		if e := s.entries[id{Tool, t.Name}]; e != nil && e.served != nil && e.hash == hash && e.reason == "" {
			return true // it is new, and allowed
		}
	}
	return slices.ContainsFunc(g.known(t.Server, id{Tool, t.Name}),
		func(a approved) bool { return a.hash == hash })
}

// maxHashes limits the remembered hashes.
const maxHashes = 100_000

func quoted(text string) json.RawMessage {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has a JSON form
	}
	return raw
}
