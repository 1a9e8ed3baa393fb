package access

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// The burst is what the config says, or one second of calls, and never less than one.
func TestNewLimit(t *testing.T) {
	for _, c := range []struct {
		rate        float64
		burst, want int
	}{{10, 3, 3}, {10, 0, 10}, {2.5, 0, 3}, {0.1, 0, 1}, {10, -1, 10}, {10, 1, 1}} {
		if got := newLimit(c.rate, c.burst); got.Burst() != c.want || float64(got.Limit()) != c.rate {
			t.Errorf("rate %v, burst %d: %v and %d, expected a burst of %d", c.rate, c.burst, got.Limit(), got.Burst(),
				c.want)
		}
	}
}

// Rejections say what a client can do, and are counted by status.
func TestRejections(t *testing.T) {
	p, err := New(Config{Callers: []CallerConfig{{Name: "ada", TokenSHA256: hash("t")}}})
	if err != nil {
		t.Fatal(err)
	}
	for status, header := range map[int][2]string{
		http.StatusServiceUnavailable: {"Retry-After", "5"}, http.StatusUnauthorized: {"WWW-Authenticate", "Bearer"},
	} {
		w := httptest.NewRecorder()
		p.refuse(w, status, "")
		if w.Code != status || !strings.HasPrefix(w.Header().Get(header[0]), header[1]) {
			t.Errorf("%d: %d %v, expected %v", status, w.Code, w.Header(), header)
		}
	}
	for _, status := range []int{http.StatusForbidden, http.StatusForbidden, http.StatusTooManyRequests} {
		p.refused.count(status)
	}
	var b strings.Builder
	p.WriteMetrics(&b)
	const name = "mcptest_gateway_refused_requests_total"
	want := "# HELP " + name + " Rejected requests.\n# TYPE " + name + " counter\n" + name + "{status=\"401\"} 1\n" +
		name + "{status=\"403\"} 2\n" + name + "{status=\"429\"} 1\n" + name + "{status=\"503\"} 1\n"
	if b.String() != want {
		t.Errorf("metrics\n%s\nexpected\n%s", b.String(), want)
	}
}

// lookup decides by the age of what is known whether a key is returned, refused, or fetched.
func TestLookup(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	fresh := func() *keySet {
		s := newKeySet(dead.URL, http.DefaultClient)
		s.keys, s.fetched = nil, time.Now().Add(-2*fetchPause)
		return s
	}
	settle := func(f *keyFetch) {
		if f != nil {
			<-f.done
		}
	}
	s := fresh()
	_, fetch, own, err := s.lookup("a")
	if fetch == nil || !own || err != nil {
		t.Errorf("without keys: %v, own %v, %v; expected a fetch of its own", fetch, own, err)
	}
	settle(fetch)
	if _, fetch, own, err := s.lookup("a"); fetch != nil || own || !errors.Is(err, errKeys) {
		t.Errorf("right after a failed fetch: %v, own %v, %v; expected %v", fetch, own, err, errKeys)
	}
	s = fresh()
	s.unknown["a"] = time.Now().Add(-unknownTTL / 2)
	if _, fetch, own, err := s.lookup("a"); fetch != nil || own || !errors.Is(err, errUnknownKey) {
		t.Errorf("a key that was searched for: %v, own %v, %v; expected %v", fetch, own, err, errUnknownKey)
	}
	s.unknown["a"] = time.Now().Add(-2 * unknownTTL)
	_, fetch, own, err = s.lookup("a")
	if fetch == nil || !own || err != nil {
		t.Errorf("long after it was searched for: %v, own %v, %v; expected a fetch", fetch, own, err)
	}
	settle(fetch)
	s = fresh()
	running := &keyFetch{done: make(chan struct{})}
	s.fetching = running
	if _, fetch, own, err := s.lookup("a"); fetch != running || own || err != nil {
		t.Errorf("during a fetch: %v, own %v, %v; expected that fetch, of another request", fetch, own, err)
	}
}

// A successful fetch ends the memory of unknown keys: the issuer may have added them.
func TestFetchForgetsUnknownKeys(t *testing.T) {
	m := newMoody(t)
	s := newKeySet(m.front.URL, http.DefaultClient)
	s.unknown["new"] = time.Now()
	s.mu.Lock()
	fetch := s.fetchLocked()
	s.mu.Unlock()
	<-fetch.done
	if fetch.err != nil || len(s.keys) == 0 || len(s.unknown) != 0 {
		t.Errorf("%v, %d keys, unknown %v; expected keys and nothing unknown", fetch.err, len(s.keys), s.unknown)
	}
}

// The memory of unknown keys is bounded.
func TestUnknownKeysAreBounded(t *testing.T) {
	s := newKeySet("", nil)
	for i := range maxUnknown {
		s.rememberLocked(strings.Repeat("k", i))
	}
	if len(s.unknown) != maxUnknown {
		t.Errorf("%d remembered, expected %d", len(s.unknown), maxUnknown)
	}
	if s.rememberLocked("one more"); len(s.unknown) != 1 {
		t.Errorf("%d remembered after the limit, expected 1", len(s.unknown))
	}
}
