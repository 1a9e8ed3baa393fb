package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// A schemaStats is the result of one pass over a schema before it is compiled.
type schemaStats struct {
	dialect  string
	known    map[string]bool // the pointers of all subschemas; nil if there are too few references to matter
	refs     []position
	patterns []position
	anchors  map[string]int // how often each dynamic anchor is declared
}

// A position is a string and its location.
type position struct{ pointer, text string }

// Bounded checks a schema against the limits; nil means the defaults. The error is a [*CompileError]. It costs
// much less than [Compile], which does the same check.
func Bounded(raw json.RawMessage, limits *Limits) error {
	within := limits.withDefaults()
	counts, err := readable(raw, within)
	if err != nil {
		return err
	}
	fewRefs := refsIn(raw)*counts.candidates <= maxSubschemas
	if within.Depth <= MaxDepth && counts.values <= within.Subschemas && fewRefs && !mayDeclareAnchors(raw) {
		return nil // it is too small for the other limits
	}
	_, err = count(raw, within, counts)
	return err
}

// inspect checks a schema against the limits. It is linear in the size of the schema.
func inspect(raw json.RawMessage, limits Limits) (*schemaStats, error) {
	counts, err := readable(raw, limits)
	if err != nil {
		return nil, err
	}
	return count(raw, limits, counts)
}

// readable checks what can be checked without reading subschemas.
func readable(raw json.RawMessage, limits Limits) (prescanned, error) {
	if len(raw) > limits.Bytes {
		return prescanned{}, tooMuch("the schema has %d bytes, expected at most %d", len(raw), limits.Bytes)
	}
	counts, err := prescan(raw, limits.Depth)
	var syntax *SyntaxError
	if err != nil && !errors.As(err, &syntax) {
		return counts, tooMuch("schema rejected: %v", err)
	}
	if err != nil || !valid(raw) {
		return counts, &CompileError{Kind: NotJSON, Message: "the schema is not valid JSON"}
	}
	if counts.candidates > 4*limits.Subschemas {
		return counts, tooMuch("the schema has %d objects and booleans, expected at most %d", counts.candidates,
			4*limits.Subschemas)
	}
	return counts, nil
}

// count reads the subschemas and checks their number and their references.
func count(raw json.RawMessage, limits Limits, counts prescanned) (*schemaStats, error) {
	s, subschemas := &schemaStats{anchors: map[string]int{}}, 0
	refs := refsIn(raw)
	if refs*counts.candidates > maxSubschemas {
		s.known = map[string]bool{}
	}
	err := walkValid(raw, func(n Node) bool {
		subschemas++
		s.note(&n)
		if s.known != nil {
			s.known[n.Pointer] = true
		}
		return subschemas <= limits.Subschemas
	})
	if err != nil {
		return nil, tooMuch("schema rejected: %v", err)
	}
	if subschemas > limits.Subschemas {
		return nil, tooMuch("the schema has more than %d subschemas", limits.Subschemas)
	}
	if s.known != nil && s.hasUnknownTarget() {
		return nil, tooMuch("the schema has %d references, some of them not to subschemas", refs)
	}
	return s, s.checkAnchors()
}

// refsIn counts references in the text: those inside locations that are not subschemas are not walked.
func refsIn(raw json.RawMessage) int {
	return bytes.Count(raw, []byte(`ref"`)) + bytes.Count(raw, []byte(`\u`))
}

// mayDeclareAnchors reports whether the text can contain $dynamicAnchor or $recursiveAnchor, perhaps with escapes.
func mayDeclareAnchors(raw json.RawMessage) bool {
	return bytes.Contains(raw, []byte(`Anchor"`)) || bytes.Contains(raw, []byte(`\u`))
}

// maxSubschemas limits references times subschemas if a reference points to a location that is not a subschema by
// keyword: for each of those the library scans everything.
const maxSubschemas = 400_000

// hasUnknownTarget reports whether a reference points to a location that is not a known subschema.
func (s *schemaStats) hasUnknownTarget() bool {
	return slices.ContainsFunc(s.refs, func(ref position) bool {
		pointer, local := strings.CutPrefix(ref.text, "#")
		return local && strings.HasPrefix(pointer, "/") && !s.known[pointer]
	})
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
