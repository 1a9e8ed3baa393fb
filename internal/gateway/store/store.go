// Package store keeps the catalog: records under (server, name), each with a version that only grows. Writes compare
// and set, and are durable when they return. There is one in memory, one in an SQLite file and one in PostgreSQL.
package store

import (
	"context"
	"fmt"
	"time"
)

// A Key names a record.
type Key struct{ Server, Name string }

// String writes the key as server/name, or as the name alone where there is no server.
func (k Key) String() string {
	if k.Server == "" {
		return k.Name
	}
	return k.Server + "/" + k.Name
}

// A Record is what is kept under a key.
type Record struct {
	Key      Key
	Version  int    // from 1; it goes on growing when a removed key is used again, so that a stale version never fits
	Revision int64  // the place of the last change in the order of all changes to the store
	Body     []byte // nil if the record was removed
}

// Any is the seen version of a change that is made whatever the version is.
const Any = -1

// A Change is one write.
type Change struct {
	Key  Key
	Seen int    // the version that must be there: 0 for none, Any for whichever
	Body []byte // nil removes
}

// A Store keeps records. What it reads is never older than what was acknowledged before the call, by whichever process.
type Store interface {
	// Get returns a record, or a *NotFoundError.
	Get(ctx context.Context, key Key) (Record, error)
	// Since returns the records that changed after a revision, removed ones too, in the order of their revisions; since
	// 0 it returns all that are there. A *GapError says that removals after that revision have been forgotten.
	Since(ctx context.Context, revision int64) ([]Record, error)
	// Revision returns that of the last change. Since 0 tells of all changes up to it.
	Revision(ctx context.Context) (int64, error)
	// Forget drops the memory of records that were removed before a time, and of all but the last so many that were
	// removed. It returns how many it dropped. The version of a key that is forgotten begins at 1 again.
	Forget(ctx context.Context, before time.Time, keep int) (int, error)
	// Commit makes all changes or none, durably, and returns the records as they are now. A *ConflictError says that a
	// version was not the one seen.
	Commit(ctx context.Context, changes ...Change) ([]Record, error)
	// Watch returns a channel that has an element when something may have changed, whoever changed it. It is closed
	// when the context ends or the store is closed.
	Watch(ctx context.Context) <-chan struct{}
	Close() error
}

// A NotFoundError says that there is no such record.
type NotFoundError struct{ Key Key }

// Error names the key.
func (e *NotFoundError) Error() string { return fmt.Sprintf("%s is not in the store", e.Key) }

// A GapError says that what was removed after a revision is no longer known: who was away for so long must read all
// there is.
type GapError struct{ Since, Forgotten int64 }

// Error says from where on removals are known.
func (e *GapError) Error() string {
	return fmt.Sprintf("removals up to revision %d are forgotten; want all since %d", e.Forgotten, e.Since)
}

// A ConflictError says that another version is there than the one that was seen.
type ConflictError struct {
	Key    Key
	Seen   int // 0: there should have been none
	Actual int // 0: there is none
}

// Error says which version was wanted and which is there.
func (e *ConflictError) Error() string {
	switch {
	case e.Seen == 0:
		return fmt.Sprintf("%s is there already, at version %d", e.Key, e.Actual)
	case e.Actual == 0:
		return fmt.Sprintf("%s is not there; want version %d", e.Key, e.Seen)
	}
	return fmt.Sprintf("%s is at version %d; want version %d", e.Key, e.Actual, e.Seen)
}

// A ClosedError says that the store takes no more calls: it was closed, or it stopped because a write may be lost.
type ClosedError struct{ Cause error } // nil if it was closed

// Error says why.
func (e *ClosedError) Error() string {
	if e.Cause == nil {
		return "the store is closed"
	}
	return fmt.Sprintf("the store has stopped, because a write may not have reached the disk: %v", e.Cause)
}

// Unwrap returns the cause.
func (e *ClosedError) Unwrap() error { return e.Cause }

// next decides about a change, given the record under its key, if there ever was one.
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
