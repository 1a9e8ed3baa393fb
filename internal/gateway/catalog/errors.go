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
	case !utf8.ValidString(t.Name+t.Server) || strings.ContainsRune(t.Name+t.Server, 0):
		problem = "name is not valid UTF-8"
	case t.Timeout < 0:
		problem = fmt.Sprintf("timeout is %s", t.Timeout)
	default:
		return nil
	}
	return &InvalidError{Key: t.Key(), Problem: problem}
}
