package access

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func b64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// An issuer signs tokens and publishes its keys.
type issuer struct {
	url   string
	keys  string // as they are published
	asked atomic.Int64
	rsa   *rsa.PrivateKey
	ec    *ecdsa.PrivateKey
	ed    ed25519.PrivateKey
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{}
	i.rsa, _ = rsa.GenerateKey(rand.Reader, 2048)
	i.ec, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, i.ed, _ = ed25519.GenerateKey(rand.Reader)
	point, err := i.ec.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	i.keys = fmt.Sprintf(`{"keys":[{"kty":"RSA","kid":"r","n":%q,"e":%q},{"kty":"EC","crv":"P-256","kid":"e","x":%q,`+
		`"y":%q},{"kty":"OKP","crv":"Ed25519","kid":"d","x":%q},{"kty":"oct","kid":"o","k":"c2VjcmV0"}]}`,
		b64(i.rsa.N.Bytes()), b64(big.NewInt(int64(i.rsa.E)).Bytes()), b64(point[1:33]), b64(point[33:]),
		b64(i.ed.Public().(ed25519.PublicKey)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		i.asked.Add(1)
		fmt.Fprint(w, i.keys)
	}))
	t.Cleanup(server.Close)
	i.url = server.URL
	return i
}

// token makes a token; alg names the key too.
func (i *issuer) token(alg, kid string, claims map[string]any) string {
	header, _ := json.Marshal(map[string]string{"alg": alg, "kid": kid})
	body, _ := json.Marshal(claims)
	text := b64(header) + "." + b64(body)
	sum := sha256.Sum256([]byte(text))
	var signature []byte
	switch alg {
	case "RS256":
		signature, _ = rsa.SignPKCS1v15(rand.Reader, i.rsa, crypto.SHA256, sum[:])
	case "ES256":
		r, s, _ := ecdsa.Sign(rand.Reader, i.ec, sum[:])
		signature = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	case "EdDSA":
		signature = ed25519.Sign(i.ed, []byte(text))
	}
	return text + "." + b64(signature)
}

// A token lets its bearer in only if it is of our issuer, for us, of now, for a caller that we know (A10).
func TestA10JWT(t *testing.T) {
	i := newIssuer(t)
	p, err := New(Config{JWT: &JWTConfig{Issuer: i.url, Audience: "https://gateway.example.com/mcp",
		JWKS: i.url + "/keys", Scope: "tools"},
		Callers: []CallerConfig{{Name: "ada", Subject: "user-1"}, {Name: "bob", TokenSHA256: hash("plain")}}})
	if err != nil {
		t.Fatal(err)
	}
	handler := p.Require(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		fmt.Fprint(w, CallerOf(r.Context()))
	}))
	claims := func(change ...any) map[string]any {
		c := map[string]any{"iss": i.url, "aud": "https://gateway.example.com/mcp", "sub": "user-1",
			"exp": time.Now().Add(time.Hour).Unix(), "scope": "other tools"}
		for n := 0; n+1 < len(change); n += 2 {
			c[change[n].(string)] = change[n+1]
		}
		return c
	}
	good := i.token("ES256", "e", claims())
	parts := strings.Split(good, ".")
	elevated, _ := json.Marshal(claims("sub", "root"))
	for name, test := range map[string]struct {
		token   string
		status  int
		problem string
	}{
		"RS256": {i.token("RS256", "r", claims()), 200, ""},
		"ES256": {good, 200, ""},
		"EdDSA": {i.token("EdDSA", "d", claims("aud", []string{"x", "https://gateway.example.com/mcp"})),
			200, ""},
		"other audience": {i.token("ES256", "e", claims("aud", "https://other.example.com/mcp")), 401,
			"invalid_token"},
		"other issuer": {i.token("ES256", "e", claims("iss", i.url+"/")), 401, "invalid_token"},
		"expired": {i.token("ES256", "e", claims("exp", time.Now().Add(-time.Minute).Unix())), 401,
			"invalid_token"},
		"no expiry": {i.token("ES256", "e", claims("exp", nil)), 401, "invalid_token"},
		"not yet": {i.token("ES256", "e", claims("nbf", time.Now().Add(time.Hour).Unix())), 401,
			"invalid_token"},
		"no subject":        {i.token("ES256", "e", claims("sub", "")), 401, "invalid_token"},
		"alg none":          {i.token("none", "e", claims()), 401, "invalid_token"},
		"alg HS256":         {i.token("HS256", "o", claims()), 401, "invalid_token"},
		"key of another":    {i.token("RS256", "e", claims()), 401, "invalid_token"},
		"unknown key":       {i.token("ES256", "zzz", claims()), 401, "invalid_token"},
		"changed claims":    {parts[0] + "." + b64(elevated) + "." + parts[2], 401, "invalid_token"},
		"no signature":      {parts[0] + "." + parts[1] + ".", 401, "invalid_token"},
		"garbage":           {"a.b.c", 401, "invalid_token"},
		"opaque":            {"opaque-garbage", 401, "invalid_token"},
		"scope too small":   {i.token("ES256", "e", claims("scope", "toolsx")), 403, "insufficient_scope"},
		"unknown caller":    {i.token("ES256", "e", claims("sub", "user-2")), 403, "insufficient_scope"},
		"a plain token":     {"plain", 200, ""},
		"a name as a token": {"ada", 401, "invalid_token"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Header.Set("Authorization", "Bearer "+test.token)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		said := w.Header().Get("WWW-Authenticate")
		if w.Code != test.status || test.problem != "" && !strings.Contains(said, `error="`+test.problem+`"`) {
			t.Errorf("%s: %d %q, want %d %s", name, w.Code, said, test.status, test.problem)
		}
		if w.Code != 200 && !strings.Contains(said,
			`resource_metadata="https://gateway.example.com/.well-known/oauth-protected-resource"`) {
			t.Errorf("%s: %q names no metadata", name, said)
		}
	}
	if n := i.asked.Load(); n > 2 {
		t.Errorf("the issuer was asked %d times for its keys, want once or twice", n)
	}
	if !strings.Contains(string(p.Metadata()), `"authorization_servers":["`+i.url+`"]`) {
		t.Errorf("metadata %s", p.Metadata())
	}
	for _, bad := range []JWTConfig{{}, {Issuer: "http://evil.example", Audience: "https://g.example",
		JWKS: "https://i.example"}} {
		if _, err := New(Config{JWT: &bad}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}
