package auth

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// maxStepUps is how often more scopes are requested while a connection is open.
const maxStepUps = 2

// Credentials authorize the requests of a connection with a token. They refresh it when it is rejected; with
// Ask they also run the complete browser flow.
type Credentials struct {
	Flow  *Flow
	Store *Store // where the token is stored; nil keeps it in memory
	Ask   bool   // a user can be asked

	// held while a token is requested, so that many rejected requests ask once; guards the next two
	turn    chan struct{}
	stepUps int
	agreed  string // the last token that the user was asked for

	mu        sync.Mutex
	grant     *Grant
	proves    *dpopSigner // of the key that the token is bound to
	provesKey string
}

// NewCredentials returns credentials with an initial grant, which may be nil.
func NewCredentials(f *Flow, store *Store, g *Grant) *Credentials {
	return &Credentials{Flow: f, Store: store, turn: make(chan struct{}, 1), grant: g}
}

// Grant returns the current token, or nil.
func (c *Credentials) Grant() *Grant {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.grant
}

// Authorize adds the token to a request to its server.
func (c *Credentials) Authorize(req *http.Request) {
	g := c.Grant()
	if g == nil || originOf(req.URL) != originOf(c.Flow.server) {
		return
	}
	req.Header.Set("Authorization", g.authorization())
	if signer := c.signer(g); signer != nil {
		if proof, err := signer.proof(req.Method, req.URL, g.AccessToken); err == nil {
			req.Header.Set("Dpop", proof)
		}
	}
}

// signer returns the DPoP signer of the token, or nil if it needs none.
func (c *Credentials) signer(g *Grant) *dpopSigner {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g == nil || !g.DPoP {
		return nil
	}
	if c.proves == nil || c.provesKey != g.Key {
		c.proves, _ = parseSigner(g.Key)
		c.provesKey = g.Key
	}
	return c.proves
}

// Freshen refreshes an expired token before it is used. Errors are ignored: the server will reject the token.
func (c *Credentials) Freshen(ctx context.Context) error {
	g := c.Grant()
	if g == nil || !g.Stale(time.Now()) || !g.Renewable() {
		return nil
	}
	_, err := c.refresh(ctx, g)
	return err
}

// Renew gets a better token after a rejection.
func (c *Credentials) Renew(ctx context.Context, req *http.Request, refused wire.Frame, repeated int) (bool, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	g := c.Grant()
	if g != nil && req.Header.Get("Authorization") != g.authorization() {
		return true, nil // another request has obtained a new one
	}
	if signer := c.signer(g); signer != nil && signer.updateNonce(req.URL, refused.Header) {
		return true, nil // the server requires its nonce in the proof
	}
	demand := DemandOf(refused.Status, refused.Header)
	switch {
	case demand.TooNarrow():
		return c.stepUp(ctx, g, demand, refused)
	case refused.Status == http.StatusForbidden:
		return false, nil
	}
	return c.replace(ctx, g, refused, repeated)
}

// stepUp requests the scopes that a request needs beyond those already requested.
func (c *Credentials) stepUp(ctx context.Context, g *Grant, d WWWAuthenticate, refused wire.Frame) (bool, error) {
	if !c.Ask || g == nil || len(d.Scopes) == 0 || g.Holds(d.Scopes) || c.stepUps >= maxStepUps {
		return false, nil // it would be rejected again
	}
	c.stepUps++
	return c.run(ctx, refused, g.Requested)
}

// replace gets a token to replace one that was rejected.
func (c *Credentials) replace(ctx context.Context, g *Grant, refused wire.Frame, repeated int) (bool, error) {
	var failure error
	if g != nil && repeated == 0 && g.Renewable() {
		renewed, err := c.refresh(ctx, g)
		if renewed {
			return true, nil
		}
		failure = err
	}
	if !c.Ask {
		return false, failure
	}
	if g != nil && repeated > 0 && g.AccessToken == c.agreed {
		return false, nil // the server rejects the very token that the user was asked for
	}
	return c.run(ctx, refused, nil)
}

// run runs the complete flow.
func (c *Credentials) run(ctx context.Context, refused wire.Frame, before []string) (bool, error) {
	g, err := c.Flow.Run(ctx, refused, before)
	if err != nil {
		return false, err
	}
	c.agreed = g.AccessToken
	return true, c.adopt(g)
}

// refresh refreshes the token, unless another process has done so.
func (c *Credentials) refresh(ctx context.Context, g *Grant) (bool, error) {
	if c.Store != nil {
		if kept, err := c.Store.Load(g.Server); err == nil && kept != nil && kept.AccessToken != g.AccessToken {
			c.set(kept)
			return true, nil
		}
	}
	renewed, err := c.Flow.Renew(ctx, g)
	if err != nil {
		return false, signInAgain(g, err)
	}
	return true, c.adopt(renewed)
}

// signInAgain adds a hint to a failed refresh that helps in most cases.
func signInAgain(g *Grant, err error) error {
	var failure *Error
	if !errors.As(err, &failure) || failure.Cause != nil {
		return err
	}
	again := *failure
	again.Advice = hint.SignIn(g.Server)
	return &again
}

func (c *Credentials) set(g *Grant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.grant = g
	c.Flow.call.secrets.Add(g.AccessToken, g.RefreshToken, g.Client.Secret)
}

func (c *Credentials) adopt(g *Grant) error {
	c.set(g)
	if c.Store == nil {
		return nil
	}
	return c.Store.Save(g)
}

// Granted lists the scopes of the token: those that the server returned, or those that were requested.
func (g *Grant) Granted() []string {
	if len(g.Scopes) > 0 {
		return slices.Clone(g.Scopes)
	}
	return slices.Clone(g.Requested)
}
