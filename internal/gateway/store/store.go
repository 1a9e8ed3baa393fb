// Package store persists the catalog: records under (server, name), each with a version that only increases. Writes are
// compare-and-set, and durable when they return. There are stores in memory, in an SQLite file and in PostgreSQL.
package store

import (
	"context"
	"fmt"
	"time"
)

// A Key identifies a record.
type Key struct{ Server, Name string }

// String formats the key as server/name, or as the name alone if there is no server.
func (k Key) String() string {
	if k.Server == "" {
		return k.Name
	}
	return k.Server + "/" + k.Name
}

// AccountMark starts the server of the key of an encrypted account. No server in a config has such a name.
const AccountMark = "\x01account/"

// A Record is the value under a key.
type Record struct {
	Key Key
	// from 1; it keeps increasing when a removed key is used again, so that an outdated version never matches
	Version  int
	Revision int64  // the position of the last change in the order of all changes to the store
	Body     []byte // nil if the record was removed
}

// Any is the expected version of an unconditional change.
const Any = -1

// A Change is one write.
type Change struct {
	Key  Key
	Seen int    // the expected version: 0 for none, Any for any
	Body []byte // nil removes
}

// A Store stores records. Reads are never older than what was acknowledged before the call, to any process.
type Store interface {
	// Get returns a record, or a *NotFoundError.
	Get(ctx context.Context, key Key) (Record, error)
	// Since returns the records that changed after a revision, including removed ones, in the order of their revisions;
	// since 0 it returns all existing ones. A *GapError means that removals after that revision have been pruned.
	Since(ctx context.Context, revision int64) ([]Record, error)
	// Revision returns the revision of the last change. Since 0 includes all changes up to it.
	Revision(ctx context.Context) (int64, error)
	// Prune prunes the records that were removed before a time, and all but the last n that were removed. It returns
	// how many were pruned. The version of a pruned key starts at 1 again.
	Prune(ctx context.Context, before time.Time, keep int) (int, error)
	// Commit applies all changes or none, durably, and returns the new records. A *ConflictError means that a version
	// was not the expected one.
	Commit(ctx context.Context, changes ...Change) ([]Record, error)
	// Watch returns a channel that has an element when something may have changed, in any process. It is closed when
	// the context ends or the store is closed.
	Watch(ctx context.Context) <-chan struct{}
	Close() error
}

// A NotFoundError means that there is no such record.
type NotFoundError struct{ Key Key }

// Error includes the key.
func (e *NotFoundError) Error() string { return fmt.Sprintf("%s is not in the store", e.Key) }

// A GapError means that removals after a revision are no longer known: the reader must read everything again.
type GapError struct{ Since, Forgotten int64 }

// Error includes the revision from which removals are known.
func (e *GapError) Error() string {
	return fmt.Sprintf("removals up to revision %d were pruned, expected all since %d", e.Forgotten, e.Since)
}

// A ConflictError means that the version is not the expected one.
type ConflictError struct {
	Key    Key
	Seen   int // 0: there should have been none
	Actual int // 0: there is none
}

// Error includes the expected and the actual version.
func (e *ConflictError) Error() string {
	switch {
	case e.Seen == 0:
		return fmt.Sprintf("%s already exists at version %d", e.Key, e.Actual)
	case e.Actual == 0:
		return fmt.Sprintf("%s does not exist, expected version %d", e.Key, e.Seen)
	}
	return fmt.Sprintf("%s is at version %d, expected version %d", e.Key, e.Actual, e.Seen)
}

// A ClosedError means that the store rejects calls: it was closed, or it stopped because a write may be lost.
type ClosedError struct{ Cause error } // nil if it was closed

// Error includes the reason.
func (e *ClosedError) Error() string {
	if e.Cause == nil {
		return "the store is closed"
	}
	return fmt.Sprintf("the store has stopped because a write may not have reached the disk: %v", e.Cause)
}

// Unwrap returns the cause.
func (e *ClosedError) Unwrap() error { return e.Cause }

// next checks a change against the record under its key, if there ever was one.
func next(c Change, old Record, revision int64) (Record, error) {
	actual := old.Version
	if old.Body == nil {
		actual = 0
	}
	if c.Seen != Any && c.Seen != actual {
		return Record{}, &ConflictError{Key: c.Key, Seen: c.Seen, Actual: actual}
	}
	if c.Body == nil && actual == 0 {
		return Record{}, &NotFoundError{Key: c.Key}
	}
	r := Record{Key: c.Key, Version: old.Version, Revision: revision, Body: c.Body}
	if c.Body != nil {
		r.Version++
	}
	return r, nil
}
