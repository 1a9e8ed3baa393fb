// Package cases generates the arguments of calls from the input schemas of tools: samples, values at the limits, values
// that violate one rule, the mistakes that agents make, and attacks. It also lists simpler values than a given one.
//
// The cases depend only on the seed, the schema and what the calls returned.
package cases

import "encoding/json"

// A Kind is how a case was generated.
type Kind string

// The kinds of cases.
const (
	Valid        Kind = "valid"     // allowed by the schema
	Boundary     Kind = "boundary"  // at the edge of what the schema allows
	NearMiss     Kind = "near-miss" // one rule violated
	AgentMistake Kind = "habit"     // mistakes that agents make
	Dictionary   Kind = "mined"     // with a value that the server returned earlier
)

// A Case is one call to make.
type Case struct {
	Tool        string          `json:"tool"`
	Arguments   json.RawMessage `json:"arguments"`
	Kind        Kind            `json:"kind"`
	Description string          `json:"says,omitempty"` // description of the special feature
	Allowed     bool            `json:"-"`              // whether the tool's schema allows the arguments
	Violates    string          `json:"violates,omitempty"`
	// only a format does not match: JSON Schema leaves it to the server whether that is valid
	Unclear bool `json:"-"`
	// for a value at a limit: the same call with a value just inside
	Inside json.RawMessage `json:"inside,omitempty"`
	// it would be allowed if strings were read as the numbers, booleans or JSON that they spell
	Coerced bool `json:"-"`

	sample bool   // it is the first sample
	keeps  []edit // changes that further cases can keep to
}

// MayBeValid reports whether a server may accept the arguments.
func (c *Case) MayBeValid() bool { return c.Allowed || c.Unclear }
