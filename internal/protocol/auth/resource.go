package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// A resource is the metadata of an MCP server (RFC 9728).
type resource struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	ScopesSupported      []string `json:"scopes_supported"`
	DPoP                 bool     `json:"dpop_bound_access_tokens_required"`

	guessed bool // there was no metadata: the rules of 2025-03-26
}

// resource looks for the metadata at the URL of the rejection, or else at the path and at the root. Without
// any, the server's own origin is the authorization server, as in 2025-03-26.
func (f *Flow) resource(ctx context.Context, d WWWAuthenticate) (*resource, error) {
	found, err := firstOf(f.resourceLocations(d), func(place string) (*resource, bool, error) {
		return f.resourceAt(ctx, place, place == d.Metadata)
	})
	if found != nil || err != nil {
		return found, err
	}
	s := f.begin(ResourceMetadata)
	s.State = Absent
	origin := f.server.Scheme + "://" + f.server.Host
	s.Result = "no metadata found; as in version 2025-03-26, " + origin + " is used as the authorization server"
	s.note("servers of later versions must publish metadata (RFC 9728)")
	f.emit(s)
	return &resource{Resource: f.server.String(), AuthorizationServers: []string{origin}, guessed: true}, nil
}

// Offered checks whether a server that responds without a token has metadata anyway: then a token may give more
// access.
func (f *Flow) Offered(ctx context.Context) (bool, error) {
	for _, place := range f.resourceLocations(WWWAuthenticate{}) {
		found, final, err := f.resourceAt(ctx, place, false)
		if found != nil || final || ctx.Err() != nil {
			return err == nil, err
		}
	}
	return false, nil // invalid metadata is ignored
}

func (f *Flow) resourceLocations(d WWWAuthenticate) []string {
	if d.Metadata != "" {
		return []string{d.Metadata}
	}
	places := []string{wellKnown(f.server, "oauth-protected-resource")}
	if root := wellKnown(&url.URL{Scheme: f.server.Scheme, Host: f.server.Host},
		"oauth-protected-resource"); root != places[0] {
		places = append(places, root)
	}
	return places
}

// resourceAt reads the metadata at one URL, which the rejection may have named; final errors are about a
// document that must not be used, and no other URL can fix that.
func (f *Flow) resourceAt(ctx context.Context, place string, named bool) (found *resource, final bool, err error) {
	s := f.begin(ResourceMetadata)
	defer func() { f.emit(s) }()
	if _, err := checkURL(place); err != nil {
		return nil, true, s.fail("WWW-Authenticate should contain an https URL", "resource_metadata: %v", err)
	}
	body, err := f.call.get(ctx, s, place)
	if err != nil {
		return nil, false, err
	}
	if missing(s.Answer.Status) && !named {
		return nil, false, s.absent()
	}
	if s.Answer.Status != http.StatusOK {
		noteClosed(s)
		return nil, named, s.fail("the server should return 200 with its metadata (RFC 9728)", "HTTP %d, expected 200",
			s.Answer.Status)
	}
	noteType(s, s.Answer)
	found = &resource{}
	if err := read(body, found); err != nil {
		return nil, false, s.fail("the server should return a JSON object (RFC 9728)", "invalid metadata: %v", err)
	}
	err = f.checkResource(s, found)
	return found, err != nil, err
}

func (f *Flow) checkResource(s *Step, found *resource) error {
	switch {
	case found.Resource == "":
		return s.fail("add the field resource with the server's URL", "no resource in the metadata")
	case !covers(found.Resource, f.server):
		return s.fail("the metadata should contain the URL that clients use; requesting a token for another URL is "+
			"not allowed",
			"resource: got %q, expected %q", found.Resource, f.server.String())
	case len(found.AuthorizationServers) == 0:
		return s.fail("add authorization_servers with the issuer of your authorization server",
			"no authorization_servers in the metadata")
	}
	if found.Resource != f.server.String() {
		s.note("resource: got %q, which is not exactly the URL %q", found.Resource, f.server.String())
	}
	for _, issuer := range found.AuthorizationServers {
		if _, err := checkURL(issuer); err != nil {
			return s.fail("authorization servers must use https", "authorization_servers: %v", err)
		}
	}
	s.State, s.Result = OK, "authorization server: "+strings.Join(found.AuthorizationServers, ", ")
	if len(found.AuthorizationServers) > 1 {
		s.note("several are listed; use --issuer to choose another one than the first")
	}
	return nil
}
