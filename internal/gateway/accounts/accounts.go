// Package accounts holds the OAuth accounts that the gateway uses at servers: one for all callers, or one per caller.
// Tokens are encrypted in the store, so that all replicas use the same ones, and are refreshed by one of them at a time.
// The token of a caller for the gateway is never sent to a server.
package accounts

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// A Server is how tokens for a server are obtained.
type Server struct {
	Name     string
	URL      string
	Grant    string // auth.AuthorizationCode, auth.ClientCredentials or auth.TokenExchange
	Shared   bool   // all callers use the account of the gateway
	Identity auth.Identity
	Scopes   []string
	Issuer   string

	AllowPrivate bool
	Insecure     bool
	DialContext  func(ctx context.Context, network, address string) (net.Conn, error)
}

// Options configure the accounts.
type Options struct {
	Store store.Store
	Keys  []Key  // the first one encrypts, all decrypt
	Page  string // the URL of the page where callers connect accounts; empty if there is none
	Log   *slog.Logger
	Now   func() time.Time
}

// Accounts are the accounts at all servers.
type Accounts struct {
	opts Options

	mu       sync.Mutex
	all      map[accountKey]*Account
	subjects map[string]string // by user: its latest token for the gateway, for token exchange
}

type accountKey struct {
	server, url, user string
}

// maxAccounts is how many accounts, and tokens of users, are in memory. The others are read when they are needed.
const maxAccounts = 10_000

// New returns the accounts in a store.
func New(o Options) *Accounts {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Accounts{opts: o, all: map[accountKey]*Account{}, subjects: map[string]string{}}
}

// Of returns the account of a user at a server. An empty user is the gateway itself: its account is the one of all
// callers, or the one that lists what the server offers.
func (m *Accounts) Of(s Server, user string) *Account {
	if s.Shared {
		user = ""
	}
	key := accountKey{s.Name, s.URL, user}
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.all[key]
	if a == nil {
		dropOne(m.all)
		a = &Account{owner: m, user: user, turn: make(chan struct{}, 1)}
		m.all[key] = a
	}
	a.setServer(s)
	return a
}

// Saw remembers the token that a user has sent to the gateway, to exchange it.
func (m *Accounts) Saw(user, token string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.subjects[user]; !known {
		dropOne(m.subjects)
	}
	m.subjects[user] = token
}

func (m *Accounts) subject(user string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.subjects[user]
}

// dropOne makes room in a full map.
func dropOne[K comparable, V any](all map[K]V) {
	if len(all) < maxAccounts {
		return
	}
	for key := range all { // any of them
		delete(all, key)
		return
	}
}

// flow returns a flow for one use. Its secrets are only those of this use: a gateway runs for a long time.
func (m *Accounts) flow(s Server, o auth.Options) (*auth.Flow, *redact.Secrets, error) {
	o.Server, o.Scopes, o.Issuer, o.AllowPrivate = s.URL, s.Scopes, s.Issuer, s.AllowPrivate
	o.Insecure, o.DialContext, o.Secrets = s.Insecure, s.DialContext, redact.New()
	if o.Identity.ID == "" && o.Identity.Registered == nil {
		o.Identity = s.Identity
	}
	f, err := auth.New(o)
	return f, o.Secrets, err
}

// pageFor is the address where a caller connects its account at a server, with these scopes if any.
func (m *Accounts) pageFor(server string, scopes []string) string {
	if m.opts.Page == "" {
		return ""
	}
	q := url.Values{"server": {server}}
	if len(scopes) > 0 {
		q["scope"] = scopes
	}
	return m.opts.Page + "?" + q.Encode()
}
