package oauth

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"strings"
	"sync"
)

// The faults of a server that accepts what is not a token of its authorization server. Each accepts one kind only.
const (
	AnyQuery       Fault = "any-query"
	AnyBasic       Fault = "any-basic"
	EmptyBearer    Fault = "empty-bearer"
	TwoHeaders     Fault = "two-headers"
	AnyToken       Fault = "any-token"
	AnyKey         Fault = "any-key"
	EmbeddedKey    Fault = "embedded-key"
	KeyFile        Fault = "key-file" // the key ID is a path
	AlgNone        Fault = "alg-none"
	AlgNoneCase    Fault = "alg-none-case" // only the usual spelling is rejected
	EmptySignature Fault = "empty-signature"
	PublicHMAC     Fault = "public-hmac"
	TrimmedHMAC    Fault = "trimmed-hmac"
	FetchesKey     Fault = "fetches-key" // from the URL in the token
	QueryToken     Fault = "query-token" // a valid one
	PrefixToken    Fault = "prefix-token"
	RefreshAccess  Fault = "refresh-access" // refresh tokens are accepted
	AnyAudience    Fault = "any-audience"
	NeverExpires   Fault = "never-expires"
	ScopeUnnamed   Fault = "scope-unnamed"
	SessionToken   Fault = "session-token" // a session ID is enough
)

// misled responds as a proxy that knows only browsers does.
func (v *visit) misled() bool {
	switch {
	case v.r.Header.Get("Authorization") != "":
		return false
	case v.is(SignInRedirect):
		http.Redirect(v.w, v.r, v.Issuer(v.fault)+"/authorize", http.StatusFound)
	case v.is(SignInPage):
		v.say(http.StatusOK, "text/html", "<!doctype html><title>Sign in</title>")
	default:
		return false
	}
	return true
}

// fooled reports whether the fault lets a request in.
func (v *visit) fooled(scheme, token string) bool {
	bearer := strings.EqualFold(scheme, "Bearer")
	switch v.fault {
	case AnyQuery:
		return v.r.URL.Query().Has("access_token")
	case AnyBasic:
		return scheme == "Basic"
	case EmptyBearer:
		return bearer && token == ""
	case TwoHeaders:
		return len(v.r.Header.Values("Authorization")) > 1
	case AnyToken:
		return bearer && token != "" && !strings.Contains(token, ".")
	}
	return bearer && strings.Count(token, ".") == 2 && v.forged(token)
}

// forged reports whether the fault accepts a JWT with the right claims.
func (v *visit) forged(token string) bool {
	parts := strings.Split(token, ".")
	var header struct {
		Alg, Kid, JKU string
		JWK           *struct{ N, E string }
	}
	var claims struct{ Iss, Aud string }
	if !decode(parts[0], &header) || !decode(parts[1], &claims) || claims.Iss != v.Issuer(v.fault) ||
		claims.Aud != v.URL(v.fault) {
		return false
	}
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	text := []byte(parts[0] + "." + parts[1])
	sum := sha256.Sum256(text)
	hashed := func(secret []byte) bool {
		mac := hmac.New(sha256.New, secret)
		mac.Write(text)
		return header.Alg == "HS256" && hmac.Equal(mac.Sum(nil), signature)
	}
	switch v.fault {
	case FetchesKey:
		if resp, err := http.Get(header.JKU); err == nil {
			resp.Body.Close()
		}
	case AnyKey:
		return header.Alg == "RS256" && header.JWK == nil && len(signature) == 256
	case EmbeddedKey:
		return header.JWK != nil && rsa.VerifyPKCS1v15(&rsa.PublicKey{N: number(header.JWK.N),
			E: int(number(header.JWK.E).Int64())}, crypto.SHA256, sum[:], signature) == nil
	case KeyFile:
		return strings.HasSuffix(header.Kid, "/dev/null") && hashed(nil)
	case AlgNone:
		return header.Alg == "none"
	case AlgNoneCase:
		return header.Alg != "none" && strings.EqualFold(header.Alg, "none")
	case EmptySignature:
		return header.Alg == "RS256" && len(signature) == 0
	case PublicHMAC:
		return hashed(publicPEM())
	case TrimmedHMAC:
		return hashed(bytes.TrimSpace(publicPEM()))
	}
	return false
}

func decode(part string, into any) bool {
	text, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(text, into) == nil
}

func number(text string) *big.Int {
	raw, _ := base64.RawURLEncoding.DecodeString(text)
	return new(big.Int).SetBytes(raw)
}

// signingKey is the key of the authorization server.
var signingKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func publicPEM() []byte {
	der, err := x509.MarshalPKIXPublicKey(&signingKey().PublicKey)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// keys publishes the key of the authorization server.
func (v *visit) keys() {
	key := signingKey().PublicKey
	encode := base64.RawURLEncoding.EncodeToString
	v.json(http.StatusOK, map[string]any{"keys": []any{map[string]any{"kty": "RSA", "use": "sig", "alg": "RS256",
		"kid": "key-1", "n": encode(key.N.Bytes()), "e": encode(big.NewInt(int64(key.E)).Bytes())}}})
}
