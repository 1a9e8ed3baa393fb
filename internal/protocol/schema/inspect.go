package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A survey is what one pass over a schema tells before it is compiled.
type survey struct {
	dialect  string
	known    map[string]bool // the pointers of all subschemas
	refs     []place
	patterns []place
	anchors  map[string]int // how often each dynamic anchor is declared
}

// A place is a string and where it stands.
type place struct{ pointer, text string }

// Bounded reports whether a schema keeps within the limits, which nil leaves at their defaults. The error is a
// [*CompileError]. It costs much less than [Compile], which asks the same.
func Bounded(raw json.RawMessage, limits *Limits) error {
	_, err := inspect(raw, limits.withDefaults())
	return err
}

// inspect holds a schema against the limits. It is linear in the size of the schema.
func inspect(raw json.RawMessage, limits Limits) (*survey, error) {
	if len(raw) > limits.Bytes {
		return nil, tooMuch("the schema has %d bytes; at most %d are allowed", len(raw), limits.Bytes)
	}
	candidates, err := prescan(raw, limits.Depth)
	var syntax *SyntaxError
	if err != nil && !errors.As(err, &syntax) {
		return nil, tooMuch("the schema is refused: %v", err)
	}
	if err != nil || !valid(raw) {
		return nil, &CompileError{Kind: NotJSON, Message: "the schema is not valid JSON"}
	}
	if candidates > 4*limits.Subschemas {
		return nil, tooMuch("the schema has %d objects and booleans; at most %d are allowed", candidates, 4*limits.Subschemas)
	}
	s, subschemas := &survey{anchors: map[string]int{}, known: map[string]bool{}}, 0
	err = Walk(raw, func(n Node) bool {
		subschemas++
		s.note(&n)
		s.known[n.Pointer] = true
		return subschemas <= limits.Subschemas
	})
	if err != nil {
		return nil, tooMuch("the schema is refused: %v", err)
	}
	if subschemas > limits.Subschemas {
		return nil, tooMuch("the schema has more than %d subschemas", limits.Subschemas)
	}
	if err := s.checkPlaces(raw, candidates); err != nil {
		return nil, err
	}
	return s, s.checkAnchors()
}

// mostPlaces bounds references times subschemas where a reference leads to a place that no keyword makes a subschema:
// for each of those the library goes over everything that it knows.
const mostPlaces = 400_000

// checkPlaces counts references in the text: those inside such places were not walked.
func (s *survey) checkPlaces(raw json.RawMessage, candidates int) error {
	unknown := slices.ContainsFunc(s.refs, func(ref place) bool {
		pointer, local := strings.CutPrefix(ref.text, "#")
		return local && strings.HasPrefix(pointer, "/") && !s.known[pointer]
	})
	refs := bytes.Count(raw, []byte(`ref"`)) + bytes.Count(raw, []byte(`\u`))
	if unknown && refs*candidates > mostPlaces {
		return tooMuch("the schema has %d references, some to places that are no subschemas", refs)
	}
	return nil
}

// checkAnchors refuses dynamic references whose target depends on the way that validation took: their cost cannot be
// bounded beforehand. A dynamic anchor that is declared once is as good as a plain one.
func (s *survey) checkAnchors() error {
	for _, ref := range s.refs {
		if strings.Contains(ref.text, "://json-schema.org/") {
			s.anchors["meta"]++ // the metaschemas declare it themselves
			break
		}
	}
	for name, count := range s.anchors {
		if count > 1 {
			return tooMuch("the schema declares the dynamic anchor %q more than once", name)
		}
	}
	return nil
}

func (s *survey) note(n *Node) {
	for _, m := range n.Members {
		switch m.Name {
		case "$schema":
			if name, ok := Text(m.Value); ok && n.Pointer == "" {
				s.dialect = name
			}
		case "$ref", "$dynamicRef", "$recursiveRef":
			if ref, ok := Text(m.Value); ok {
				s.refs = append(s.refs, place{n.At(m.Name), ref})
			}
		case "$dynamicAnchor", "$recursiveAnchor":
			name, _ := Text(m.Value)
			s.anchors[name]++
		case "pattern":
			if pattern, ok := Text(m.Value); ok {
				s.patterns = append(s.patterns, place{n.At(m.Name), pattern})
			}
		case "patternProperties":
			entries, _ := Members(m.Value)
			for _, entry := range entries {
				s.patterns = append(s.patterns, place{n.At(m.Name) + "/" + Token(entry.Name), entry.Name})
			}
		}
	}
}

// nonRE2 lists the patterns that the compiler had to hand to the backtracking engine.
func (s *survey) nonRE2(seen map[string]jsonschema.Regexp) []NonRE2Pattern {
	var found []NonRE2Pattern
	for _, p := range s.patterns {
		if slow, ok := seen[p.text].(*backtracking); ok {
			found = append(found, NonRE2Pattern{Pointer: p.pointer, Pattern: p.text, Reason: slow.reason})
		}
	}
	return found
}

func tooMuch(format string, args ...any) error {
	return &CompileError{Kind: OverLimit, Message: fmt.Sprintf(format, args...)}
}
