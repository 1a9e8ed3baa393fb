package subschema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A checker is one comparison. Its work is bounded by steps, so that the answer does not depend on the machine, and by
// time as a last resort.
type checker struct {
	options Options
	ids     int
	steps   int
	clock   *Clock
	failure string // why the comparison gave up
	nesting int    // of the value that is being made

	known    map[string][]*atom
	busy     map[string]bool // conjunctions whose atoms are being computed
	disjoint map[*node]bool
	locals   map[*node]*node
	regexps  map[string]*regexp.Regexp
	texts    map[string][]string // samples of patterns

	results map[string]finding
	assumed map[string]bool // pairs that are being compared
	uses    int             // how often an assumption was used
}

const (
	// DefaultTimeout limits one comparison.
	DefaultTimeout = 150 * time.Millisecond
	rulesTimeout   = 100 * time.Millisecond // the rest is for samples
	defaultSamples = 200
	maxSteps       = 40_000
)

func newChecker(o Options) *checker {
	if o.Clock == nil {
		o.Clock = NewClock(DefaultTimeout)
	}
	if o.Samples == 0 {
		o.Samples = defaultSamples
	}
	return &checker{options: o, clock: o.Clock, known: map[string][]*atom{}, busy: map[string]bool{},
		disjoint: map[*node]bool{}, locals: map[*node]*node{}, regexps: map[string]*regexp.Regexp{},
		texts:   map[string][]string{},
		results: map[string]finding{}, assumed: map[string]bool{}}
}

func (c *checker) fail(reason string) {
	if c.failure == "" {
		c.failure = reason
	}
}

// step counts one unit of work and reports whether the comparison may go on.
func (c *checker) step() bool {
	if c.steps++; c.steps > maxSteps {
		c.fail("too complex to compare")
	}
	if c.steps%16 == 0 && c.failure == "" && c.clock.Expired() {
		c.fail("too complex to compare in time")
	}
	return c.failure == ""
}

func (c *checker) expired() bool { return c.clock.Expired() }

// empty reports whether a conjunction certainly accepts no value.
func (c *checker) empty(all conj) bool {
	for _, n := range all {
		if n.never {
			return true
		}
	}
	if len(all) == 0 {
		return false
	}
	key := all.key()
	if c.busy[key] || len(c.busy) > 12 {
		return false
	}
	c.busy[key] = true
	defer delete(c.busy, key)
	return len(c.atoms(all)) == 0 && c.failure == ""
}

// matches reports whether a text matches a pattern, if Go's engine can decide it.
func (c *checker) matches(pattern, text string) truth {
	re, known := c.regexps[pattern]
	if !known {
		if portable(pattern) {
			re, _ = regexp.Compile(pattern)
		}
		c.regexps[pattern] = re
	}
	if re == nil || len(text) > 10_000 {
		return maybe
	}
	return truthOf(re.MatchString(text))
}

// portable excludes constructs that mean something else in ECMA-262: \s and \w with Unicode, \Z, \A.
func portable(pattern string) bool {
	if len(pattern) > 2_000 {
		return false
	}
	for i := 0; i+1 < len(pattern); i++ {
		if pattern[i] == '\\' {
			switch pattern[i+1] {
			case 'A', 'z', 'Z', 'Q', 'E', 'C', 'p', 'P', 'a':
				return false
			}
			i++
		}
	}
	return true
}

// patternSamples are texts that match a pattern and satisfy the lengths.
func (c *checker) patternSamples(pattern string, minLen, maxLen, count int) []string {
	key := fmt.Sprint(pattern, minLen, maxLen, count)
	if known, ok := c.texts[key]; ok {
		return known
	}
	wanted := map[string]any{"type": "string", "pattern": pattern, "minLength": minLen}
	if maxLen >= 0 {
		wanted["maxLength"] = maxLen
	}
	raw, _ := json.Marshal(wanted)
	var found []string
	compiled, err := c.compile(raw)
	if err == nil {
		for seed := 0; seed < count && !c.expired(); seed++ {
			style := schema.Typical
			if seed%2 == 1 {
				style = schema.Smallest
			}
			sample, err := compiled.Sample(&schema.SampleOptions{Seed: uint64(seed), Style: style})
			if err != nil {
				break
			}
			if text, ok := schema.Text(sample); ok {
				found = append(found, text)
			}
		}
	}
	c.texts[key] = found
	return found
}
