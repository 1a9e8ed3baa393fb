package access

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/MicahParks/jwkset"
	"golang.org/x/time/rate"
)

// How the keys of an issuer are cached.
const (
	keysMaxAge    = 10 * time.Minute // then they are fetched again, in the background
	fetchTimeout  = 10 * time.Second
	fetchWait     = 5 * time.Second // how long a request with an unknown key waits for a fetch
	fetchPause    = time.Second     // between fetches while there are no keys at all
	fetchInterval = 10 * time.Second
	fetchBurst    = 5 // burst of fetches for unknown keys; after that one per interval
	maxKeys       = 1 << 20
	unknownTTL    = time.Minute
	maxUnknown    = 1024
	minRSAKey     = 2048
)

// Why a key is not available.
var (
	errUnknownKey = errors.New("the token refers to an unknown key")
	errKeys       = errors.New("cannot fetch the issuer's keys")
)

// A keySet is the keys of an issuer. A request with a known key never waits. A fetch is independent of requests:
// cancelling a request does not stop it, and all requests that need it share the same one.
type keySet struct {
	url     string
	client  *http.Client
	fetches *rate.Limiter // for unknown keys

	mu       sync.Mutex // not held during a fetch
	keys     map[string]crypto.PublicKey
	fetched  time.Time            // when the keys were last fetched, or the last attempt
	fetching *keyFetch            // nil if none is in progress
	unknown  map[string]time.Time // when an unknown key was last searched for
}

// A keyFetch is one request to the issuer.
type keyFetch struct {
	done chan struct{}
	err  error // once done is closed
}

func newKeySet(url string, client *http.Client) *keySet {
	return &keySet{url: url, client: client, fetches: rate.NewLimiter(rate.Every(fetchInterval), fetchBurst),
		unknown: map[string]time.Time{}}
}

// find returns the key that a token refers to.
func (s *keySet) find(ctx context.Context, kid string) (crypto.PublicKey, error) {
	key, fetch, own, err := s.lookup(kid)
	if fetch == nil {
		return key, err
	}
	wait := time.NewTimer(fetchWait)
	defer wait.Stop()
	select {
	case <-fetch.done:
	case <-wait.C:
		return nil, errKeys
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if key, known := s.keys[kid]; known {
		return key, nil
	}
	if fetch.err != nil {
		return nil, fetch.err
	}
	if own { // a fetch that started earlier may have missed it
		s.rememberLocked(kid)
	}
	return nil, errUnknownKey
}

// lookup returns a known key, the error for an unknown one that is not fetched again yet, or the fetch to wait for.
func (s *keySet) lookup(kid string) (key crypto.PublicKey, fetch *keyFetch, own bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, known := s.keys[kid]
	switch {
	case known && time.Since(s.fetched) > keysMaxAge && s.fetching == nil:
		s.fetchLocked()
		return key, nil, false, nil
	case known:
		return key, nil, false, nil
	case time.Since(s.unknown[kid]) < unknownTTL:
		return nil, nil, false, errUnknownKey
	case s.fetching != nil:
		return nil, s.fetching, false, nil
	case s.keys == nil && time.Since(s.fetched) < fetchPause:
		return nil, nil, false, errKeys
	case s.keys != nil && !s.fetches.Allow():
		return nil, nil, false, errUnknownKey
	}
	return nil, s.fetchLocked(), true, nil
}

func (s *keySet) rememberLocked(kid string) {
	if len(s.unknown) >= maxUnknown {
		clear(s.unknown)
	}
	s.unknown[kid] = time.Now()
}

// fetchLocked starts a fetch. The response replaces the keys; a failure keeps them.
func (s *keySet) fetchLocked() *keyFetch {
	fetch := &keyFetch{done: make(chan struct{})}
	s.fetching, s.fetched = fetch, time.Now()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
		defer cancel()
		keys, err := s.fetch(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.fetching, fetch.err = nil, err; err == nil {
			s.keys = keys
			clear(s.unknown)
		}
		close(fetch.done)
	}()
	return fetch
}

func (s *keySet) fetch(ctx context.Context) (map[string]crypto.PublicKey, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errKeys, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxKeys+1))
	var set jwkset.JWKSMarshal
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errKeys, err)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%w: HTTP %d", errKeys, resp.StatusCode)
	case len(body) > maxKeys:
		return nil, fmt.Errorf("%w: more than %d bytes", errKeys, maxKeys)
	case json.Unmarshal(body, &set) != nil || set.Keys == nil:
		return nil, fmt.Errorf("%w: the response is not a JWK set", errKeys)
	}
	keys := map[string]crypto.PublicKey{}
	for _, marshaled := range set.Keys {
		if key := publicKey(marshaled); key != nil {
			keys[marshaled.KID] = key
		}
	}
	return keys, nil
}

// publicKey is a key that can verify a token; nil for one of another kind or use, or one that is too weak.
func publicKey(marshaled jwkset.JWKMarshal) crypto.PublicKey {
	read, err := jwkset.NewJWKFromMarshal(marshaled, jwkset.JWKMarshalOptions{}, jwkset.JWKValidateOptions{})
	if err != nil || marshaled.USE == jwkset.UseEnc {
		return nil
	}
	switch key := read.Key().(type) {
	case *rsa.PublicKey:
		if key.N.BitLen() >= minRSAKey {
			return key
		}
	case *ecdsa.PublicKey:
		if key.Curve == elliptic.P256() {
			return key
		}
	case ed25519.PublicKey:
		return key
	}
	return nil
}
