package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
)

// A pageSignIn is a sign-in at the issuer that a browser has started. The browser keeps it, encrypted: so nobody else can
// sign it in.
type pageSignIn struct {
	Return  string       `json:"return"` // the query of the page that was open
	Expires time.Time    `json:"expires"`
	Flow    auth.Pending `json:"flow"`
}

func signInCookie(state string) string {
	return "signin-" + strings.TrimPrefix(pendingCookie(state), "connect-")
}

// issuer is where callers sign in; empty if they use tokens only.
func (p *connectPage) issuer() string {
	if p.run.settings.Accounts.SignIn == nil {
		return ""
	}
	return p.run.settings.JWT.Issuer
}

// signInFlow returns the flow that gets a token of the user for this gateway.
func (p *connectPage) signInFlow() (*auth.Flow, error) {
	in, jwt := p.run.settings.Accounts.SignIn, p.run.settings.JWT
	scopes := in.Scopes
	if len(scopes) == 0 {
		scopes = append(strings.Fields(jwt.Scope), roleScopes(jwt.Roles)...)
	}
	who := auth.Identity{ID: in.ClientID}
	if in.ClientSecret != nil {
		who.Secret = in.ClientSecret.value
	}
	// the config sets the issuer, which may be an internal one
	return auth.New(auth.Options{Server: jwt.Audience, Identity: who, Scopes: scopes, AllowPrivate: true, Online: true})
}

// roleScopes lists the scopes that roles require.
func roleScopes(roles []access.RoleConfig) []string {
	var all []string
	for _, role := range roles {
		for _, name := range []string{"scope", "scp"} {
			for _, value := range role.Claims[name] {
				if !slices.Contains(all, value) {
					all = append(all, value)
				}
			}
		}
	}
	return all
}

// startSignIn begins a sign-in at the issuer: the page then opens its URL.
func (p *connectPage) startSignIn(w http.ResponseWriter, r *http.Request) {
	var in struct{ Return string }
	if !readForm(w, r, &in) {
		return
	}
	if p.issuer() == "" {
		http.NotFound(w, r)
		return
	}
	f, err := p.signInFlow()
	if err != nil {
		http.Error(w, p.explain(err), http.StatusInternalServerError)
		return
	}
	defer f.Close()
	jwt := p.run.settings.JWT
	pending, err := f.BeginAt(r.Context(), jwt.Issuer, jwt.Audience, p.run.public+connectPath+"/callback", rand.Text())
	if err != nil {
		p.log.Warn("cannot sign in at the issuer", "error", err.Error())
		http.Error(w, p.explain(err), http.StatusBadGateway)
		return
	}
	flow := pageSignIn{Return: in.Return[:min(len(in.Return), 1000)], Expires: time.Now().Add(pagePending), Flow: *pending}
	flow.Flow.URL = "" // the browser has it
	if err := p.setCookie(w, signInCookie(pending.State), flow, pagePending); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"url": pending.URL}) // a disconnected client misses it
}

// finishSignIn handles a callback of the issuer, and reports whether it is one of a sign-in of this browser.
func (p *connectPage) finishSignIn(w http.ResponseWriter, r *http.Request, query url.Values) bool {
	name := signInCookie(query.Get("state"))
	var flow pageSignIn
	if p.issuer() == "" || !p.readCookie(r, name, &flow) || time.Now().After(flow.Expires) {
		return false
	}
	_ = p.setCookie(w, name, nil, 0) // nothing is encoded
	c, err := p.signedIn(r.Context(), &flow.Flow, query)
	if err == nil {
		err = p.setUser(w, c)
	}
	if err != nil {
		p.log.Warn("cannot sign in at the issuer", "error", p.run.w.Secrets.Text(err.Error()))
		p.write(w, r, http.StatusForbidden, p.explain(err))
		return true
	}
	back := url.Values{}
	if given, err := url.ParseQuery(strings.TrimPrefix(flow.Return, "?")); err == nil {
		for _, name := range []string{"server", "scope"} {
			if given.Has(name) {
				back[name] = given[name]
			}
		}
	}
	http.Redirect(w, r, p.run.public+connectPath+"?"+back.Encode(), http.StatusSeeOther)
	return true
}

// signedIn returns the caller with the token that the issuer has issued. It is checked like the token of a client.
func (p *connectPage) signedIn(ctx context.Context, pending *auth.Pending, query url.Values) (*access.Caller, error) {
	f, err := p.signInFlow()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := f.Finish(ctx, pending, query)
	if err != nil {
		return nil, err
	}
	c := p.run.door.policy.SignIn(ctx, g.AccessToken)
	if c == nil {
		return nil, errors.New("the gateway does not accept the token of this user: it needs the audience of the gateway " +
			"and a role")
	}
	return c, nil
}
