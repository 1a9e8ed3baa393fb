package fault

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// A Rule is a fault and the messages that it applies to.
type Rule struct {
	Text    string    // as the user wrote it
	Method  string    // of the message, or of the request that it answers; * matches any text
	Tool    string    // of a tools/call; empty for any
	From    wire.Side // the sender of the message
	Percent float64   // how many of the messages, in percent; 0 for all
	Nth     int       // only the n-th of the messages, from 1; 0 for all
	Kind    Kind
	Value   string

	duration time.Duration
	number   int
}

// A SpecError is why the text of a fault is invalid.
type SpecError struct {
	Spec    string
	Column  int // of the invalid part, from 1
	Message string
	Kinds   bool // the list of kinds helps
}

// Error returns the message with its position.
func (e *SpecError) Error() string {
	return fmt.Sprintf("invalid fault %q, column %d: %s", e.Spec, e.Column, e.Message)
}

// Parse reads a fault in the form METHOD[:SELECTOR]...:KIND[=VALUE]. Selectors are a percentage (20%), an occurrence
// (#3), tool=NAME and from=client or from=server.
func Parse(spec string) (*Rule, error) {
	parts := strings.Split(spec, ":")
	fail := func(column int, kinds bool, format string, args ...any) (*Rule, error) {
		return nil, &SpecError{Spec: spec, Column: column, Message: fmt.Sprintf(format, args...), Kinds: kinds}
	}
	if len(parts) < 2 {
		return fail(len(spec)+1, true, "expected METHOD:KIND, such as tools/call:delay=5s")
	}
	r := &Rule{Text: spec, Method: strings.TrimSpace(parts[0])}
	if r.Method == "" {
		return fail(1, false, "expected a method, or * for every method")
	}
	column := len(parts[0]) + 2
	for _, part := range parts[1 : len(parts)-1] {
		if err := r.selector(part); err != nil {
			return fail(column, false, "%s", err)
		}
		column += len(part) + 1
	}
	name, value, given := strings.Cut(parts[len(parts)-1], "=")
	r.Kind, r.Value = Kind(strings.TrimSpace(name)), strings.TrimSpace(value)
	if info(r.Kind) == nil {
		return fail(column, true, "%s", unknownKind(name))
	}
	if given && r.Value == "" {
		return fail(column+len(name)+1, false, "expected a value after =")
	}
	if err := r.finish(); err != nil {
		return fail(column, false, "%s", err)
	}
	return r, nil
}

func unknownKind(name string) string {
	message := fmt.Sprintf("unknown fault %q", name)
	if near := typo.Best(name, Names()); near != "" {
		message += "; did you mean " + near + "?"
	}
	return message
}

// selector reads a selector.
func (r *Rule) selector(part string) error {
	part = strings.TrimSpace(part)
	name, value, isPair := strings.Cut(part, "=")
	switch {
	case strings.HasSuffix(part, "%"):
		return r.percent(part)
	case strings.HasPrefix(part, "#"):
		n, err := strconv.Atoi(part[1:])
		if err != nil || n < 1 {
			return fmt.Errorf("invalid occurrence %q, expected # and a number from 1", part)
		}
		r.Nth = n
	case isPair && name == "tool" && value != "":
		r.Tool = value
	case isPair && name == "from":
		return r.sender(value)
	default:
		return fmt.Errorf("unknown selector %q, expected a percentage such as 20%%, an occurrence such as #3, tool=NAME, "+
			"from=client or from=server", part)
	}
	return nil
}

func (r *Rule) percent(text string) error {
	p, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(p > 0 && p <= 100) {
		return fmt.Errorf("invalid probability %q, expected a percentage above 0%% and up to 100%%", text)
	}
	r.Percent = p
	return nil
}

func (r *Rule) sender(name string) error {
	switch name {
	case "client":
		r.From = wire.Client
	case "server":
		r.From = wire.Server
	default:
		return fmt.Errorf("invalid sender %q, expected client or server", name)
	}
	return nil
}

// finish reads the value, sets the defaults, and checks that the parts fit together.
func (r *Rule) finish() error {
	k := info(r.Kind)
	if r.From == "" {
		r.From = k.From
	}
	switch {
	case k.Fixed && r.From != k.From:
		return fmt.Errorf("%s applies only to messages from the %s", r.Kind, k.From)
	case r.Nth > 0 && r.Percent > 0:
		return fmt.Errorf("an occurrence and a percentage are mutually exclusive")
	case k.read == nil && r.Value != "":
		return fmt.Errorf("%s has no value", r.Kind)
	case k.read == nil:
		return nil
	}
	if r.Value == "" {
		r.Value = k.Default
	}
	return k.read(r)
}

// Effect returns the kind with its value.
func (r *Rule) Effect() string {
	if r.Value == "" {
		return string(r.Kind)
	}
	return string(r.Kind) + "=" + r.Value
}

// Duration returns the value of a rule that has a duration.
func (r *Rule) Duration() time.Duration { return r.duration }

// Number returns the value of a rule that has a number.
func (r *Rule) Number() int { return r.number }
