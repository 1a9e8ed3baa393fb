package accounts

import (
	"context"
	"crypto/rand"
	"net/url"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Begin starts to connect the account: the user must open the URL of the result. Scopes are requested in addition to
// those of the config and of the connected account.
func (a *Account) Begin(ctx context.Context, redirect string, scopes []string) (*auth.Pending, error) {
	s := a.settings()
	known, _, err := load[registration](ctx, a.owner, registrationKey(s))
	if err != nil {
		known = registration{} // it is registered again
	}
	who := s.Identity
	who.Registered = func(issuer, uri string) *auth.Client {
		if known.Issuer != issuer || known.Redirect != uri || known.Client.ID == "" {
			return nil
		}
		c := known.Client
		return &c
	}
	f, secrets, err := a.owner.flow(s, auth.Options{Identity: who})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if g := a.grant(""); g != nil && len(scopes) > 0 {
		scopes = append(slices.Clone(g.Requested), scopes...)
	}
	p, err := f.Begin(ctx, wire.Frame{}, redirect, rand.Text(), scopes)
	if err != nil {
		return nil, scrubbed(secrets, err)
	}
	if p.Client.ID != who.ID && p.Client != known.Client {
		now := registration{Issuer: p.Issuer, Redirect: redirect, Client: p.Client}
		if _, err := save(ctx, a.owner, registrationKey(s), store.Any, now); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Finish redeems the code of a callback, and stores the account.
func (a *Account) Finish(ctx context.Context, p *auth.Pending, answer url.Values) error {
	s := a.settings()
	f, secrets, err := a.owner.flow(s, auth.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	if s.Identity.ID == p.Client.ID {
		p.Client.Secret = s.Identity.Secret
	}
	g, err := f.Finish(ctx, p, answer)
	if err != nil {
		return scrubbed(secrets, err)
	}
	return a.Connect(context.WithoutCancel(ctx), g)
}

// Connect stores a token as the account.
func (a *Account) Connect(ctx context.Context, g *auth.Grant) error {
	s := a.settings()
	kept := *g
	if s.Identity.ID == kept.Client.ID {
		kept.Client.Secret = "" // it is in the config
	}
	r := record{ID: rand.Text(), Grant: &kept, At: a.owner.opts.Now().UTC()}
	version, err := save(ctx, a.owner, recordKey(s, a.user), store.Any, r)
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.record, a.version, a.read = r, version, a.owner.opts.Now()
	a.mu.Unlock()
	return nil
}

// Seal encrypts a text that a browser keeps, for one purpose.
func (m *Accounts) Seal(purpose string, text []byte) []byte {
	return seal(m.opts.Keys, "page "+purpose, text)
}

// Open decrypts a text that Seal encrypted for the same purpose.
func (m *Accounts) Open(purpose string, sealed []byte) ([]byte, error) {
	return open(m.opts.Keys, "page "+purpose, sealed)
}
