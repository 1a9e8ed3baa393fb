// Package match compares values of responses with what tests expect: matchers, differences of JSON values, and
// snapshots. There is one file per matcher.
package match

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// A Matcher is one way to compare a value with an expectation.
type Matcher struct {
	Name, Doc string
	Schema    json.RawMessage // of its argument
	// New parses the argument once. The function that it returns reports a mismatch of a value; nil means that it
	// matches.
	New func(arg json.RawMessage) (Accept, error)
}

// An Accept checks one value; nil means that the value does not exist.
type Accept func(m *Context, got json.RawMessage) error

// A Context is the context in which a value is checked.
type Context struct {
	Context   context.Context
	Key       string // the test and the target, the key of a snapshot
	Snapshots *Snapshots
}

// All lists every matcher.
func All() []*Matcher {
	return []*Matcher{exactMatcher, containsMatcher, regexMatcher, schemaMatcher, snapshotMatcher, imageMatcher, oneOfMatcher,
		notMatcher(),
		lengthMatcher, approxMatcher, expressionMatcher, existsMatcher}
}

// Aliases are aliases of matchers.
var Aliases = map[string]string{"equals": "exact", "matches": "regex", "one-of": "one_of"}

// Find returns the matcher with a name or an alias.
func Find(name string) (*Matcher, bool) {
	if proper, ok := Aliases[name]; ok {
		name = proper
	}
	for _, m := range All() {
		if m.Name == name {
			return m, true
		}
	}
	return nil, false
}

// Names lists the names of all matchers.
func Names() []string {
	var all []string
	for _, m := range All() {
		all = append(all, m.Name)
	}
	return all
}

// newAccept reads {name: argument}.
func newAccept(matcher json.RawMessage) (Accept, error) {
	node, problems := document.Parse("", matcher)
	if len(problems) > 0 || node.Kind != document.Map || len(node.Pairs) != 1 {
		return nil, fmt.Errorf("%s, expected one matcher with its argument, such as {contains: text}",
			clip.Sized(string(matcher), MaxDisplayed))
	}
	m, ok := Find(node.Pairs[0].Key)
	if !ok {
		return nil, Unknown(node.Pairs[0].Key)
	}
	return m.New(node.Pairs[0].Value.JSON())
}

// Unknown is the error about a name that no matcher has.
func Unknown(name string) error {
	if meant := typo.Best(name, Names()); meant != "" {
		return fmt.Errorf("unknown matcher %q; did you mean %s?", name, meant)
	}
	return fmt.Errorf("unknown matcher %q, expected one of %s", name, strings.Join(Names(), ", "))
}

// A Mismatch describes how a value differs from the expected one.
type Mismatch struct {
	Got, Want string
	Text      string // instead of both: several differences
}

// Error shows both sides.
func (m *Mismatch) Error() string {
	if m.Text != "" {
		return m.Text
	}
	return "got:  " + m.Got + "\nwant: " + m.Want
}

// mismatch creates a Mismatch. Long values are truncated: the frame has the full value.
func mismatch(got json.RawMessage, want string, args ...any) error {
	return &Mismatch{Got: showValue(got), Want: fmt.Sprintf(want, args...)}
}

func showValue(raw json.RawMessage) string {
	if raw == nil {
		return "nothing"
	}
	return clip.Sized(string(raw), MaxDisplayed)
}

// MaxDisplayed is the maximum length of a value in a message.
const MaxDisplayed = 600

// Flat is the text of a value: a string itself, anything else as JSON.
func Flat(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
