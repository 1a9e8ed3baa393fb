package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// proofOf reads a proof and checks its signature.
func proofOf(t *testing.T, p *dpopSigner, text string) (claims struct {
	Jti, Htm, Htu, Ath, Nonce string
	Iat                       int64
}) {
	t.Helper()
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		t.Fatalf("proof %q", text)
	}
	var header struct {
		Typ, Alg string
		JWK      map[string]string
	}
	decode(t, parts[0], &header)
	decode(t, parts[1], &claims)
	if header.Typ != "dpop+jwt" || header.Alg != "ES256" || header.JWK["kty"] != "EC" || len(header.JWK["x"]) != 43 ||
		len(header.JWK["y"]) != 43 || header.JWK["d"] != "" {
		t.Errorf("header %+v", header)
	}
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	if !verifies(p.key.signer.Public(), []byte(parts[0]+"."+parts[1]), signature) {
		t.Error("the signature does not verify")
	}
	return claims
}

// A proof is for one request, one token and the server's nonce; the key can be kept.
func TestProof(t *testing.T) {
	first, err := newSigner()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := first.pem()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parseSigner(kept)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse("https://host.example/mcp?tenant=1#x")
	one, _ := p.proof("POST", u, "the-token")
	two, _ := p.proof("POST", u, "the-token")
	a, b := proofOf(t, p, one), proofOf(t, p, two)
	sum := sha256.Sum256([]byte("the-token"))
	if a.Htm != "POST" || a.Htu != "https://host.example/mcp" ||
		a.Ath != base64.RawURLEncoding.EncodeToString(sum[:]) || a.Nonce != "" || a.Jti == b.Jti {
		t.Errorf("proofs %+v and %+v", a, b)
	}
	if !p.updateNonce(u, http.Header{"Dpop-Nonce": {"n1"}}) || p.updateNonce(u, http.Header{"Dpop-Nonce": {"n1"}}) ||
		p.updateNonce(u, http.Header{}) {
		t.Error("a nonce is news once")
	}
	three, _ := p.proof("GET", u, "")
	if c := proofOf(t, p, three); c.Nonce != "n1" || c.Ath != "" {
		t.Errorf("with a nonce: %+v", c)
	}
	other, _ := url.Parse("https://other.example/")
	four, _ := p.proof("GET", other, "")
	if c := proofOf(t, p, four); c.Nonce != "" {
		t.Errorf("the nonce of one server was told to another: %+v", c)
	}
}

// A token that is bound to a key goes out as such, with a fresh proof each time, and to its own server alone.
func TestBoundToken(t *testing.T) {
	first, _ := newSigner()
	kept, _ := first.pem()
	f, err := New(Options{Server: "https://host.example/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	c := NewCredentials(f, nil, &Grant{Server: "https://host.example/mcp", AccessToken: "bound", DPoP: true, Key: kept})
	seen := map[string]bool{}
	for range 2 {
		req, _ := http.NewRequest(http.MethodPost, "https://host.example/mcp", nil)
		c.Authorize(req)
		proof := req.Header.Get("DPoP")
		if req.Header.Get("Authorization") != "DPoP bound" || proof == "" || seen[proof] {
			t.Errorf("header %v", req.Header)
		}
		seen[proof] = true
	}
	req, _ := http.NewRequest(http.MethodPost, "https://host.example.evil/mcp", nil)
	if c.Authorize(req); len(req.Header) != 0 {
		t.Errorf("another server got %v", req.Header)
	}
}
