package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

// An engine makes addresses of fresh, empty stores.
type engine struct {
	name  string
	fresh func(t *testing.T) string
}

// stores are the engines that keep something, and can be opened twice.
var stores = []engine{
	{"sqlite", func(t *testing.T) string { return filepath.Join(t.TempDir(), "a folder", "catalog?&#.db") }},
	{"postgres", postgres.Fresh},
}

// each runs a test on a fresh store of each engine; open opens it once more.
func each(t *testing.T, test func(t *testing.T, open func() store.Store)) {
	t.Helper()
	for _, e := range stores {
		t.Run(e.name, func(t *testing.T) {
			address := e.fresh(t)
			test(t, func() store.Store { return open(t, address) })
		})
	}
}

// eachAlone is each, with the store in memory too.
func eachAlone(t *testing.T, test func(t *testing.T, s store.Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, &store.Memory{}) })
	each(t, func(t *testing.T, open func() store.Store) { test(t, open()) })
}

func open(t testing.TB, address string) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func put(t *testing.T, s store.Store, name string, seen int, body string) store.Record {
	t.Helper()
	records, err := s.Commit(t.Context(), store.Change{Key: store.Key{Server: "s", Name: name}, Seen: seen,
		Body: []byte(body)})
	if err != nil {
		t.Fatalf("Commit(%s, seen %d) = %v", name, seen, err)
	}
	return records[0]
}

func TestWhatIsCommittedIsThere(t *testing.T) {
	eachAlone(t, func(t *testing.T, s store.Store) {
		body := "{ \"a\" : 1.0e2, \"x\":\"\xff\\u0000\" }" // neither reformatted nor repaired
		want := put(t, s, "Ünï'\"%_", 0, body)
		got, err := s.Get(t.Context(), want.Key)
		if diff := cmp.Diff(got, want); err != nil || diff != "" {
			t.Errorf("Get: %v, got - want +\n%s", err, diff)
		}
		if want.Version != 1 || string(got.Body) != body {
			t.Errorf("got version %d and body %q, want 1 and %q", want.Version, got.Body, body)
		}
	})
}

func TestVersionsAreComparedAndSet(t *testing.T) {
	eachAlone(t, func(t *testing.T, s store.Store) {
		key := store.Key{Server: "s", Name: "a"}
		change := func(seen int, body []byte) error {
			_, err := s.Commit(t.Context(), store.Change{Key: key, Seen: seen, Body: body})
			return err
		}
		body := []byte("{}")
		check := func(what string, err error, want error) {
			t.Helper()
			if diff := cmp.Diff(err, want); diff != "" {
				t.Errorf("%s: got %v, want %v", what, err, want)
			}
		}
		check("remove what was never there", change(store.Any, nil), &store.NotFoundError{Key: key})
		check("update what was never there", change(1, body), &store.ConflictError{Key: key, Seen: 1})
		check("add", change(0, body), nil)
		check("add again", change(0, body), &store.ConflictError{Key: key, Actual: 1})
		check("update", change(1, body), nil)
		check("update a stale version", change(1, body), &store.ConflictError{Key: key, Seen: 1, Actual: 2})
		check("remove a stale version", change(1, nil), &store.ConflictError{Key: key, Seen: 1, Actual: 2})
		check("remove", change(2, nil), nil)
		check("remove again", change(store.Any, nil), &store.NotFoundError{Key: key})
		check("update what is gone", change(2, body), &store.ConflictError{Key: key, Seen: 2})
		check("add anew", change(0, body), nil)
		if r, err := s.Get(t.Context(), key); err != nil || r.Version != 3 {
			t.Errorf("added anew: version %d (%v), want 3: a version seen before the removal must not fit", r.Version,
				err)
		}
		check("update whichever", change(store.Any, body), nil)
	})
}

func TestCommitIsAllOrNothing(t *testing.T) {
	eachAlone(t, func(t *testing.T, s store.Store) {
		put(t, s, "there", 0, "{}")
		_, err := s.Commit(t.Context(),
			store.Change{Key: store.Key{Server: "s", Name: "new"}, Body: []byte("{}")},
			store.Change{Key: store.Key{Server: "s", Name: "there"}, Body: []byte("{}")})
		var conflict *store.ConflictError
		if !errors.As(err, &conflict) || conflict.Key.Name != "there" {
			t.Errorf("Commit = %v, want a conflict over there", err)
		}
		var missing *store.NotFoundError
		if _, err := s.Get(t.Context(), store.Key{Server: "s", Name: "new"}); !errors.As(err, &missing) {
			t.Errorf("Get(new) = %v, want not found: the commit failed", err)
		}
	})
}

