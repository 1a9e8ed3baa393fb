package auth

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

const serverChange hint.Text = "publish the metadata of the authorization server at " +
	"/.well-known/oauth-authorization-server followed by the path of its issuer (RFC 8414)"

// A clientServer is the metadata of an authorization server with what only some clients require.
type clientServer struct {
	server
	ResponseTypes []string `json:"response_types_supported"`
	JWKS          string   `json:"jwks_uri"`
	SubjectTypes  []string `json:"subject_types_supported"`
	IDTokenAlgs   []string `json:"id_token_signing_alg_values_supported"`
	assumed       bool     // there was none: default endpoints
}

// findServer looks for the metadata of the authorization server where the client does.
func (w *walk) findServer(ctx context.Context, r *resource) *clientServer {
	issuer := r.AuthorizationServers[0]
	places := serverLocations(issuer)
	if r.guessed && w.value(ruleNoResource) == "legacy-rfc8414" {
		places = places[:1]
	}
	for _, place := range places {
		s := w.begin(ServerMetadata)
		found, last := w.serverAsClient(ctx, s, place, issuer, r.guessed)
		w.emit(s)
		if found != nil || w.stopped() {
			return found
		}
		if last {
			break
		}
	}
	return w.defaults(issuer, r.guessed)
}

// defaults are the endpoints that a client uses without metadata.
func (w *walk) defaults(issuer string, guessed bool) *clientServer {
	s := w.begin(ServerMetadata)
	defer func() { w.emit(s) }()
	base := w.server
	if !guessed {
		switch w.rule(ruleServerMissing) {
		case "fail":
			w.stop(s, serverChange, "%s finds no usable metadata of %s", w.ladder.Name, issuer)
			return nil
		case "default-issuer":
			if u, err := url.Parse(issuer); err == nil {
				base = u
			}
		}
	}
	w.misses(serverChange)
	origin := base.Scheme + "://" + base.Host
	w.goesOn(s, "uses %s/authorize, /token and /register", origin)
	return &clientServer{assumed: true, server: server{Issuer: issuer, AuthorizationEndpoint: origin + "/authorize",
		TokenEndpoint: origin + "/token", RegistrationEndpoint: origin + "/register"}}
}

// serverAsClient reads the metadata at one URL; last is whether the client then looks no further.
func (w *walk) serverAsClient(ctx context.Context, s *Step, place, issuer string, guessed bool) (found *clientServer,
	last bool) {
	body, err := w.call.get(ctx, s, place)
	if err != nil || s.Answer.Status >= 500 {
		status := 0
		if err == nil {
			status = s.Answer.Status
		}
		s.Problem, s.Hint = "", ""
		value := w.value(ruleServerError)
		if value == "fail" || value == "next-on-502" && status != http.StatusBadGateway {
			w.rule(ruleServerError)
			w.stop(s, serverChange, "%s fails if this metadata cannot be read", w.ladder.Name)
		} else {
			w.goesOn(s, "cannot read this document")
		}
		return nil, value == "default"
	}
	if s.Answer.Status != http.StatusOK {
		_ = s.absent()
		return nil, false
	}
	found = &clientServer{}
	problem := w.missingField(found, readAsClients(body, found), strings.Contains(place, "openid-configuration"))
	if problem != "" {
		w.rule(ruleServerFields)
		if w.value(ruleServerInvalid) == "fail" {
			w.rule(ruleServerInvalid)
			w.stop(s, serverChange, "%s rejects this metadata: %s", w.ladder.Name, problem)
		} else {
			w.goesOn(s, "ignores this document: %s", problem)
		}
		return nil, false
	}
	if w.acceptsServer(s, found, issuer, guessed) {
		s.State, s.Result = OK, "token endpoint: "+found.TokenEndpoint
	}
	return found, true
}

// missingField returns what the client misses in the metadata.
func (w *walk) missingField(found *clientServer, err error, openID bool) string {
	need := w.value(ruleServerFields)
	switch {
	case err != nil:
		return "it is not a JSON object with the fields of RFC 8414"
	case found.Issuer == "":
		return "no issuer"
	case !webURL(found.AuthorizationEndpoint, need == "issuer"):
		return "authorization_endpoint is not an http or https URL"
	case !webURL(found.TokenEndpoint, need == "issuer"):
		return "token_endpoint is not an http or https URL"
	case need != "endpoints-and-openid":
		return ""
	case found.ResponseTypes == nil:
		return "no response_types_supported"
	case openID && found.JWKS == "":
		return "no jwks_uri, which OpenID discovery requires"
	case openID && found.SubjectTypes == nil:
		return "no subject_types_supported, which OpenID discovery requires"
	case openID && found.IDTokenAlgs == nil:
		return "no id_token_signing_alg_values_supported, which OpenID discovery requires"
	}
	return ""
}

// missingEndpoint names the endpoint that is missing in metadata that the client has accepted.
func (s *clientServer) missingEndpoint() string {
	switch "" {
	case s.AuthorizationEndpoint:
		return "authorization_endpoint"
	case s.TokenEndpoint:
		return "token_endpoint"
	}
	return ""
}

func webURL(raw string, optional bool) bool {
	return raw == "" && optional || strings.HasPrefix(raw, "https://") || strings.HasPrefix(raw, "http://")
}

// acceptsServer checks issuer and PKCE as the client does.
func (w *walk) acceptsServer(s *Step, found *clientServer, issuer string, guessed bool) bool {
	slash := issuer == found.Issuer+"/" || guessed && found.Issuer == issuer+"/"
	if rule := w.value(ruleIssuer); found.Issuer != issuer && rule != "ignored" &&
		!(slash && (guessed || rule == "exact-or-slash")) {
		w.rule(ruleIssuer)
		w.stop(s, "make issuer in this document and authorization_servers of the MCP server identical, including the "+
			"trailing slash", "issuer: got %q, expected %q", found.Issuer, issuer)
		return false
	}
	excluded := len(found.ChallengeMethods) > 0 && w.value(rulePKCE) == "not-excluded-early"
	if (excluded || w.value(rulePKCE) == "listed") && !slices.Contains(found.ChallengeMethods, "S256") {
		w.rule(rulePKCE)
		w.stop(s, pkceChange, "code_challenge_methods_supported: got %s, expected S256", list(found.ChallengeMethods))
		return false
	}
	return true
}

const pkceChange hint.Text = "add code_challenge_methods_supported with S256 to the metadata of the authorization " +
	"server"
