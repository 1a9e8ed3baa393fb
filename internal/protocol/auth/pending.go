package auth

import (
	"context"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Pending is an authorization request whose callback is received elsewhere, such as on a page of the gateway. It
// contains secrets, and everything that is needed to continue in another process.
type Pending struct {
	URL      string `json:"url"` // for the user to open
	State    string `json:"state"`
	Redirect string `json:"redirect"`
	Verifier string `json:"verifier"`
	Key      string `json:"key,omitempty"` // that the token will be bound to

	Client        Client   `json:"client"`
	Issuer        string   `json:"issuer"`
	Issuing       bool     `json:"issuing,omitempty"` // the issuer announces iss
	TokenEndpoint string   `json:"token_endpoint"`
	Resource      string   `json:"resource"`
	Scopes        []string `json:"scopes,omitempty"`
}

// Begin runs from a rejected request to the URL that the user must open. The rejection may be empty: then the metadata
// is read at the well-known URLs.
func (f *Flow) Begin(ctx context.Context, refused wire.Frame, redirect, state string, before []string) (*Pending,
	error) {
	demand := f.refusal(refused)
	r, err := f.resource(ctx, demand)
	if err != nil {
		return nil, err
	}
	return f.beginAt(ctx, r, redirect, state, union(before, demand.Scopes))
}

// BeginAt is Begin for a resource that is known, and whose only authorization server is known too.
func (f *Flow) BeginAt(ctx context.Context, issuer, resourceURL, redirect, state string) (*Pending, error) {
	return f.beginAt(ctx, &resource{Resource: resourceURL, AuthorizationServers: []string{issuer}}, redirect, state, nil)
}

func (f *Flow) beginAt(ctx context.Context, r *resource, redirect, state string, before []string) (*Pending, error) {
	as, err := f.authority(ctx, r)
	if err != nil {
		return nil, err
	}
	p := &Pending{State: state, Redirect: redirect, Issuer: as.Issuer, Issuing: as.IssParameter,
		TokenEndpoint: as.TokenEndpoint, Resource: r.Resource}
	if f.signer = nil; f.opts.DPoP || r.DPoP {
		if f.signer, err = newSigner(); err != nil {
			return nil, err
		}
		if p.Key, err = f.signer.pem(); err != nil {
			return nil, err
		}
	}
	client, err := f.register(ctx, as, redirect)
	if err != nil {
		return nil, err
	}
	p.Client, p.Scopes = *client, union(before, f.scopes(WWWAuthenticate{}, r, as))
	p.Verifier, p.URL = f.codeRequest(as, client, redirect, state, p.Scopes, r.Resource)
	f.beginConsent(p.URL, p.Scopes, r.Resource)
	return p, nil
}

// Finish checks the callback and redeems its code.
func (f *Flow) Finish(ctx context.Context, p *Pending, answer url.Values) (*Grant, error) {
	f.call.secrets.Add(p.Verifier, p.Client.Secret)
	as := &server{Issuer: p.Issuer, IssParameter: p.Issuing, TokenEndpoint: p.TokenEndpoint}
	code, err := f.checkCode(as, p.Redirect, p.State, answer)
	if err != nil {
		return nil, err
	}
	if p.Key != "" {
		if f.signer, err = parseSigner(p.Key); err != nil {
			return nil, err
		}
	}
	form := url.Values{"grant_type": {AuthorizationCode}, "code": {code}, "redirect_uri": {p.Redirect},
		"code_verifier": {p.Verifier}, "resource": {p.Resource}}
	// the code is redeemed even if the user closes the page, so that no token is lost
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout+time.Second)
	defer cancel()
	got, err := f.redeem(ctx, Token, as, &p.Client, form)
	if err != nil {
		return nil, err
	}
	return f.grant(as, &resource{Resource: p.Resource}, &p.Client, p.Scopes, got)
}
