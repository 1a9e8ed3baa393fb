package conform

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// A authMetadata is what an anonymous client can find out about the authorization of a server. It is read once per
// round.
type authMetadata struct {
	once     sync.Once
	err      error
	answer   *HTTPExchange // response to the first request without a token
	refusal  *HTTPExchange // response to a request without a token; nil if every request was served
	request  authRequest   // the request that was rejected
	metadata *HTTPExchange // metadata of the protected resource; nil if not found
	where    string        // the URL of the metadata
	servers  []issuer

	owned    bool // the request is one that succeeds with an own token
	keysOnce sync.Once
	keys     []jwk // of the first authorization server
}

// An issuer is an authorization server named in the metadata.
type issuer struct {
	name     string
	metadata *HTTPExchange // nil if not found
}

// Protection probes the server as an anonymous client: one request, then the documents that the 401 response refers to.
// It only reads. If the server requires no authorization, the check is skipped.
func (p *CheckContext) Protection(ctx context.Context) (*authMetadata, error) {
	t := &p.round.auth
	t.once.Do(func() { t.err = p.probe(ctx, t) })
	switch {
	case t.err != nil:
		return nil, t.err
	case t.refusal == nil && p.round.opts.Auth != nil:
		return nil, p.Skip("%s", noRefusal)
	case t.refusal == nil:
		return nil, p.Skip("server does not require authorization")
	}
	return t, nil
}

func (p *CheckContext) probe(ctx context.Context, t *authMetadata) error {
	for _, r := range p.authRequests() {
		a, err := p.Fetch(ctx, Fetch{Header: r.header, Body: r.body, Anonymous: true})
		if err != nil {
			return err
		}
		if t.answer == nil {
			t.answer = a
		}
		if a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden {
			t.refusal, t.request = a, r
			break
		}
	}
	if t.refusal == nil && p.round.opts.Auth == nil {
		return nil
	}
	t.readMetadata(ctx, p)
	for _, name := range t.issuers() {
		t.servers = append(t.servers, issuer{name: name, metadata: p.firstJSON(ctx, issuerAddresses(name))})
	}
	return nil
}

// readMetadata reads the protected resource metadata from the URL in the 401 response, or from the well-known
// locations.
func (t *authMetadata) readMetadata(ctx context.Context, p *CheckContext) {
	places := resourceAddresses(p.Target.URL)
	if named := challenged(t.refusal, "resource_metadata"); named != "" {
		places = append([]string{named}, places...)
	}
	if t.metadata = p.firstJSON(ctx, places); t.metadata != nil {
		t.where = t.metadata.Address
	}
}

// issuers returns the first few authorization servers named in the metadata.
func (t *authMetadata) issuers() []string {
	var names []string
	if t.metadata != nil {
		_ = json.Unmarshal(At(t.metadata.Body, "/authorization_servers"), &names)
	}
	return names[:min(len(names), 3)]
}

// firstJSON returns the first of the given URLs that returns a JSON object.
func (p *CheckContext) firstJSON(ctx context.Context, addresses []string) *HTTPExchange {
	for _, address := range addresses {
		if !fetchable(address) {
			continue
		}
		a, err := p.Fetch(ctx, Fetch{Method: http.MethodGet, URL: address,
			Header: http.Header{"Accept": {"application/json"}}, Anonymous: true, Follow: true})
		if err == nil && a.Status == http.StatusOK && len(a.Body) > 0 && a.Body[0] == '{' && json.Valid(a.Body) {
			a.Address = address
			return a
		}
	}
	return nil
}

// fetchable reports whether a URL may be requested: it must use https or be local.
func fetchable(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && isLoopback(u))
}

// resourceAddresses returns the well-known locations of protected resource metadata, the one with the resource path
// first.
func resourceAddresses(resource string) []string {
	return wellKnown(resource, "oauth-protected-resource", false)
}

// issuerAddresses returns the well-known locations of authorization server metadata.
func issuerAddresses(name string) []string {
	return append(wellKnown(name, "oauth-authorization-server", false),
		wellKnown(name, "openid-configuration", true)...)
}

// wellKnown returns the URLs with the well-known suffix before the path, if requested also after the path, and at the
// root.
func wellKnown(address, suffix string, after bool) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	root := u.Scheme + "://" + u.Host
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	all := []string{root + "/.well-known/" + suffix + path}
	if after && path != "" {
		all = append(all, root+path+"/.well-known/"+suffix)
	}
	if path != "" {
		all = append(all, root+"/.well-known/"+suffix)
	}
	return all
}

var challengePart = lazyregexp.New(`([a-zA-Z_]+)="([^"]*)"`)

// challenged returns a parameter of the WWW-Authenticate challenge; empty if absent.
func challenged(a *HTTPExchange, name string) string {
	if a == nil {
		return ""
	}
	for _, part := range challengePart().FindAllStringSubmatch(strings.Join(a.Header.Values("Www-Authenticate"), ", "),
		-1) {
		if strings.EqualFold(part[1], name) {
			return part[2]
		}
	}
	return ""
}

// sameResource reports whether the metadata describes the server: the same URL, or a parent of it.
func sameResource(resource, server string) bool {
	r, err := url.Parse(resource)
	s, err2 := url.Parse(server)
	if err != nil || err2 != nil || r.Scheme != s.Scheme || !strings.EqualFold(r.Host, s.Host) {
		return false
	}
	path := strings.TrimSuffix(r.Path, "/")
	return s.Path == path || strings.TrimSuffix(s.Path, "/") == path || strings.HasPrefix(s.Path, path+"/")
}

// described is Protection for a server that publishes metadata.
func (p *CheckContext) described(ctx context.Context) (*authMetadata, error) {
	t, err := p.Protection(ctx)
	if err == nil && t.metadata == nil {
		err = p.Missing("no protected resource metadata found")
	}
	return t, err
}

// knownIssuers returns the authorization servers whose metadata was found.
func (p *CheckContext) knownIssuers(ctx context.Context) ([]issuer, error) {
	t, err := p.Protection(ctx)
	if err != nil {
		return nil, err
	}
	var known []issuer
	for _, s := range t.servers {
		if s.metadata != nil {
			known = append(known, s)
		}
	}
	if len(known) == 0 {
		return nil, p.Missing("no authorization server metadata found")
	}
	return known, nil
}
