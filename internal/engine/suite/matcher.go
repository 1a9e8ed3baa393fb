package suite

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
type Accept func(m *MatchContext, got json.RawMessage) error

// A MatchContext is the context in which a value is checked.
type MatchContext struct {
	Context   context.Context
	Key       string // the test and the target, the key of a snapshot
	Snapshots *Snapshots
}

// Matchers lists every matcher.
func Matchers() []*Matcher {
	return []*Matcher{exactMatcher, containsMatcher, regexMatcher, schemaMatcher, snapshotMatcher, imageMatcher, oneOfMatcher,
		notMatcher(),
		lengthMatcher, approxMatcher, expressionMatcher, existsMatcher}
}

// spellings are aliases of matchers.
var spellings = map[string]string{"equals": "exact", "matches": "regex", "one-of": "one_of"}

func findMatcher(name string) (*Matcher, bool) {
	if proper, ok := spellings[name]; ok {
		name = proper
	}
	for _, m := range Matchers() {
		if m.Name == name {
			return m, true
		}
	}
	return nil, false
}

func matcherNames() []string {
	var all []string
	for _, m := range Matchers() {
		all = append(all, m.Name)
	}
	return all
}

// newAccept reads {name: argument}.
func newAccept(matcher json.RawMessage) (Accept, error) {
	node, problems := document.Parse("", matcher)
	if len(problems) > 0 || node.Kind != document.Map || len(node.Pairs) != 1 {
		return nil, fmt.Errorf("%s, expected one matcher with its argument, such as {contains: text}",
			clip.Sized(string(matcher), maxDisplayed))
	}
	m, ok := findMatcher(node.Pairs[0].Key)
	if !ok {
		return nil, unknownMatcher(node.Pairs[0].Key)
	}
	return m.New(node.Pairs[0].Value.JSON())
}

func unknownMatcher(name string) error {
	if meant := typo.Best(name, matcherNames()); meant != "" {
		return fmt.Errorf("unknown matcher %q; did you mean %s?", name, meant)
	}
	return fmt.Errorf("unknown matcher %q, expected one of %s", name, strings.Join(matcherNames(), ", "))
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
	return clip.Sized(string(raw), maxDisplayed)
}

// maxDisplayed is the maximum length of a value in a message.
const maxDisplayed = 600

// flat is the text of a value: a string itself, anything else as JSON.
func flat(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
