package auth

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// A server is the metadata of an authorization server (RFC 8414, OpenID Connect Discovery).
type server struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	ScopesSupported       []string `json:"scopes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	AuthMethods           []string `json:"token_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	IssParameter          bool     `json:"authorization_response_iss_parameter_supported"`
	ClientDocuments       bool     `json:"client_id_metadata_document_supported"`

	guessed bool // there was no metadata: the endpoints of 2025-03-26
}

// offers reports whether a list contains a value; an absent list has the default of the standard.
func offers(offered, otherwise []string, value string) bool {
	if len(offered) == 0 {
		offered = otherwise
	}
	return slices.Contains(offered, value)
}

// issuer returns the authorization server to use: the user's choice among those that the server lists, or the
// first.
func (f *Flow) issuer(r *resource) (string, error) {
	if f.opts.Issuer == "" {
		return r.AuthorizationServers[0], nil
	}
	if !slices.Contains(r.AuthorizationServers, f.opts.Issuer) {
		s := f.begin(ServerMetadata)
		defer func() { f.emit(s) }()
		return "", s.fail(hint.Text("use one of: "+strings.Join(r.AuthorizationServers, ", ")),
			"--issuer: %q is not listed by the server", f.opts.Issuer)
	}
	return f.opts.Issuer, nil
}

// authority finds the metadata of the authorization server.
func (f *Flow) authority(ctx context.Context, r *resource) (*server, error) {
	issuer, err := f.issuer(r)
	if err != nil {
		return nil, err
	}
	found, err := firstOf(serverLocations(issuer),
		func(place string) (*server, bool, error) { return f.serverAt(ctx, place, issuer) })
	if found != nil || err != nil {
		return found, err
	}
	s := f.begin(ServerMetadata)
	defer func() { f.emit(s) }()
	if !r.guessed {
		return nil, s.fail("the authorization server should publish /.well-known/oauth-authorization-server (RFC "+
			"8414) or /.well-known/openid-configuration",
			"%s has no metadata at any well-known URL", issuer)
	}
	s.State, s.Result = Absent, "no metadata found; as in version 2025-03-26, /authorize, /token and /register are used"
	return &server{Issuer: issuer, AuthorizationEndpoint: issuer + "/authorize", TokenEndpoint: issuer + "/token",
		RegistrationEndpoint: issuer + "/register", ChallengeMethods: []string{"S256"},
		AuthMethods: []string{"none", "client_secret_basic"}, guessed: true}, nil
}

// serverLocations returns the possible metadata URLs of an issuer, in the order of the protocol.
func serverLocations(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	places := []string{wellKnown(u, "oauth-authorization-server"), wellKnown(u, "openid-configuration")}
	if path := strings.Trim(u.EscapedPath(), "/"); path != "" {
		places = append(places, u.Scheme+"://"+u.Host+"/"+path+"/.well-known/openid-configuration")
	}
	return places
}

// serverAt reads the metadata at one URL; final errors are about a document that must not be used.
func (f *Flow) serverAt(ctx context.Context, place, issuer string) (found *server, final bool, err error) {
	s := f.begin(ServerMetadata)
	defer func() { f.emit(s) }()
	body, err := f.call.get(ctx, s, place)
	if err != nil {
		return nil, false, err
	}
	if missing(s.Answer.Status) {
		return nil, false, s.absent()
	}
	if s.Answer.Status != http.StatusOK {
		return nil, false, s.fail("the authorization server should return 200 with its metadata",
			"HTTP %d, expected 200", s.Answer.Status)
	}
	noteType(s, s.Answer)
	found = &server{}
	if err := read(body, found); err != nil {
		return nil, false, s.fail("the authorization server should return a JSON object", "invalid metadata: %v", err)
	}
	err = f.checkServer(s, found, issuer)
	return found, err != nil, err
}

// checkServer rejects metadata that could send a token or the user to a wrong server.
func (f *Flow) checkServer(s *Step, found *server, issuer string) error {
	if strings.TrimSuffix(found.Issuer, "/") == strings.TrimSuffix(issuer, "/") && found.Issuer != issuer {
		return s.fail("both must be identical, including the trailing slash: correct authorization_servers of the "+
			"server, or issuer here",
			"issuer: got %q, expected %q", found.Issuer, issuer)
	}
	if found.Issuer != issuer {
		return s.fail("the issuer must be identical to the URL used to find the metadata (RFC 8414); a different one "+
			"may be an attack",
			"issuer: got %q, expected %q", found.Issuer, issuer)
	}
	endpoints := []struct{ name, value string }{{"token_endpoint", found.TokenEndpoint}}
	if f.opts.Grant == AuthorizationCode {
		endpoints = append(endpoints, struct{ name, value string }{"authorization_endpoint",
			found.AuthorizationEndpoint})
	}
	if found.RegistrationEndpoint != "" {
		endpoints = append(endpoints, struct{ name, value string }{"registration_endpoint", found.RegistrationEndpoint})
	}
	for _, e := range endpoints {
		if _, err := checkURL(e.value); err != nil {
			return s.fail("endpoints of an authorization server must use https", "%s: %v", e.name, err)
		}
	}
	if f.opts.Grant == AuthorizationCode && !slices.Contains(found.ChallengeMethods, "S256") {
		return s.fail("MCP clients must reject a server that does not announce PKCE: add "+
			"code_challenge_methods_supported with S256",
			"code_challenge_methods_supported: got %s, expected S256", list(found.ChallengeMethods))
	}
	if !offers(found.GrantTypes, []string{AuthorizationCode, "implicit"}, f.opts.Grant) {
		s.note("grant_types_supported is %s; missing %s", list(found.GrantTypes), f.opts.Grant)
	}
	s.State, s.Result = OK, "token endpoint: "+found.TokenEndpoint
	return nil
}
