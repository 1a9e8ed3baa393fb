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
	"errors"
	"fmt"
	"time"
)

// assertionLife is the lifetime of a signed assertion.
const assertionLife = 2 * time.Minute

// A Key is a private key that authenticates a client (RFC 7523).
type Key struct {
	signer    crypto.Signer
	algorithm string
}

// ParseKey parses a private key in PEM format: EC on P-256 or P-384, RSA, or Ed25519.
func ParseKey(text []byte) (*Key, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("not a PEM file: expected one that begins with BEGIN PRIVATE KEY")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		if ec, ecErr := x509.ParseECPrivateKey(block.Bytes); ecErr == nil {
			parsed = ec
		} else if old, rsaErr := x509.ParsePKCS1PrivateKey(block.Bytes); rsaErr == nil {
			parsed = old
		} else {
			return nil, fmt.Errorf("not a private key: %w", err)
		}
	}
	switch k := parsed.(type) {
	case *ecdsa.PrivateKey:
		switch k.Curve {
		case elliptic.P256():
			return &Key{k, "ES256"}, nil
		case elliptic.P384():
			return &Key{k, "ES384"}, nil
		}
	case *rsa.PrivateKey:
		return &Key{k, "RS256"}, nil
	case ed25519.PrivateKey:
		return &Key{k, "EdDSA"}, nil
	}
	return nil, errors.New("unsupported key type: expected EC on P-256 or P-384, RSA, or Ed25519")
}

// assertion returns a signed client assertion for one audience and a short time.
func (k *Key) assertion(client, audience string) (string, error) {
	now := time.Now()
	return k.sign(map[string]any{"alg": k.algorithm, "typ": "JWT"},
		map[string]any{"iss": client, "sub": client, "aud": audience,
			"jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(assertionLife).Unix()})
}

func (k *Key) sign(header, claims map[string]any) (string, error) {
	var text string
	for _, part := range []map[string]any{header, claims} {
		raw, err := json.Marshal(part)
		if err != nil {
			return "", err
		}
		if text != "" {
			text += "."
		}
		text += base64.RawURLEncoding.EncodeToString(raw)
	}
	signature, err := k.signature([]byte(text))
	if err != nil {
		return "", fmt.Errorf("sign with the client's key: %w", err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// signature signs as required by JWS: for EC both numbers concatenated, each in full length.
func (k *Key) signature(text []byte) ([]byte, error) {
	switch key := k.signer.(type) {
	case *ecdsa.PrivateKey:
		digest := sha256.Sum256(text)
		hash := digest[:]
		if k.algorithm == "ES384" {
			long := sha512.Sum384(text)
			hash = long[:]
		}
		r, s, err := ecdsa.Sign(rand.Reader, key, hash)
		if err != nil {
			return nil, err
		}
		size := (key.Curve.Params().BitSize + 7) / 8
		out := make([]byte, 2*size)
		r.FillBytes(out[:size])
		s.FillBytes(out[size:])
		return out, nil
	case *rsa.PrivateKey:
		digest := sha256.Sum256(text)
		return rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])
	}
	return k.signer.Sign(rand.Reader, text, crypto.Hash(0))
}
