package conform

import (
	"cmp"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A forgedToken is a JWT that no authorization server issued: its issuer and audience are right, so that only the
// signature can give it away. It names no user.
type forgedToken struct {
	header map[string]any
	claims map[string]any
}

// forge starts a token for this server.
func (t *authMetadata) forge(ctx context.Context, p *CheckContext) forgedToken {
	resource := p.Target.URL
	scope := ""
	if t.metadata != nil {
		resource = cmp.Or(schema.TextAt(t.metadata.Body, "/resource"), resource)
		var scopes []string
		_ = json.Unmarshal(At(t.metadata.Body, "/scopes_supported"), &scopes)
		scope = strings.Join(scopes, " ")
	}
	issuer := ""
	if len(t.servers) > 0 {
		issuer = t.servers[0].name
	}
	header := map[string]any{"typ": "at+jwt", "alg": "RS256"}
	if keys := t.publicKeys(ctx, p); len(keys) > 0 && keys[0].ID != "" {
		header["kid"] = keys[0].ID
	}
	now := time.Now()
	return forgedToken{header: header, claims: map[string]any{"iss": issuer, "aud": resource, "sub": "mcptest",
		"client_id": "mcptest", "scope": scope, "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(),
		"jti": rand.Text()}}
}

// with returns the token with other header fields; nil removes one.
func (f forgedToken) with(pairs ...any) forgedToken {
	header := map[string]any{}
	for name, value := range f.header {
		header[name] = value
	}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == nil {
			delete(header, pairs[i].(string))
			continue
		}
		header[pairs[i].(string)] = pairs[i+1]
	}
	return forgedToken{header: header, claims: f.claims}
}

// unsigned returns the part that is signed, with a period.
func (f forgedToken) unsigned() string {
	header, _ := json.Marshal(f.header)
	claims, _ := json.Marshal(f.claims)
	return base64URL(header) + "." + base64URL(claims) + "."
}

// forgeKey is our key, which no server knows.
var forgeKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err) // there is no randomness
	}
	return key
})

// signed returns the token with a valid signature of our key.
func (f forgedToken) signed() string {
	text := f.unsigned()
	sum := sha256.Sum256([]byte(strings.TrimSuffix(text, ".")))
	signature, err := rsa.SignPKCS1v15(nil, forgeKey(), crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // the key is ours and long enough
	}
	return text + base64URL(signature)
}

// hashed returns the token with an HMAC.
func (f forgedToken) hashed(secret []byte) string {
	text := f.unsigned()
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(strings.TrimSuffix(text, ".")))
	return text + base64URL(mac.Sum(nil))
}

// forgeJWK returns our public key as a JWK.
func forgeJWK() map[string]any {
	key := forgeKey().PublicKey
	return map[string]any{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "mcptest", "n": base64URL(key.N.Bytes()),
		"e": base64URL(big.NewInt(int64(key.E)).Bytes())}
}

func base64URL(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

// A jwk is a published key.
type jwk struct {
	ID    string `json:"kid"`
	Type  string `json:"kty"`
	N     string `json:"n"`
	E     string `json:"e"`
	Curve string `json:"crv"`
	X     string `json:"x"`
	Y     string `json:"y"`
}

// publicKeys reads the keys of the first authorization server, once; nil if it publishes none.
func (t *authMetadata) publicKeys(ctx context.Context, p *CheckContext) []jwk {
	t.keysOnce.Do(func() {
		if len(t.servers) == 0 || t.servers[0].metadata == nil {
			return
		}
		address := schema.TextAt(t.servers[0].metadata.Body, "/jwks_uri")
		if a := p.firstJSON(ctx, []string{address}); a != nil {
			_ = json.Unmarshal(At(a.Body, "/keys"), &t.keys)
		}
	})
	return t.keys
}

// pem returns the public key in PEM format; nil if it is of another kind.
func (k jwk) pem() []byte {
	bytesOf := func(text string) []byte {
		decoded, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
		return decoded
	}
	number := func(text string) *big.Int { return new(big.Int).SetBytes(bytesOf(text)) }
	var key any
	switch {
	case k.Type == "RSA" && k.N != "":
		key = &rsa.PublicKey{N: number(k.N), E: int(number(k.E).Int64())}
	case k.Type == "EC" && k.Curve == "P-256":
		point, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, bytesOf(k.X), bytesOf(k.Y)))
		if err != nil {
			return nil
		}
		key = point
	}
	if key == nil {
		return nil
	}
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}
