package conform

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An ownClient is a client that was registered for the run.
type ownClient struct {
	id, redirect  string
	back          *callback
	as            json.RawMessage // metadata of the authorization server
	secret        bool            // it got one, although it asked for none
	manage, token string          // where it can be deleted; empty if nowhere
}

func (c *ownClient) endpoint(name string) string { return schema.TextAt(c.as, "/"+name) }

// registeredClient registers a client with the first authorization server, once per run.
func (p *CheckContext) registeredClient(ctx context.Context) (*ownClient, error) {
	own := &p.round.own
	own.registering.Do(func() { own.client, own.clientErr = p.register(ctx) })
	return own.client, own.clientErr
}

func (p *CheckContext) register(ctx context.Context) (*ownClient, error) {
	known, err := p.knownIssuers(ctx)
	if err != nil {
		return nil, err
	}
	as := known[0].metadata.Body
	c := &ownClient{as: as, id: p.round.opts.Auth.Client}
	if name := wrongEndpoint(as); name != "" {
		return nil, p.Skip("%s of the authorization server is not an https URL", name)
	}
	if c.id == "" && !fetchable(c.endpoint("registration_endpoint")) {
		return nil, p.Skip("the authorization server has no registration_endpoint; use --auth-client")
	}
	if c.back, err = newCallback(); err != nil {
		return nil, err
	}
	if c.redirect = c.back.address; c.id != "" {
		return c, nil
	}
	a, err := p.postClient(ctx, c, c.redirect)
	if err == nil && a.Status/100 != 2 {
		err = p.Skip("the authorization server rejected the registration of a client: HTTP %d", a.Status)
	}
	if err != nil {
		c.back.close()
		return nil, err
	}
	c.id = schema.TextAt(a.Body, "/client_id")
	c.secret = schema.TextAt(a.Body, "/client_secret") != ""
	c.manage, c.token = schema.TextAt(a.Body, "/registration_client_uri"),
		schema.TextAt(a.Body, "/registration_access_token")
	p.keepSecret(c.token)
	return c, nil
}

// keepSecret keeps values out of the report, also if a server repeats them.
func (p *CheckContext) keepSecret(values ...string) {
	if keep := p.round.opts.Auth.Secret; keep != nil {
		keep(values...)
	}
}

// wrongEndpoint returns the name of an endpoint that must not be used: one gets codes and tokens, the other is opened
// in the browser of the user. It is empty if both are safe.
func wrongEndpoint(as json.RawMessage) string {
	for _, name := range []string{"authorization_endpoint", "token_endpoint"} {
		if !fetchable(schema.TextAt(as, "/"+name)) {
			return name
		}
	}
	return ""
}

// postClient registers a public client with a redirect URI.
func (p *CheckContext) postClient(ctx context.Context, c *ownClient, redirect string) (*HTTPExchange, error) {
	body, _ := json.Marshal(map[string]any{"client_name": "mcptest", "redirect_uris": []string{redirect},
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"token_endpoint_auth_method": "none", "application_type": "native"})
	return p.Fetch(ctx, Fetch{URL: c.endpoint("registration_endpoint"), Body: string(body), Anonymous: true, Private: true,
		Header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}})
}

// unregister deletes a client, if the authorization server supports it. The URL comes from a response: DELETE must not
// be sent to others.
func (p *CheckContext) unregister(ctx context.Context, c *ownClient, manage, token string) {
	if token != "" && fetchable(manage) && sameHost(manage, c.endpoint("registration_endpoint")) {
		_, _ = p.Fetch(ctx, Fetch{Method: http.MethodDelete, URL: manage, Anonymous: true, Private: true,
			Header: http.Header{"Authorization": {"Bearer " + token}}})
	}
}

// sameHost reports whether two URLs have the same scheme, host and port.
func sameHost(a, b string) bool {
	u, err := url.Parse(a)
	v, err2 := url.Parse(b)
	return err == nil && err2 == nil && u.Scheme == v.Scheme && strings.EqualFold(u.Host, v.Host)
}

// closeGrants deletes what the run created.
func (r *revisionRun) closeGrants(ctx context.Context) {
	if c := r.own.client; c != nil {
		p := &CheckContext{Check: &Check{}, Revision: r.revision, Target: r.target, round: r}
		p.unregister(ctx, c, c.manage, c.token)
		p.recorder.close()
		c.back.close()
	}
}
