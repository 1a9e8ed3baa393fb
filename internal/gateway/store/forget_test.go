package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

func drop(t *testing.T, s store.Store, name string) store.Record {
	t.Helper()
	records, err := s.Commit(t.Context(), store.Change{Key: store.Key{Server: "s", Name: name}, Seen: store.Any})
	if err != nil {
		t.Fatal(err)
	}
	return records[0]
}

func forget(t *testing.T, s store.Store, before time.Time, keep, want int) {
	t.Helper()
	if got, err := s.Prune(t.Context(), before, keep); got != want || err != nil {
		t.Errorf("Forget = %d (%v), want %d", got, err, want)
	}
}

// What was removed long ago is forgotten, and who has not heard of the removal is told that something is missing.
func TestOldRemovalsAreForgotten(t *testing.T) {
	past, future := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	eachAlone(t, func(t *testing.T, s store.Store) {
		put(t, s, "a", 0, "1")
		put(t, s, "a", 1, "2")
		before := put(t, s, "b", 0, "1")
		removed := drop(t, s, "a")
		forget(t, s, past, 100, 0)
		if changes, err := s.Since(t.Context(), before.Revision); err != nil || len(changes) != 1 ||
			changes[0].Body != nil {
			t.Errorf("before: %v (%v), want the removal", changes, err)
		}
		forget(t, s, future, 100, 1)
		forget(t, s, future, 100, 0)
		var gap *store.GapError
		if changes, err := s.Since(t.Context(), before.Revision); !errors.As(err, &gap) ||
			gap.Forgotten != removed.Revision {
			t.Errorf("after: %v (%v), want a gap up to %d", changes, err, removed.Revision)
		}
		if changes, err := s.Since(t.Context(), removed.Revision); err != nil || len(changes) != 0 {
			t.Errorf("since the removal: %v (%v), want nothing", changes, err)
		}
		if all, err := s.Since(t.Context(), 0); err != nil || len(all) != 1 {
			t.Errorf("all: %v (%v), want b", all, err)
		}
		if revision, err := s.Revision(t.Context()); revision != removed.Revision || err != nil {
			t.Errorf("Revision = %d (%v), want %d", revision, err, removed.Revision)
		}
		if again := put(t, s, "a", 0, "3"); again.Version != 1 || again.Revision != removed.Revision+1 {
			t.Errorf("a forgotten key comes back as version %d at revision %d, want 1 at %d", again.Version,
				again.Revision, removed.Revision+1)
		}
	})
}

// Of too many removals the oldest are forgotten, whatever their age; what is there is never touched.
func TestTooManyRemovalsAreForgotten(t *testing.T) {
	eachAlone(t, func(t *testing.T, s store.Store) {
		put(t, s, "stays", 0, "1")
		for i := range 5 {
			put(t, s, fmt.Sprint(i), 0, "1")
		}
		var removals []store.Record
		for i := range 5 {
			removals = append(removals, drop(t, s, fmt.Sprint(i)))
		}
		forget(t, s, time.Now().Add(-time.Hour), 2, 3)
		if changes, err := s.Since(t.Context(), removals[2].Revision); err != nil || len(changes) != 2 {
			t.Errorf("the last removals: %v (%v), want two", changes, err)
		}
		if again := put(t, s, "4", 0, "1"); again.Version != 2 {
			t.Errorf("a key that is remembered comes back as version %d, want 2", again.Version)
		}
		if _, err := s.Get(t.Context(), store.Key{Server: "s", Name: "stays"}); err != nil {
			t.Error(err)
		}
	})
}

// A store of the first schema is brought up to date; its removals count from now.
func TestRemovalsOfTheFirstSchema(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.db")
	keep(t, file, nil)
	executeSQLite(t, file, `
CREATE TABLE catalog_tools (
	server TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, revision INTEGER NOT NULL UNIQUE, body BLOB,
	PRIMARY KEY (server, name)
) WITHOUT ROWID;
CREATE TABLE catalog_state (revision INTEGER NOT NULL);
INSERT INTO catalog_state VALUES (2);
INSERT INTO catalog_tools VALUES ('s', 'gone', 7, 1, NULL), ('s', 'there', 3, 2, 'x');
PRAGMA user_version = 1;`)
	s := open(t, file)
	forget(t, s, time.Now().Add(-time.Minute), 100, 0)
	if got := put(t, s, "gone", 0, "1"); got.Version != 8 {
		t.Errorf("the removed key comes back as version %d, want 8", got.Version)
	}
	if got := put(t, s, "there", 3, "1"); got.Version != 4 {
		t.Errorf("the other key is at version %d, want 4", got.Version)
	}
}
