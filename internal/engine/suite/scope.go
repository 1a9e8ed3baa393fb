package suite

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A scope resolves ${name}: values captured by earlier steps, then those of the case, then fixtures, then the file's
// variables, then the environment.
type scope struct {
	captured  map[string]json.RawMessage
	row       map[string]*document.Node
	fixtures  *fixtureValues
	variables map[string]*document.Node
	lookup    func(name string) (string, bool) // the environment
	use       func(fixture string)             // receives the fixtures that are referred to; may be nil
	literal   bool                             // ${name} is a text like any other
}

// reference matches ${name}, and $${name}, which means a literal ${name}.
var reference = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// value is the value of a name, as JSON.
func (s scope) value(name string, depth int) (json.RawMessage, error) {
	if raw, ok := s.captured[name]; ok {
		return raw, nil
	}
	n, ok := s.row[name]
	if raw, isFixture := s.fixtures.value(name); isFixture && !ok {
		if s.use != nil {
			s.use(name)
		}
		return raw, nil
	}
	if !ok {
		n, ok = s.variables[name]
	}
	if ok {
		if depth > maxNesting {
			return nil, fmt.Errorf("${%s} refers to itself", name)
		}
		return s.node(n, depth+1)
	}
	if s.lookup != nil {
		if text, ok := s.lookup(name); ok {
			return quoted(text), nil
		}
	}
	return nil, fmt.Errorf("${%s} is undefined: not a variable, fixture, captured value or environment variable", name)
}

// maxNesting is the maximum depth of references between variables.
const maxNesting = 20

// json is a node with the references in its strings replaced. A string that is a single reference becomes the value
// itself, of any type.
func (s scope) json(n *document.Node) (json.RawMessage, error) {
	if n == nil {
		return nil, nil
	}
	if s.literal {
		return n.JSON(), nil
	}
	return s.node(n, 0)
}

func (s scope) node(n *document.Node, depth int) (json.RawMessage, error) {
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
			out = append(append(append(out, quoted(p.Key)...), ':'), raw...)
		}
		return append(out, '}'), nil
	}
	return n.JSON(), nil
}

func (s scope) string(text string, depth int) (json.RawMessage, error) {
	if !strings.Contains(text, "${") {
		return quoted(text), nil
	}
	if m := reference.FindStringSubmatch(text); m != nil && m[0] == text && !strings.HasPrefix(text, "$$") {
		return s.value(m[1], depth)
	}
	expanded, err := s.expand(text, depth)
	return quoted(expanded), err
}

// text replaces references in a string.
func (s scope) text(text string) (string, error) {
	if s.literal {
		return text, nil
	}
	return s.expand(text, 0)
}

func (s scope) expand(text string, depth int) (string, error) {
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

// names lists the references of a node, each with its node.
func names(n *document.Node, each func(at *document.Node, name string)) {
	if n == nil {
		return
	}
	for _, p := range n.Pairs {
		names(p.Value, each)
	}
	for _, item := range n.Items {
		names(item, each)
	}
	if n.Kind == document.String {
		namesIn(n.Text, func(name string) { each(n, name) })
	}
}

func namesIn(text string, each func(name string)) {
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[0], "$$") {
			each(m[1])
		}
	}
}

func quoted(s string) json.RawMessage {
	return (&document.Node{Kind: document.String, Text: s}).JSON()
}

// Escape returns a text that a suite reads as this text: what looks like a reference is none.
func Escape(text string) string {
	return literal.ReplaceAllString(text, "$$$0")
}

// literal matches what a text must not contain to be read verbatim.
var literal = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)
