// Package fuzz looks for inputs that break a server: it makes calls from the schemas of tools, judges the answers by
// properties that hold for every good server, shrinks what breaks one to the smallest call that still does, and hands it
// back as a test.
//
// The cases follow from the seed and the tool definitions alone: the same seed against a server that behaves the same
// makes the same calls in the same order.
package fuzz

import "encoding/json"

// A Kind is how a case was made.
type Kind string

// The kinds of cases.
const (
	Valid    Kind = "valid"     // what the schema allows
	Boundary Kind = "boundary"  // at the edge of what it allows
	NearMiss Kind = "near-miss" // one rule violated
	Habit    Kind = "habit"     // what agents really get wrong
	Mined    Kind = "mined"     // with a value that the server gave earlier
)

// A Case is one call to make.
type Case struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Kind      Kind            `json:"kind"`
	Says      string          `json:"says,omitempty"` // what is special about it
	Allowed   bool            `json:"-"`              // whether the tool's schema allows the arguments
	Violates  string          `json:"violates,omitempty"`
	Inside    json.RawMessage `json:"inside,omitempty"` // where a value is at a limit: the same call with a value just inside
	Coerced   bool            `json:"-"`                // it would be allowed if texts were read as the numbers, booleans or JSON that they spell
}
