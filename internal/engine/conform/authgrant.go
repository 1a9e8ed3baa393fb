package conform

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// ownGrants are the client and the tokens of a run, which are used for nothing else.
type ownGrants struct {
	registering sync.Once
	client      *ownClient
	clientErr   error

	signingIn sync.Once
	grant     *ownGrant
	grantErr  error
}

// An ownGrant is the result of a sign-in.
type ownGrant struct {
	client                    *ownClient
	resource                  string
	answer                    url.Values // of the authorization server to the browser
	verifier                  string
	access, refresh, identity string
	scope                     string
	life                      int // in seconds; 0 if unknown
}

// authorizeURL returns the URL of an authorization request; change overrides parameters, and an empty value removes
// one.
func (p *CheckContext) authorizeURL(c *ownClient, verifier string, change url.Values) string {
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{"response_type": {"code"}, "client_id": {c.id}, "redirect_uri": {c.redirect},
		"state": {c.back.state}, "code_challenge": {base64URL(sum[:])}, "code_challenge_method": {"S256"},
		"resource": {p.resource()}}
	if scopes := p.scopes(); scopes != "" {
		q.Set("scope", scopes)
	}
	for name, values := range change {
		if q[name] = values; len(values) == 0 {
			q.Del(name)
		}
	}
	return withQuery(c.endpoint("authorization_endpoint"), q.Encode())
}

// authorize sends an authorization request as a browser without any cookies does, and follows no redirect.
func (p *CheckContext) authorize(ctx context.Context, c *ownClient, change url.Values) (*HTTPExchange, *url.URL, error) {
	address := p.authorizeURL(c, rand.Text()+rand.Text(), change)
	a, err := p.Fetch(ctx, Fetch{Method: http.MethodGet, URL: address, Anonymous: true, Private: true,
		Header: http.Header{"Accept": {"text/html"}}})
	if err != nil {
		return nil, nil, err
	}
	to, err := url.Parse(a.Header.Get("Location"))
	if err != nil || a.Status/100 != 3 {
		to = &url.URL{}
	}
	return a, to, nil
}

// resource returns the resource for which tokens are requested.
func (p *CheckContext) resource() string {
	if m := p.round.auth.metadata; m != nil {
		return cmp.Or(schema.TextAt(m.Body, "/resource"), p.Target.URL)
	}
	return p.Target.URL
}

// scopes returns the scopes to request: those of the challenge, or all of the server.
func (p *CheckContext) scopes() string {
	t := &p.round.auth
	if scope := challenged(t.refusal, "scope"); scope != "" || t.metadata == nil {
		return scope
	}
	var scopes []string
	_ = json.Unmarshal(At(t.metadata.Body, "/scopes_supported"), &scopes)
	return strings.Join(scopes, " ")
}

// signIn lets the user sign in for a resource, and returns what the authorization server sent to the browser.
func (p *CheckContext) signIn(ctx context.Context, c *ownClient, resource string) (g *ownGrant, err error) {
	o := p.round.opts.Auth
	if len(o.As) == 0 || !o.As[0].SignIn || o.Browse == nil {
		return nil, p.Skip("needs a sign-in; use --auth-as sign-in")
	}
	g = &ownGrant{client: c, resource: resource, verifier: rand.Text() + rand.Text()}
	if err := o.Browse(ctx, p.authorizeURL(c, g.verifier, url.Values{"resource": {resource}})); err != nil {
		return nil, fmt.Errorf("open the browser: %w", err)
	}
	g.answer, err = c.back.wait(ctx)
	if p.keepSecret(g.answer.Get("code")); err == nil && g.answer.Get("code") == "" {
		err = p.Skip("sign-in failed: %s", cmp.Or(g.answer.Get("error"), "no code"))
	}
	return g, err
}

// requestToken sends a form to the token endpoint.
func (p *CheckContext) requestToken(ctx context.Context, c *ownClient, form url.Values) (*HTTPExchange, error) {
	form.Set("client_id", c.id)
	if !form.Has("resource") {
		form.Set("resource", p.resource())
	}
	return p.Fetch(ctx, Fetch{URL: c.endpoint("token_endpoint"), Body: form.Encode(), Anonymous: true, Private: true,
		Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Accept": {"application/json"}}})
}

// redeem exchanges the code of a sign-in.
func (p *CheckContext) redeem(ctx context.Context, g *ownGrant, verifier string) (*HTTPExchange, error) {
	return p.requestToken(ctx, g.client, url.Values{"grant_type": {"authorization_code"}, "code": {g.answer.Get("code")},
		"redirect_uri": {g.client.redirect}, "code_verifier": {verifier}, "resource": {g.resource}})
}

// signedIn returns the tokens of a sign-in, once per run.
func (p *CheckContext) signedIn(ctx context.Context) (*ownGrant, error) {
	own := &p.round.own
	own.signingIn.Do(func() { own.grant, own.grantErr = p.newGrant(ctx) })
	return own.grant, own.grantErr
}

// newGrant signs in and gets tokens for this server.
func (p *CheckContext) newGrant(ctx context.Context) (*ownGrant, error) {
	return p.newGrantFor(ctx, p.resource())
}

// newGrantFor signs in and gets tokens for a resource.
func (p *CheckContext) newGrantFor(ctx context.Context, resource string) (*ownGrant, error) {
	c, err := p.registeredClient(ctx)
	if err != nil {
		return nil, err
	}
	g, err := p.signIn(ctx, c, resource)
	if err != nil {
		return nil, err
	}
	a, err := p.redeem(ctx, g, g.verifier)
	if err != nil {
		return nil, err
	}
	if g.take(p, a); g.access == "" {
		return nil, p.Skip("the authorization server issued no token for %s: HTTP %d", resource, a.Status)
	}
	return g, nil
}

// take reads a response of the token endpoint.
func (g *ownGrant) take(p *CheckContext, a *HTTPExchange) {
	var got struct {
		Access   string `json:"access_token"`
		Refresh  string `json:"refresh_token"`
		Identity string `json:"id_token"`
		Scope    string `json:"scope"`
		Life     int    `json:"expires_in"`
	}
	if a.Status/100 != 2 || json.Unmarshal(a.Body, &got) != nil {
		return
	}
	p.keepSecret(got.Access, got.Refresh, got.Identity)
	g.access, g.identity, g.scope, g.life = got.Access, got.Identity, got.Scope, got.Life
	g.refresh = cmp.Or(got.Refresh, g.refresh)
}

// ownToken returns an access token that the server accepts, and the request with which that was tried.
func (p *CheckContext) ownToken(ctx context.Context) (t *authMetadata, token string, err error) {
	if t, err = p.Protection(ctx); err != nil {
		return nil, "", err
	}
	if token = p.round.opts.Auth.As[0].Token; token == "" {
		g, err := p.signedIn(ctx)
		if err != nil {
			return nil, "", err
		}
		token = g.access
	}
	if t.owned {
		return t, token, nil
	}
	status := 0
	for _, r := range append([]authRequest{t.request}, p.authRequests()...) {
		a, err := r.sendOwn(ctx, p, "", "Bearer "+token)
		if err != nil {
			return nil, "", err
		}
		if served(a) {
			t.request, t.owned = r, true
			return t, token, nil
		}
		if status = a.Status; status == http.StatusUnauthorized {
			break
		}
	}
	return nil, "", p.Skip("the server does not accept the own token: HTTP %d", status)
}
