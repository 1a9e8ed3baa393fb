package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// ForwardedTo is the header of a request that another replica has forwarded: the replica that must handle it. It grants
// nothing: a forwarded request is authenticated like any other, and is never forwarded again.
const ForwardedTo = "Mcptest-Replica"

// Errors of Replicas.
var (
	ErrNoSession    = errors.New("session not found")
	ErrNotDelivered = errors.New("the replica did not receive the request")
)

// Replicas are the processes behind one address: a load balancer may send each request to any of them. A legacy session
// belongs to one replica, and the others forward its requests to it. If it has stopped, the next replica that receives a
// request of the session becomes its owner.
type Replicas interface {
	// Self is the ID of this process. No other process ever has it.
	Self() string
	// Open stores a new session of this replica.
	Open(ctx context.Context, key string, s *SharedSession) error
	// Find returns a session and its owner, "" if it has none now. A result that is not fresh may be outdated.
	Find(ctx context.Context, key string, fresh bool) (s *SharedSession, owner string, err error)
	// Claim makes this replica the owner of a session, unless somebody else has claimed it first: then it returns nil.
	Claim(ctx context.Context, key, from string) (*SharedSession, error)
	// Save stores the new state of a session of this replica.
	Save(ctx context.Context, key string, s *SharedSession) error
	// Remove ends a session.
	Remove(ctx context.Context, key string) error
	// Release gives up all sessions of this replica.
	Release(ctx context.Context) error
	// Beat reports that this replica and these sessions are in use. It returns the sessions that others have claimed.
	Beat(ctx context.Context, used []string) (lost []string, err error)
	// Forward sends a request to a replica. ErrNotDelivered means that the replica cannot have handled it.
	Forward(to string, r *http.Request, body []byte) (*http.Response, error)
}

// A SharedSession is what a replica must know to continue a session.
type SharedSession struct {
	Caller        string          `json:"caller"`
	Revision      string          `json:"revision"`
	Info          json.RawMessage `json:"info,omitempty"`
	Capabilities  json.RawMessage `json:"capabilities,omitempty"`
	Level         string          `json:"level,omitempty"`
	Subscriptions []string        `json:"subscriptions,omitempty"`
}

// Limits of shared sessions.
const (
	maxSharedState   = 64 << 10
	maxSubscriptions = 1000
)

// beatEvery is how often a replica reports that it is running.
const beatEvery = 2 * time.Second

// sessionKey is the key of a session in the store, from which its ID cannot be derived.
func sessionKey(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}

// self is the ID of this replica; "" if there is only one.
func (e *Endpoint) self() string {
	if e.opts.Replicas == nil {
		return ""
	}
	return e.opts.Replicas.Self()
}

// heldBy is the replica that a message continues something of; "" if any can handle it.
func (e *Endpoint) heldBy(in *Inbound) string {
	if e.opts.Replicas == nil || e.opts.HeldBy == nil || in == nil {
		return ""
	}
	return e.opts.HeldBy(in)
}

// asker is the replica that sent the request with this ID to a client; "" if it is not one of ours.
func asker(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) != nil {
		return ""
	}
	replica, _, _ := strings.Cut(text, ".")
	return replica
}

// ShareSessions keeps the sessions of this replica alive in the store until ctx is done.
func (e *Endpoint) ShareSessions(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	var since time.Time
	for {
		now := time.Now()
		lost, err := e.opts.Replicas.Beat(ctx, e.sessions.usedSince(since))
		if err == nil {
			since = now
			e.giveUp(lost)
		}
		e.pruneMoved()
		for _, p := range e.sessions.expired(now) {
			e.end(ctx, p)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// giveUp leaves sessions to the replicas that have claimed them. Their requests in flight continue here.
func (e *Endpoint) giveUp(keys []string) {
	if len(keys) == 0 {
		return
	}
	lost := map[string]bool{}
	for _, key := range keys {
		lost[key] = true
	}
	for _, p := range e.sessions.all() {
		if lost[sessionKey(p.ID)] {
			p.setMoved(true)
		}
	}
}

// pruneMoved deletes the sessions that have moved and have no more requests in flight here.
func (e *Endpoint) pruneMoved() {
	for _, p := range e.sessions.all() {
		lock := e.claimLock(sessionKey(p.ID))
		lock.Lock()
		if p.hasMoved() && !p.busy() {
			e.remove(p)
		}
		lock.Unlock()
	}
}

// claimLock is held while a session is claimed.
func (e *Endpoint) claimLock(key string) *sync.Mutex {
	return &e.claims[int(key[0]^key[1]<<2)%len(e.claims)]
}
