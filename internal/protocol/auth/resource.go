package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// A resource is what a server says about itself (RFC 9728).
type resource struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	ScopesSupported      []string `json:"scopes_supported"`
	DPoP                 bool     `json:"dpop_bound_access_tokens_required"`

	guessed bool // there was no metadata: the way of 2025-03-26
}

// resource looks for the metadata where the refusal says, or else at the path and at the root. Without any the server's
// own origin is the authorization server, as 2025-03-26 had it.
func (f *Flow) resource(ctx context.Context, d Demand) (*resource, error) {
	found, err := firstOf(f.resourcePlaces(d), func(place string) (*resource, bool, error) {
		return f.resourceAt(ctx, place, place == d.Metadata)
	})
	if found != nil || err != nil {
		return found, err
	}
	s := f.begin(ResourceMetadata)
	s.State = Absent
	origin := f.server.Scheme + "://" + f.server.Host
	s.Result = "no metadata anywhere; as in revision 2025-03-26, " + origin + " is taken for the authorization server"
	s.note("servers of later revisions must have metadata (RFC 9728)")
	f.emit(s)
	return &resource{Resource: f.server.String(), AuthorizationServers: []string{origin}, guessed: true}, nil
}

// Offered looks whether a server that answers without a token has metadata all the same: then a token may give more.
func (f *Flow) Offered(ctx context.Context) (bool, error) {
	for _, place := range f.resourcePlaces(Demand{}) {
		found, final, err := f.resourceAt(ctx, place, false)
		if found != nil || final || ctx.Err() != nil {
			return err == nil, err
		}
	}
	return false, nil // what is no metadata says nothing
}

func (f *Flow) resourcePlaces(d Demand) []string {
	if d.Metadata != "" {
		return []string{d.Metadata}
	}
	places := []string{wellKnown(f.server, "oauth-protected-resource")}
	if root := wellKnown(&url.URL{Scheme: f.server.Scheme, Host: f.server.Host}, "oauth-protected-resource"); root != places[0] {
		places = append(places, root)
	}
	return places
}

// resourceAt reads the metadata at one place, which the refusal may have named; final errors are about a document that
// must not be used, and no other place mends that.
func (f *Flow) resourceAt(ctx context.Context, place string, named bool) (found *resource, final bool, err error) {
	s := f.begin(ResourceMetadata)
	defer func() { f.emit(s) }()
	if _, err := checkURL(place); err != nil {
		return nil, true, s.fail("the server's WWW-Authenticate should name an https address", "resource_metadata: %v", err)
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
		return nil, named, s.fail("the server should answer 200 with its metadata (RFC 9728)", "HTTP %d; want 200", s.Answer.Status)
	}
	noteType(s, s.Answer)
	found = &resource{}
	if err := read(body, found); err != nil {
		return nil, false, s.fail("the server should answer with a JSON object (RFC 9728)", "the metadata cannot be read: %v", err)
	}
	err = f.checkResource(s, found)
	return found, err != nil, err
}

func (f *Flow) checkResource(s *Step, found *resource) error {
	switch {
	case found.Resource == "":
		return s.fail("add the member resource with the server's URL", "the metadata names no resource")
	case !covers(found.Resource, f.server):
		return s.fail("the server's metadata should name the URL that clients use; a token for another one must not be asked for",
			"resource is %q; want %q", found.Resource, f.server.String())
	case len(found.AuthorizationServers) == 0:
		return s.fail("add authorization_servers with the issuer of your authorization server", "the metadata names no authorization_servers")
	}
	if found.Resource != f.server.String() {
		s.note("resource is %q, not exactly the URL %q", found.Resource, f.server.String())
	}
	for _, issuer := range found.AuthorizationServers {
		if _, err := checkURL(issuer); err != nil {
			return s.fail("authorization servers need https", "authorization_servers: %v", err)
		}
	}
	s.State, s.Result = OK, "authorization server: "+strings.Join(found.AuthorizationServers, ", ")
	if len(found.AuthorizationServers) > 1 {
		s.note("there are several; --issuer chooses another than the first")
	}
	return nil
}
