package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// A JWTConfig accepts tokens of an OAuth authorization server. The gateway never forwards them.
type JWTConfig struct {
	Issuer   string `json:"issuer"`   // the required issuer of tokens
	Audience string `json:"audience"` // the required audience: the URL of this gateway
	JWKS     string `json:"jwks_url"` // the URL of the issuer's keys
	Scope    string `json:"scope"`    // the required scopes; may be empty
	// rights of tokens by their claims, for subjects that are not listed as callers
	Roles []RoleConfig `json:"roles"`
}

// issuer is everything that the verification depends on.
func (c JWTConfig) issuer() [4]string { return [4]string{c.Issuer, c.Audience, c.JWKS, c.Scope} }

// leeway is the tolerated clock skew.
const leeway = 30 * time.Second

// errScope means that a token is valid but lacks the scope.
var errScope = errors.New("the token lacks the scope")

// algorithms are the accepted signature algorithms. The key determines which one: a token cannot choose a weaker one.
var algorithms = []string{"RS256", "ES256", "EdDSA"}

// maxToken is the maximum length of a token.
const maxToken = 16 << 10

// A verifier checks tokens of one issuer.
type verifier struct {
	config JWTConfig
	keys   *keySet
	parser *jwt.Parser
}

func newVerifier(c JWTConfig) (*verifier, error) {
	for name, value := range map[string]string{"issuer": c.Issuer, "audience": c.Audience, "jwks_url": c.JWKS} {
		u, err := url.Parse(value)
		if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && isLocal(u)) {
			return nil, fmt.Errorf("jwt: %s is %q, expected an https URL", name, value)
		}
	}
	// the config sets the issuer, which may be an internal one
	client := netguard.Client(&netguard.DialOptions{AllowPrivate: true})
	return &verifier{config: c, keys: newKeySet(c.JWKS, client), parser: jwt.NewParser(jwt.WithValidMethods(algorithms),
			jwt.WithJSONNumber(), jwt.WithIssuer(c.Issuer), jwt.WithAudience(c.Audience), jwt.WithExpirationRequired(),
			jwt.WithLeeway(leeway))},
		nil
}

func isLocal(u *url.URL) bool {
	return u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1"
}

// verify returns the subject and the claims of a token that is currently valid.
func (v *verifier) verify(ctx context.Context, token string) (subject string, claims map[string]any, err error) {
	if len(token) > maxToken {
		return "", nil, errors.New("not a JWT")
	}
	all := jwt.MapClaims{}
	_, err = v.parser.ParseWithClaims(token, all, func(t *jwt.Token) (any, error) {
		if _, critical := t.Header["crit"]; critical {
			return nil, errors.New("the token has unknown critical extensions")
		}
		kid, _ := t.Header["kid"].(string)
		return v.keys.find(ctx, kid)
	})
	subject, _ = all["sub"].(string)
	scope, _ := all["scope"].(string)
	switch {
	case err != nil:
		return "", nil, err
	case subject == "":
		return "", nil, errors.New("the token has no subject")
	case v.config.Scope != "" && !slices.Contains(strings.Fields(scope), v.config.Scope):
		return "", nil, errScope
	}
	return subject, all, nil
}

// Metadata describes where clients get a token (RFC 9728). It is nil if no issuer is configured.
func (p *Policy) Metadata() json.RawMessage {
	now := p.state.Load()
	v := now.jwt
	if v == nil {
		return nil
	}
	about := map[string]any{"resource": v.config.Audience, "authorization_servers": []string{v.config.Issuer},
		"bearer_methods_supported": []string{"header"}}
	scopes := now.roles.scopes()
	if v.config.Scope != "" && !slices.Contains(scopes, v.config.Scope) {
		scopes = append([]string{v.config.Scope}, scopes...)
	}
	if len(scopes) > 0 {
		about["scopes_supported"] = scopes
	}
	raw, err := json.Marshal(about)
	if err != nil {
		return nil
	}
	return raw
}

// challenge is the WWW-Authenticate header for a request without a valid token.
func (p *Policy) challenge(problem string) string {
	text := `Bearer realm="mcptest"`
	v := p.state.Load().jwt
	if problem != "" {
		text += fmt.Sprintf(`, error=%q`, problem)
	}
	if v != nil {
		if u, err := url.Parse(v.config.Audience); err == nil {
			text += fmt.Sprintf(`, resource_metadata="%s://%s%s"`, u.Scheme, u.Host, MetadataPath)
		}
		if v.config.Scope != "" {
			text += fmt.Sprintf(`, scope=%q`, v.config.Scope)
		}
	}
	return text
}

// MetadataPath is the path at which clients request the metadata.
const MetadataPath = "/.well-known/oauth-protected-resource"
