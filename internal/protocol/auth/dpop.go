package auth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// A dpopSigner proves possession of a token's key with each request (DPoP, RFC 9449): a stolen token alone is
// useless. It is safe for concurrent use.
type dpopSigner struct {
	key *Key
	jwk map[string]any // the public half

	mu     sync.Mutex
	nonces map[string]string // required by servers, by origin
}

// newSigner creates a signer with a new key.
func newSigner() (*dpopSigner, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return signerOf(key)
}

// parseSigner returns the signer of a stored key.
func parseSigner(text string) (*dpopSigner, error) {
	key, err := ParseKey([]byte(text))
	if err != nil {
		return nil, err
	}
	ec, ok := key.signer.(*ecdsa.PrivateKey)
	if !ok || key.algorithm != "ES256" {
		return nil, fmt.Errorf("stored key: got kind %s, expected ES256", key.algorithm)
	}
	return signerOf(ec)
}

func signerOf(key *ecdsa.PrivateKey) (*dpopSigner, error) {
	public, err := key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		return nil, err
	}
	part := func(from, to int) string { return base64.RawURLEncoding.EncodeToString(public[from:to]) }
	return &dpopSigner{key: &Key{key, "ES256"}, nonces: map[string]string{},
		jwk: map[string]any{"kty": "EC", "crv": "P-256", "x": part(1, 33), "y": part(33, 65)}}, nil
}

// pem encodes the key for storage.
func (p *dpopSigner) pem() (string, error) {
	raw, err := x509.MarshalPKCS8PrivateKey(p.key.signer)
	if err != nil {
		return "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})), nil
}

// proof returns a proof for one request. The token is empty in a token request.
func (p *dpopSigner) proof(method string, u *url.URL, token string) (string, error) {
	claims := map[string]any{"jti": rand.Text(), "htm": method, "htu": u.Scheme + "://" + u.Host + u.EscapedPath(),
		"iat": time.Now().Unix()}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		claims["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	p.mu.Lock()
	if nonce := p.nonces[originOf(u)]; nonce != "" {
		claims["nonce"] = nonce
	}
	p.mu.Unlock()
	return p.key.sign(map[string]any{"typ": "dpop+jwt", "alg": "ES256", "jwk": p.jwk}, claims)
}

// updateNonce stores the nonce of a response, and reports whether it is new.
func (p *dpopSigner) updateNonce(u *url.URL, header http.Header) bool {
	nonce := header.Get("Dpop-Nonce")
	p.mu.Lock()
	defer p.mu.Unlock()
	if nonce == "" || p.nonces[originOf(u)] == nonce {
		return false
	}
	p.nonces[originOf(u)] = nonce
	return true
}
