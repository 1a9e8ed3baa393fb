package access

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A JWTConfig lets callers in with tokens of an OAuth authorization server. The gateway never passes them on.
type JWTConfig struct {
	Issuer   string `json:"issuer"`   // whom tokens must come from
	Audience string `json:"audience"` // what they must be made for: the URL of this gateway
	JWKS     string `json:"jwks_url"` // where the issuer's keys are
	Scope    string `json:"scope"`    // what they must allow; nothing, if empty
}

// leeway is how far clocks may be apart.
const leeway = 30 * time.Second

// errScope says that a token is good but not for this.
var errScope = errors.New("the token lacks the scope")

// A verifier judges tokens of one issuer.
type verifier struct {
	config JWTConfig
	keys   keySet
}

func newVerifier(c JWTConfig) (*verifier, error) {
	for name, value := range map[string]string{"issuer": c.Issuer, "audience": c.Audience, "jwks_url": c.JWKS} {
		u, err := url.Parse(value)
		local := err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1")
		if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && local) {
			return nil, fmt.Errorf("jwt: %s is %q; want an https URL", name, value)
		}
	}
	return &verifier{config: c, keys: keySet{url: c.JWKS, client: &http.Client{Timeout: 10 * time.Second}}}, nil
}

// claims are what a token says.
type claims struct {
	Issuer    string   `json:"iss"`
	Subject   string   `json:"sub"`
	Audience  audience `json:"aud"`
	Expires   *float64 `json:"exp"`
	NotBefore float64  `json:"nbf"`
	Scope     string   `json:"scope"`
}

// An audience is one or several.
type audience []string

// UnmarshalJSON reads a string or a list of them.
func (a *audience) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(a))
}

// verify returns the subject of a token that is good now.
func (v *verifier) verify(ctx context.Context, token string) (string, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > 16<<10 {
		return "", errors.New("not a JWT")
	}
	var header struct{ Alg, Kid string }
	if err := decodePart(parts[0], &header); err != nil {
		return "", err
	}
	key, err := v.keys.find(ctx, header.Kid)
	if err != nil {
		return "", err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !signed(header.Alg, key, parts[0]+"."+parts[1], signature) {
		return "", errors.New("the signature is not the issuer's")
	}
	var c claims
	if err := decodePart(parts[1], &c); err != nil {
		return "", err
	}
	return c.Subject, v.judge(c, time.Now())
}

func (v *verifier) judge(c claims, now time.Time) error {
	switch {
	case c.Issuer != v.config.Issuer:
		return errors.New("the token is of another issuer")
	case !slices.Contains(c.Audience, v.config.Audience):
		return errors.New("the token is for another audience")
	case c.Expires == nil || now.Add(-leeway).After(seconds(*c.Expires)):
		return errors.New("the token has expired")
	case now.Add(leeway).Before(seconds(c.NotBefore)):
		return errors.New("the token is not valid yet")
	case c.Subject == "":
		return errors.New("the token has no subject")
	case v.config.Scope != "" && !slices.Contains(strings.Fields(c.Scope), v.config.Scope):
		return errScope
	}
	return nil
}

func seconds(n float64) time.Time { return time.Unix(int64(n), 0) }

func decodePart(part string, into any) error {
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// signed checks a signature. The key decides what algorithm it can be: a token cannot choose a weaker one.
func signed(alg string, key crypto.PublicKey, text string, signature []byte) bool {
	sum := sha256.Sum256([]byte(text))
	switch k := key.(type) {
	case *rsa.PublicKey:
		return alg == "RS256" && k.N.BitLen() >= 2048 && rsa.VerifyPKCS1v15(k, crypto.SHA256, sum[:], signature) == nil
	case *ecdsa.PublicKey:
		if alg != "ES256" || len(signature) != 64 {
			return false
		}
		return ecdsa.Verify(k, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
	case ed25519.PublicKey:
		return alg == "EdDSA" && ed25519.Verify(k, []byte(text), signature)
	}
	return false
}

// Metadata tells clients where to get a token (RFC 9728). It is nil where no issuer is configured.
func (p *Policy) Metadata() json.RawMessage {
	v := p.jwt.Load()
	if v == nil {
		return nil
	}
	about := map[string]any{"resource": v.config.Audience, "authorization_servers": []string{v.config.Issuer}, "bearer_methods_supported": []string{"header"}}
	if v.config.Scope != "" {
		about["scopes_supported"] = []string{v.config.Scope}
	}
	raw, err := json.Marshal(about)
	if err != nil {
		return nil
	}
	return raw
}

// challenge is what a request without a good token is told.
func (p *Policy) challenge(problem string) string {
	text := `Bearer realm="mcptest"`
	v := p.jwt.Load()
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

// MetadataPath is where clients look for the metadata.
const MetadataPath = "/.well-known/oauth-protected-resource"
