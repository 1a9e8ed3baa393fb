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

// A schemaStats is the result of one pass over a schema before it is compiled.
type schemaStats struct {
	dialect  string
	known    map[string]bool // the pointers of all subschemas
	refs     []position
	patterns []position
	anchors  map[string]int // how often each dynamic anchor is declared
}

// A position is a string and its location.
type position struct{ pointer, text string }

// Bounded checks a schema against the limits; nil means the defaults. The error is a [*CompileError]. It costs
// much less than [Compile], which does the same check.
func Bounded(raw json.RawMessage, limits *Limits) error {
	_, err := inspect(raw, limits.withDefaults())
	return err
}

// inspect checks a schema against the limits. It is linear in the size of the schema.
func inspect(raw json.RawMessage, limits Limits) (*schemaStats, error) {
	if len(raw) > limits.Bytes {
		return nil, tooMuch("the schema has %d bytes, expected at most %d", len(raw), limits.Bytes)
	}
	candidates, err := prescan(raw, limits.Depth)
	var syntax *SyntaxError
	if err != nil && !errors.As(err, &syntax) {
		return nil, tooMuch("schema rejected: %v", err)
	}
	if err != nil || !valid(raw) {
		return nil, &CompileError{Kind: NotJSON, Message: "the schema is not valid JSON"}
	}
	if candidates > 4*limits.Subschemas {
		return nil, tooMuch("the schema has %d objects and booleans, expected at most %d", candidates,
			4*limits.Subschemas)
	}
	s, subschemas := &schemaStats{anchors: map[string]int{}, known: map[string]bool{}}, 0
	err = Walk(raw, func(n Node) bool {
		subschemas++
		s.note(&n)
		s.known[n.Pointer] = true
		return subschemas <= limits.Subschemas
	})
	if err != nil {
		return nil, tooMuch("schema rejected: %v", err)
	}
	if subschemas > limits.Subschemas {
		return nil, tooMuch("the schema has more than %d subschemas", limits.Subschemas)
	}
	if err := s.checkSubschemas(raw, candidates); err != nil {
		return nil, err
	}
	return s, s.checkAnchors()
}

// maxSubschemas limits references times subschemas if a reference points to a location that is not a subschema by
// keyword: for each of those the library scans everything.
const maxSubschemas = 400_000

// checkSubschemas counts references in the text: those inside such locations were not walked.
func (s *schemaStats) checkSubschemas(raw json.RawMessage, candidates int) error {
	unknown := slices.ContainsFunc(s.refs, func(ref position) bool {
		pointer, local := strings.CutPrefix(ref.text, "#")
		return local && strings.HasPrefix(pointer, "/") && !s.known[pointer]
	})
	refs := bytes.Count(raw, []byte(`ref"`)) + bytes.Count(raw, []byte(`\u`))
	if unknown && refs*candidates > maxSubschemas {
		return tooMuch("the schema has %d references, some of them not to subschemas", refs)
	}
	return nil
}

// checkAnchors rejects dynamic references whose target depends on the path of validation: their cost cannot be
// limited in advance. A dynamic anchor that is declared once is equivalent to a plain one.
func (s *schemaStats) checkAnchors() error {
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

func (s *schemaStats) note(n *Node) {
	for _, m := range n.Members {
		switch m.Name {
		case "$schema":
			if name, ok := Text(m.Value); ok && n.Pointer == "" {
				s.dialect = name
			}
		case "$ref", "$dynamicRef", "$recursiveRef":
			if ref, ok := Text(m.Value); ok {
				s.refs = append(s.refs, position{n.At(m.Name), ref})
			}
		case "$dynamicAnchor", "$recursiveAnchor":
			name, _ := Text(m.Value)
			s.anchors[name]++
		case "pattern":
			if pattern, ok := Text(m.Value); ok {
				s.patterns = append(s.patterns, position{n.At(m.Name), pattern})
			}
		case "patternProperties":
			entries, _ := Members(m.Value)
			for _, entry := range entries {
				s.patterns = append(s.patterns, position{n.At(m.Name) + "/" + Token(entry.Name), entry.Name})
			}
		}
	}
}

// nonRE2 lists the patterns that need the backtracking engine.
func (s *schemaStats) nonRE2(seen map[string]jsonschema.Regexp) []NonRE2Pattern {
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
