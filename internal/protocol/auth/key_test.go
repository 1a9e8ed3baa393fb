package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
)

func encode(t *testing.T, key any) []byte {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
}

// Assertions of every kind of key verify, and say who, to whom and for how long.
func TestAssertions(t *testing.T) {
	p256, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	p384, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	rsaKey, _ := rsa.GenerateKey(rand.Reader, 2048)
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	for algorithm, key := range map[string]crypto.Signer{"ES256": p256, "ES384": p384, "RS256": rsaKey, "EdDSA": ed} {
		k, err := ParseKey(encode(t, key))
		if err != nil {
			t.Fatalf("%s: %v", algorithm, err)
		}
		text, err := k.assertion("me", "https://issuer.example")
		if err != nil {
			t.Fatalf("%s: %v", algorithm, err)
		}
		parts := strings.Split(text, ".")
		var header struct{ Alg string }
		var claims struct {
			Iss, Sub, Aud, Jti string
			Iat, Exp           int64
		}
		decode(t, parts[0], &header)
		decode(t, parts[1], &claims)
		if header.Alg != algorithm || claims.Iss != "me" || claims.Sub != "me" ||
			claims.Aud != "https://issuer.example" || claims.Jti == "" || claims.Exp-claims.Iat != 120 {
			t.Errorf("%s: header %+v, claims %+v", algorithm, header, claims)
		}
		signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
		if !verifies(key.Public(), []byte(parts[0]+"."+parts[1]), signature) {
			t.Errorf("%s: the signature does not verify", algorithm)
		}
	}
}

func decode(t *testing.T, part string, into any) {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func verifies(public crypto.PublicKey, text, signature []byte) bool {
	short, long := sha256.Sum256(text), sha512.Sum384(text)
	switch key := public.(type) {
	case *ecdsa.PublicKey:
		hash := short[:]
		if key.Curve == elliptic.P384() {
			hash = long[:]
		}
		half := len(signature) / 2
		return ecdsa.Verify(key, hash, new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:]))
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, short[:], signature) == nil
	case ed25519.PublicKey:
		return ed25519.Verify(key, text, signature)
	}
	return false
}

func TestParseKeyRefuses(t *testing.T) {
	p521, _ := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	for name, text := range map[string][]byte{"no PEM": []byte("hello"),
		"no key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")}), "P-521": encode(t, p521)} {
		if _, err := ParseKey(text); err == nil {
			t.Errorf("%s: ParseKey worked", name)
		}
	}
}
