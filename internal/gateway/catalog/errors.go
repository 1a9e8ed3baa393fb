package catalog

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A NotFoundError means that the catalog has no such tool.
type NotFoundError struct{ Key Key }

// Error includes the name of the tool.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("tool %s not found in the catalog", e.Key)
}

// A ConflictError means that the tool already exists, or that it was changed concurrently.
type ConflictError struct {
	Key    Key
	Seen   int // the version that the caller read; 0 for Register
	Actual int // the current version
}

// Error includes the current version.
func (e *ConflictError) Error() string {
	if e.Seen == 0 {
		return fmt.Sprintf("tool %s is already registered, at version %d", e.Key, e.Actual)
	}
	return fmt.Sprintf("tool %s is at version %d, but the update was made for version %d", e.Key, e.Actual, e.Seen)
}

// An InvalidError means that a tool cannot be stored.
type InvalidError struct {
	Key     Key
	Problem string
}

// Error describes the problem.
func (e *InvalidError) Error() string {
	if e.Key.Name == "" {
		return "invalid tool: " + e.Problem
	}
	return fmt.Sprintf("invalid tool %s: %s", e.Key, e.Problem)
}

// A QuarantineError means that a tool or prompt may not be used: what its server offers was not approved. The call did
// not reach the server.
type QuarantineError struct {
	Key    Key
	Kind   string // tool or prompt
	Reason string // one of the Reason constants
	Hash   string // of the definition that is not approved; empty if there is none
}

// The reasons of a quarantine.
const (
	ReasonChanged    = "changed"    // the definition is not the approved one
	ReasonNew        = "new"        // no definition of this name was approved
	ReasonUnlocked   = "unlocked"   // nothing of this server was approved
	ReasonDuplicate  = "duplicate"  // the server lists the name more than once
	ReasonUnlisted   = "unlisted"   // the server does not list it
	ReasonUnverified = "unverified" // the server has not listed it since it started or announced a change
)

var reasonTexts = map[string]string{
	ReasonChanged:    "its definition changed after it was approved",
	ReasonNew:        "its definition was not approved yet",
	ReasonUnlocked:   "its server is not in the lock file",
	ReasonDuplicate:  "its server lists the name more than once",
	ReasonUnlisted:   "its server does not list it",
	ReasonUnverified: "its server may have changed and has not listed it again",
}

// Error includes the reason and what to do.
func (e *QuarantineError) Error() string {
	kind := e.Kind
	if kind == "" {
		kind = "tool"
	}
	return fmt.Sprintf("%s %s is quarantined: %s; %s", kind, e.Key, reasonTexts[e.Reason], e.Action())
}

// Action returns what to do.
func (e *QuarantineError) Action() string {
	switch e.Reason {
	case ReasonUnverified, ReasonUnlisted:
		return "try again later; nothing was sent to the server"
	case ReasonDuplicate:
		return "do not retry; the server must list the name once"
	}
	return "do not retry; an operator must review the change and run: mcptest catalog approve"
}

// A NotWaitingError means that a definition cannot be approved: it is not the one that is waiting.
type NotWaitingError struct {
	ID   ReviewID
	Hash string
}

// Error includes the definition and the hash.
func (e *NotWaitingError) Error() string {
	return fmt.Sprintf("%s %s/%s with the hash %s does not wait for an approval; it was approved, or has changed again",
		e.ID.Kind, e.ID.Server, e.ID.Name, e.Hash)
}

// A StoreError means that the store of the catalog could not be read or changed. Its text can include the host and the
// user of a database, which only operators should see.
type StoreError struct{ Err error }

// Error is the error of the store.
func (e *StoreError) Error() string { return e.Err.Error() }

// Unwrap returns the store's error.
func (e *StoreError) Unwrap() error { return e.Err }

// maxName is the maximum length of a name in bytes that the stores support.
const maxName = 1000

// check reports whether the tool can be stored in any store.
func (t *Tool) check() error {
	problem := ""
	switch {
	case t.Name == "":
		problem = "missing name"
	case len(t.Name) > maxName || len(t.Server) > maxName:
		problem = fmt.Sprintf("name is longer than %d bytes", maxName)
	case isReview(t.Key()):
		problem = "the name of the server is reserved"
	case !utf8.ValidString(t.Name+t.Server) || strings.ContainsRune(t.Name+t.Server, 0):
		problem = "name is not valid UTF-8"
	case t.Timeout < 0:
		problem = fmt.Sprintf("timeout is %s", t.Timeout)
	default:
		return nil
	}
	return &InvalidError{Key: t.Key(), Problem: problem}
}
