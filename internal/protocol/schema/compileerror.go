package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// A CompileErrorKind is the reason why a schema cannot be used.
type CompileErrorKind string

// The kinds of [CompileError].
const (
	NotJSON        CompileErrorKind = "not-json"
	OverLimit      CompileErrorKind = "limit"       // exceeds the size, depth or width limits
	RemoteRef      CompileErrorKind = "remote-ref"  // a reference out of the document, which is never followed
	BrokenRef      CompileErrorKind = "broken-ref"  // a reference to something that does not exist in the document
	EndlessRef     CompileErrorKind = "endless-ref" // subschemas that apply each other to the same value infinitely
	UnknownDialect CompileErrorKind = "dialect"
	BadPattern     CompileErrorKind = "pattern"
	Invalid        CompileErrorKind = "invalid" // against the metaschema; see Violations
)

// A CompileError reports why a schema cannot be used, and where.
type CompileError struct {
	Kind       CompileErrorKind `json:"kind"`
	Pointer    string           `json:"pointer,omitempty"` // into the schema, if known
	Message    string           `json:"message"`
	Violations []Violation      `json:"violations,omitempty"` // of the metaschema; paths point into the schema
}

// Error returns the message, which contains the location.
func (e *CompileError) Error() string { return e.Message }

// explain converts the library's error to ours.
func explain(err error, doc any, survey *schemaStats) error {
	var (
		metaschema *jsonschema.SchemaValidationError
		load       *jsonschema.LoadURLError
		pattern    *jsonschema.InvalidRegexError
		pointer    *jsonschema.JSONPointerNotFoundError
		anchor     *jsonschema.AnchorNotFoundError
	)
	switch {
	case errors.As(err, &metaschema):
		return explainInvalid(metaschema, doc)
	case errors.As(err, &load):
		at := survey.ref(load.URL)
		return &CompileError{Kind: RemoteRef, Pointer: at.pointer,
			Message: fmt.Sprintf("%s: remote reference %q is not fetched", Label(at.pointer), at.text)}
	case errors.As(err, &pattern):
		return explainPattern(position{"", pattern.Regex}, pattern.Err)
	case errors.As(err, &pointer):
		return brokenRef(pointer.URL, survey)
	case errors.As(err, &anchor):
		return brokenRef(anchor.Reference, survey)
	}
	return &CompileError{Kind: Invalid, Message: strings.ReplaceAll(err.Error(), location, "")}
}

func brokenRef(url string, survey *schemaStats) *CompileError {
	at := survey.ref(url)
	return &CompileError{Kind: BrokenRef, Pointer: at.pointer,
		Message: fmt.Sprintf("%s: unresolved reference %q", Label(at.pointer), at.text)}
}

func explainInvalid(err *jsonschema.SchemaValidationError, doc any) *CompileError {
	result := &CompileError{Kind: Invalid, Message: "the schema is not a valid JSON Schema"}
	var tree *jsonschema.ValidationError
	if !errors.As(err.Err, &tree) {
		return result
	}
	r := reporter{root: doc}
	r.collect(tree)
	result.Violations = sortViolations(r.violations)
	if len(result.Violations) > 0 {
		result.Pointer = result.Violations[0].Path
		result.Message += ": " + result.Violations[0].Message
	}
	return result
}

// ref finds the location of the reference that the library resolved to url.
func (s *schemaStats) ref(url string) position {
	for _, ref := range s.refs {
		if ref.text == url || strings.TrimSuffix(ref.text, "#") == url {
			return ref
		}
	}
	for _, ref := range s.refs {
		if strings.HasSuffix(url, ref.text) || strings.HasPrefix(ref.text, url+"#") {
			return ref
		}
	}
	return position{"", url}
}

func explainPattern(at position, err error) error {
	if _, costly := err.(*patternCostError); costly {
		return &CompileError{Kind: OverLimit, Pointer: at.pointer, Message: "schema rejected: " + err.Error()}
	}
	return &CompileError{Kind: BadPattern, Pointer: at.pointer,
		Message: fmt.Sprintf("%s: invalid regular expression %q: %v", Label(at.pointer), clip.Text(at.text, 80), err)}
}
