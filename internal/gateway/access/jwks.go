package access

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"sync"
	"time"
)

// How often the issuer is asked for its keys.
const (
	keysLast  = 10 * time.Minute
	keysPause = 10 * time.Second // at least, whatever keys tokens name
)

// A keySet is the keys of an issuer.
type keySet struct {
	url    string
	client *http.Client

	mu    sync.Mutex
	keys  map[string]crypto.PublicKey
	asked time.Time
}

// find returns the key that a token names. An unknown one makes us ask again, but not as often as somebody sends it.
func (s *keySet) find(ctx context.Context, kid string) (crypto.PublicKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, known := s.keys[kid]
	age := time.Since(s.asked)
	if !known && age > keysPause || age > keysLast {
		s.asked = time.Now()
		if keys, err := s.fetch(ctx); err == nil {
			s.keys = keys
		} else if s.keys == nil {
			return nil, err
		}
		key, known = s.keys[kid]
	}
	if !known {
		return nil, errors.New("the token names an unknown key")
	}
	return key, nil
}

func (s *keySet) fetch(ctx context.Context) (map[string]crypto.PublicKey, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch the issuer's keys: %w", err)
	}
	defer resp.Body.Close()
	var set struct {
		Keys []jwk `json:"keys"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&set); err != nil || resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch the issuer's keys: HTTP %d (%v)", resp.StatusCode, err)
	}
	keys := map[string]crypto.PublicKey{}
	for _, k := range set.Keys {
		if key := k.public(); key != nil && k.Use != "enc" {
			keys[k.Kid] = key
		}
	}
	return keys, nil
}

// A jwk is a key as issuers publish it.
type jwk struct {
	Kty, Crv, Kid, Use string
	N, E, X, Y         string
}

// public is the key; nil if it is of no kind that we take.
func (k jwk) public() crypto.PublicKey {
	number := func(text string) *big.Int {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			return new(big.Int)
		}
		return new(big.Int).SetBytes(raw)
	}
	switch {
	case k.Kty == "RSA" && number(k.E).IsInt64() && number(k.E).Int64() > 1 && number(k.E).Int64() < 1<<31:
		return &rsa.PublicKey{N: number(k.N), E: int(number(k.E).Int64())}
	case k.Kty == "EC" && k.Crv == "P-256":
		x, y := number(k.X), number(k.Y)
		if x.BitLen() > 256 || y.BitLen() > 256 {
			return nil
		}
		point := append([]byte{4}, append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...)...)
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
		if err != nil {
			return nil
		}
		return key
	case k.Kty == "OKP" && k.Crv == "Ed25519":
		if raw, err := base64.RawURLEncoding.DecodeString(k.X); err == nil && len(raw) == ed25519.PublicKeySize {
			return ed25519.PublicKey(raw)
		}
	}
	return nil
}
