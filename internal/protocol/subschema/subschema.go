// Package subschema decides whether one JSON Schema accepts only values that another one accepts too.
//
// [Compare] answers with a proof: by rules over the common keywords if it holds, with a counterexample that both
// schemas confirm if it does not. What rules cannot decide is searched with samples. The work is bounded; a pair
// that exceeds the bounds is [Unknown].
package subschema

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Verdict says whether every value of the one schema is a value of the other.
type Verdict string

// The answers.
const (
	Contained Verdict = "contained"
	Escapes   Verdict = "escapes" // a counterexample exists
	Unknown   Verdict = "unknown"
)

// Options select the values that count. Nil means all values, and the default bounds.
type Options struct {
	// Declared ignores properties that the first schema does not declare but allows, because the object is open.
	// Objects that declare no property at all are maps, whose content counts; the root is never a map.
	Declared bool
	// SafeIntegers ignores integers beyond ±(2^53-1), which generators exclude and JavaScript cannot represent.
	SafeIntegers bool

	Clock   *Clock        // limits the time; nil means 150 ms
	Samples int           // how many values are tried if rules do not decide; default 200
	Cache   *schema.Cache // of compiled schemas; nil compiles each time
}

// A Result is the answer and what it rests on.
type Result struct {
	Verdict        Verdict
	Counterexample json.RawMessage // accepted by the first schema and not by the second; for Escapes
	Violation      string          // what the second schema reports about it
	Samples        int             // values that were tried and found no counterexample; 0 if rules decided
	Reason         string          // for Unknown: what could not be decided
}

// Compare decides whether every value that inner accepts is accepted by outer.
func Compare(inner, outer json.RawMessage, options *Options) Result {
	if options == nil {
		options = &Options{}
	}
	c := newChecker(*options)
	a, err := c.document(inner)
	if err != nil {
		return Result{Verdict: Unknown, Reason: "first schema: " + err.Error()}
	}
	b, err := c.document(outer)
	if err != nil {
		return Result{Verdict: Unknown, Reason: "second schema: " + err.Error()}
	}
	whole := c.clock
	c.clock = whole.Part(rulesTimeout)
	found := c.contains(conj{a.root}, conj{b.root}, true)
	c.clock = whole
	if found.ok && c.failure == "" {
		return Result{Verdict: Contained}
	}
	return c.search(a, b, found)
}

// search looks for a value that proves the opposite, first among the candidates of the rules.
func (c *checker) search(a, b *document, found finding) Result {
	if c.expired() {
		return Result{Verdict: Unknown, Reason: c.reason(found)}
	}
	inner, err := c.compile(a.raw)
	if err != nil {
		return Result{Verdict: Unknown, Reason: "first schema: " + err.Error()}
	}
	outer, err := c.compile(b.raw)
	if err != nil {
		return Result{Verdict: Unknown, Reason: "second schema: " + err.Error()}
	}
	t := trial{checker: c, inner: inner, outer: outer}
	for _, candidate := range found.candidates {
		if t.proves(candidate) {
			return t.result(candidate)
		}
	}
	if c.failure != "" { // the rules have no values to offer
		if value, ok := t.plain(); ok {
			return t.result(value)
		}
		return Result{Verdict: Unknown, Samples: t.valid, Reason: c.failure}
	}
	g := newGenerator(c)
	for range c.options.Samples {
		value, ok := g.value(conj{a.root}, conj{b.root}, 0)
		if c.expired() {
			break
		}
		if ok && t.proves(value) {
			return t.result(value)
		}
	}
	if len(found.obstacles) > 0 && found.only("pattern") && t.valid >= minPatternSamples {
		return Result{Verdict: Contained, Samples: t.valid}
	}
	return Result{Verdict: Unknown, Samples: t.valid, Reason: c.reason(found)}
}

func (c *checker) compile(raw json.RawMessage) (*schema.Schema, error) {
	if c.options.Cache == nil {
		return schema.Compile(raw, nil)
	}
	return c.options.Cache.Compile(raw, nil)
}

// minPatternSamples is how many valid values must have been tried before a pattern counts as contained.
const minPatternSamples = 50

func (c *checker) reason(found finding) string {
	if c.failure != "" {
		return c.failure
	}
	var names []string
	for _, name := range found.obstacles {
		if len(names) < 4 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "not decided"
	}
	return fmt.Sprintf("not decided by rules: %s", strings.Join(names, ", "))
}

// Smallest returns a small value that a schema accepts, without undeclared properties if possible. It is a candidate
// made by rules: keywords that they do not interpret may reject it.
func Smallest(raw json.RawMessage) (json.RawMessage, bool) {
	c := newChecker(Options{Declared: true, SafeIntegers: true})
	d, err := c.document(raw)
	if err != nil {
		return nil, false
	}
	for _, a := range c.atoms(conj{d.root}) {
		if a.kind != kindObject && d.root.kinds == allKinds {
			continue // a schema of arguments without a type
		}
		if values := c.simple(a); len(values) > 0 {
			return encode(values[0])
		}
	}
	return nil, false
}
