package auth

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// A Grant is a token and everything that is needed to refresh it.
type Grant struct {
	Server        string    `json:"server"`   // the only MCP server that it is sent to
	Resource      string    `json:"resource"` // the requested resource, as the server spells it
	Issuer        string    `json:"issuer"`
	TokenEndpoint string    `json:"token_endpoint"`
	Client        Client    `json:"client"`
	Kind          string    `json:"grant"`
	Requested     []string  `json:"asked,omitempty"`  // scopes
	Scopes        []string  `json:"scopes,omitempty"` // granted, if the server returned them
	AccessToken   string    `json:"access_token"`
	RefreshToken  string    `json:"refresh_token,omitempty"`
	Obtained      time.Time `json:"obtained"`
	Expires       time.Time `json:"expires,omitzero"`
	AllowPrivate  bool      `json:"allow_private,omitempty"`
	DPoP          bool      `json:"dpop,omitempty"` // it is bound to the key
	Key           string    `json:"key,omitempty"`
}

// The authentication schemes of tokens.
const (
	bearerScheme = "Bearer"
	dpopScheme   = "DPoP"
)

// authorization returns the value of the Authorization header.
func (g *Grant) authorization() string {
	if g.DPoP {
		return dpopScheme + " " + g.AccessToken
	}
	return bearerScheme + " " + g.AccessToken
}

// take applies a response of the token endpoint.
func (g *Grant) take(got *tokens, now time.Time) {
	g.AccessToken, g.Obtained, g.Expires = got.AccessToken, now.UTC().Truncate(time.Second), time.Time{}
	if got.RefreshToken != "" {
		g.RefreshToken = got.RefreshToken
	}
	if life := got.life(); life > 0 {
		g.Expires = g.Obtained.Add(life)
	}
	if got.Scope != "" {
		g.Scopes = strings.Fields(got.Scope)
	}
}

// refreshMargin is how long before its expiry a token is refreshed.
const refreshMargin = 30 * time.Second

// Stale reports whether a token has expired, or nearly.
func (g *Grant) Stale(now time.Time) bool {
	return !g.Expires.IsZero() && now.Add(refreshMargin).After(g.Expires)
}

// Renewable reports whether a new token can be obtained without the user.
func (g *Grant) Renewable() bool {
	return g.RefreshToken != "" || g.Kind == ClientCredentials && g.Client.Secret != ""
}

// Holds reports whether the scopes were already requested.
func (g *Grant) Holds(scopes []string) bool {
	for _, scope := range scopes {
		if !slices.Contains(g.Requested, scope) && !slices.Contains(g.Scopes, scope) {
			return false
		}
	}
	return true
}

// Renew gets a new token with the refresh token, or with the client's own credentials. It is requested only
// from the issuer of the first one.
func (f *Flow) Renew(ctx context.Context, old *Grant) (*Grant, error) {
	if !old.Renewable() {
		return nil, &Error{Step: Refresh, Problem: "no refresh token", Advice: hint.SignIn(old.Server)}
	}
	f.call.secrets.Add(old.AccessToken, old.RefreshToken, old.Client.Secret)
	form := url.Values{"grant_type": {refreshGrant}, "refresh_token": {old.RefreshToken}, "resource": {old.Resource}}
	if old.RefreshToken == "" {
		form = credentialsForm(old.Resource, old.Requested)
	}
	if err := f.bind(old); err != nil {
		return nil, err
	}
	as := &server{Issuer: old.Issuer, TokenEndpoint: old.TokenEndpoint}
	got, err := f.redeem(ctx, Refresh, as, &old.Client, form)
	if err != nil {
		return nil, err
	}
	renewed := *old
	renewed.take(got, time.Now())
	return &renewed, nil
}

// bind adopts the key that a token is bound to.
func (f *Flow) bind(g *Grant) (err error) {
	if g.DPoP && f.signer == nil {
		f.signer, err = parseSigner(g.Key)
	}
	return err
}

// String describes the grant, without its secrets.
func (g *Grant) String() string { return fmt.Sprintf("token of %s for %s", g.Issuer, g.Server) }