func TestSinceGivesChangesInTheirOrder(t *testing.T) {
	eachAlone(t, func(t *testing.T, s store.Store) {
		put(t, s, "b", 0, "1")
		mark := put(t, s, "a", 0, "2")
		put(t, s, "c", 0, "3")
		put(t, s, "b", 1, "4")
		if _, err := s.Commit(t.Context(), store.Change{Key: mark.Key, Seen: store.Any}); err != nil {
			t.Fatal(err)
		}
		for since, want := range map[int64]string{0: "c=3 b=4", mark.Revision: "c=3 b=4 a=gone"} {
			if got := changes(t, s, since); got != want {
				t.Errorf("Since(%d) = %s, want %s", since, got, want)
			}
		}
	})
}

func changes(t *testing.T, s store.Store, since int64) string {
	t.Helper()
	records, err := s.Since(t.Context(), since)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		body := "gone"
		if r.Body != nil {
			body = string(r.Body)
		}
		out = append(out, r.Key.Name+"="+body)
	}
	return strings.Join(out, " ")
}

func TestAChangeReachesAnotherReplicaWithinASecond(t *testing.T) {
	each(t, func(t *testing.T, open func() store.Store) {
		here, there := open(), open()
		told := there.Watch(t.Context())
		var known int64
		quickest := time.Hour // what else the machine does may hold up one or the other
		for i := range 5 {
			r := put(t, here, fmt.Sprint(i), 0, "{}")
			made, hung := time.Now(), time.After(30*time.Second)
			for known < r.Revision {
				select {
				case <-told:
				case <-hung:
					t.Fatalf("change %d did not arrive", i)
				}
				records, err := there.Since(t.Context(), known)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					known = r.Revision
				}
			}
			quickest = min(quickest, time.Since(made))
		}
		if quickest > time.Second {
			t.Errorf("the quickest of 5 changes arrived after %v, want within a second", quickest)
		}
	})
}

func TestWatchEndsWithItsContextAndWithTheStore(t *testing.T) {
	eachAlone(t, func(t *testing.T, s store.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		first, second := s.Watch(ctx), s.Watch(t.Context())
		cancel()
		for range first {
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		for range second {
		}
		var closed *store.ClosedError
		if _, err := s.Commit(t.Context(), store.Change{Key: store.Key{Name: "a"}, Body: []byte("{}")}); !errors.As(err,
			&closed) {
			t.Errorf("Commit after Close = %v, want a ClosedError", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close again = %v", err)
		}
	})
}

// Whoever wins a race over a version, exactly one does.
func TestOneOfManyWritersWins(t *testing.T) {
	each(t, func(t *testing.T, open func() store.Store) {
		replicas := []store.Store{open(), open()}
		put(t, replicas[0], "a", 0, "{}")
		for version := 1; version <= 10; version++ {
			var mu sync.Mutex
			var wg sync.WaitGroup
			won := 0
			for i := range 8 {
				wg.Go(func() {
					_, err := replicas[i%2].Commit(t.Context(),
						store.Change{Key: store.Key{Server: "s", Name: "a"}, Seen: version, Body: []byte("{}")})
					var conflict *store.ConflictError
					if err != nil && !errors.As(err, &conflict) {
						t.Errorf("Commit = %v, want success or a conflict", err)
					}
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						won++
					}
				})
			}
			wg.Wait()
			if won != 1 {
				t.Fatalf("version %d: %d writers won, want 1", version, won)
			}
		}
	})
}

func TestWhatWasCommittedOutlivesTheStore(t *testing.T) {
	each(t, func(t *testing.T, open func() store.Store) {
		s := open()
		put(t, s, "a", 0, "{}")
		put(t, s, "a", 1, "{\"n\":2}")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := open().Get(t.Context(), store.Key{Server: "s", Name: "a"})
		if err != nil || r.Version != 2 || string(r.Body) != "{\"n\":2}" {
			t.Errorf("Get after reopening = version %d, %s, %v; want version 2", r.Version, r.Body, err)
		}
	})
}
