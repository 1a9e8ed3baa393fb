// Package variables replaces ${name} in suites by values: captured ones, those of cases, fixtures and variables, and
// environment variables.
package variables

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Scope resolves ${name}: values captured by earlier steps, then those of the case, then fixtures, then the file's
// variables, then the environment.
type Scope struct {
	Captured    map[string]json.RawMessage
	Row         map[string]*document.Node // the values of the case
	Fixtures    map[string]json.RawMessage
	Variables   map[string]*document.Node
	Environment func(name string) (string, bool)
	Literal     bool // ${name} is a text like any other

	use func(fixture string) // receives the fixtures that are referred to; may be nil
}

// WithFixture returns the scope with the value of a fixture.
func (s Scope) WithFixture(name string, value json.RawMessage) Scope {
	fixtures := map[string]json.RawMessage{name: value}
	for other, raw := range s.Fixtures {
		if other != name {
			fixtures[other] = raw
		}
	}
	s.Fixtures = fixtures
	return s
}

// FixturesIn lists the fixtures that texts refer to, also by way of variables.
func (s Scope) FixturesIn(texts []string) []string {
	used := map[string]bool{}
	s.use = func(name string) { used[name] = true }
	for _, text := range texts {
		_, _ = s.Text(text) // undefined names are reported elsewhere
	}
	return slices.Sorted(maps.Keys(used))
}

// reference matches ${name}, and $${name}, which means a literal ${name}.
var reference = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// IsName reports whether a text can be the name of a variable.
func IsName(text string) bool { return reference.FindString("${"+text+"}") == "${"+text+"}" }

// Refers reports whether a text has references, or escaped ones: both are replaced.
func Refers(text string) bool { return reference.MatchString(text) }

// Check reports why a name has no value.
func (s Scope) Check(name string) error {
	_, err := s.value(name, 0)
	return err
}

// value is the value of a name, as JSON.
func (s Scope) value(name string, depth int) (json.RawMessage, error) {
	if raw, ok := s.Captured[name]; ok {
		return raw, nil
	}
	n, ok := s.Row[name]
	if raw, isFixture := s.Fixtures[name]; isFixture && !ok {
		if s.use != nil {
			s.use(name)
		}
		return raw, nil
	}
	if !ok {
		n, ok = s.Variables[name]
	}
	if ok {
		if depth > maxNesting {
			return nil, fmt.Errorf("${%s} refers to itself", name)
		}
		return s.node(n, depth+1)
	}
	if s.Environment != nil {
		if text, ok := s.Environment(name); ok {
			return Quoted(text), nil
		}
	}
	return nil, fmt.Errorf("${%s} is undefined: not a variable, fixture, captured value or environment variable", name)
}

// maxNesting is the maximum depth of references between variables.
const maxNesting = 20

// JSON is a node with the references in its strings replaced. A string that is a single reference becomes the value
// itself, of any type.
func (s Scope) JSON(n *document.Node) (json.RawMessage, error) {
	if n == nil {
		return nil, nil
	}
	if s.Literal {
		return n.JSON(), nil
	}
	return s.node(n, 0)
}

func (s Scope) node(n *document.Node, depth int) (json.RawMessage, error) {
	switch n.Kind {
	case document.String:
		return s.string(n.Text, depth)
	case document.List:
		out := []byte{'['}
		for i, item := range n.Items {
			raw, err := s.node(item, depth)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, raw...)
		}
		return append(out, ']'), nil
	case document.Map:
		out := []byte{'{'}
		for i, p := range n.Pairs {
			raw, err := s.node(p.Value, depth)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(append(out, Quoted(p.Key)...), ':'), raw...)
		}
		return append(out, '}'), nil
	}
	return n.JSON(), nil
}

func (s Scope) string(text string, depth int) (json.RawMessage, error) {
	if !strings.Contains(text, "${") {
		return Quoted(text), nil
	}
	if m := reference.FindStringSubmatch(text); m != nil && m[0] == text && !strings.HasPrefix(text, "$$") {
		return s.value(m[1], depth)
	}
	expanded, err := s.expand(text, depth)
	return Quoted(expanded), err
}

// Text replaces references in a string.
func (s Scope) Text(text string) (string, error) {
	if s.Literal {
		return text, nil
	}
	return s.expand(text, 0)
}

func (s Scope) expand(text string, depth int) (string, error) {
	var failed error
	out := reference.ReplaceAllStringFunc(text, func(m string) string {
		if strings.HasPrefix(m, "$$") {
			return m[1:]
		}
		raw, err := s.value(m[2:len(m)-1], depth)
		if err != nil {
			failed = err
			return m
		}
		if plain, ok := schema.Text(raw); ok {
			return plain
		}
		return string(raw)
	})
	return out, failed
}

// Names lists the references of a node, each with its node.
func Names(n *document.Node, each func(at *document.Node, name string)) {
	if n == nil {
		return
	}
	for _, p := range n.Pairs {
		Names(p.Value, each)
	}
	for _, item := range n.Items {
		Names(item, each)
	}
	if n.Kind == document.String {
		NamesIn(n.Text, func(name string) { each(n, name) })
	}
}

// NamesIn lists the references of a text.
func NamesIn(text string, each func(name string)) {
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[0], "$$") {
			each(m[1])
		}
	}
}

// Quoted is a text as JSON.
func Quoted(s string) json.RawMessage {
	return (&document.Node{Kind: document.String, Text: s}).JSON()
}

// Escape returns a text that a suite reads as this text: what looks like a reference is none.
func Escape(text string) string {
	return literal.ReplaceAllString(text, "$$$0")
}

// literal matches what a text must not contain to be read verbatim.
var literal = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)
