package catalog

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A NotFoundError says that the catalog has no such tool.
type NotFoundError struct{ Key Key }

// Error names the tool.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no tool %s in the catalog", e.Key)
}

// A ConflictError says that the tool is there already, or that somebody else has changed it meanwhile.
type ConflictError struct {
	Key    Key
	Seen   int // the version that the caller saw; 0 when it wanted to register
	Actual int // the version that is there
}

// Error says which version is there.
func (e *ConflictError) Error() string {
	if e.Seen == 0 {
		return fmt.Sprintf("the tool %s is registered already, at version %d", e.Key, e.Actual)
	}
	return fmt.Sprintf("the tool %s is at version %d; the update was made for version %d", e.Key, e.Actual, e.Seen)
}

// An InvalidError says that a tool cannot be kept.
type InvalidError struct {
	Key     Key
	Problem string
}

// Error says what is wrong.
func (e *InvalidError) Error() string {
	if e.Key.Name == "" {
		return "invalid tool: " + e.Problem
	}
	return fmt.Sprintf("invalid tool %s: %s", e.Key, e.Problem)
}

// A StoreError says that the store of the catalog could not be read or changed. Its text can name the address and the
// user of a database, which are for those who run it.
type StoreError struct{ Err error }

// Error is the store's own.
func (e *StoreError) Error() string { return e.Err.Error() }

// Unwrap returns the store's error.
func (e *StoreError) Unwrap() error { return e.Err }

// maxName is the longest name, in bytes, that the stores keep under a key.
const maxName = 1000

// check tells whether the tool can be kept in any store.
func (t *Tool) check() error {
	problem := ""
	switch {
	case t.Name == "":
		problem = "it has no name"
	case len(t.Name) > maxName || len(t.Server) > maxName:
		problem = fmt.Sprintf("its name is longer than %d bytes", maxName)
	case !utf8.ValidString(t.Name+t.Server) || strings.ContainsRune(t.Name+t.Server, 0):
		problem = "its name is not text"
	case t.Timeout < 0:
		problem = fmt.Sprintf("its timeout is %s", t.Timeout)
	default:
		return nil
	}
	return &InvalidError{Key: t.Key(), Problem: problem}
}
