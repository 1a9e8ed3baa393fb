package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A CompileErrorKind says why a schema cannot be used.
type CompileErrorKind string

// The kinds of [CompileError].
const (
	NotJSON        CompileErrorKind = "not-json"
	OverLimit      CompileErrorKind = "limit"       // bigger, deeper or wider than the limits allow
	RemoteRef      CompileErrorKind = "remote-ref"  // a reference out of the document, which is never followed
	BrokenRef      CompileErrorKind = "broken-ref"  // a reference to something that the document does not have
	EndlessRef     CompileErrorKind = "endless-ref" // subschemas that apply each other to the same value for ever
	UnknownDialect CompileErrorKind = "dialect"
	BadPattern     CompileErrorKind = "pattern"
	Invalid        CompileErrorKind = "invalid" // against the metaschema; Violations says how
)

// A CompileError says why a schema cannot be used, and where in it.
type CompileError struct {
	Kind       CompileErrorKind `json:"kind"`
	Pointer    string           `json:"pointer,omitempty"` // into the schema, where known
	Message    string           `json:"message"`
	Violations []Violation      `json:"violations,omitempty"` // of the metaschema; paths point into the schema
}

// Error is the message, which names the place.
func (e *CompileError) Error() string { return e.Message }

// explain turns the library's error into ours.
func explain(err error, doc any, survey *survey) error {
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
			Message: fmt.Sprintf("%s: the reference %q leads out of the schema and is never fetched", Label(at.pointer), at.text)}
	case errors.As(err, &pattern):
		return explainPattern(place{"", pattern.Regex}, pattern.Err)
	case errors.As(err, &pointer):
		return brokenRef(pointer.URL, survey)
	case errors.As(err, &anchor):
		return brokenRef(anchor.Reference, survey)
	}
	return &CompileError{Kind: Invalid, Message: strings.ReplaceAll(err.Error(), location, "")}
}

func brokenRef(url string, survey *survey) *CompileError {
	at := survey.ref(url)
	return &CompileError{Kind: BrokenRef, Pointer: at.pointer,
		Message: fmt.Sprintf("%s: the reference %q leads to nothing", Label(at.pointer), at.text)}
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

// ref finds the place of the reference that the library resolved to url.
func (s *survey) ref(url string) place {
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
	return place{"", url}
}

func explainPattern(at place, err error) error {
	if _, costly := err.(*patternCostError); costly {
		return &CompileError{Kind: OverLimit, Pointer: at.pointer, Message: "the schema is refused: " + err.Error()}
	}
	return &CompileError{Kind: BadPattern, Pointer: at.pointer,
		Message: fmt.Sprintf("%s: the pattern %q is not a regular expression: %v", Label(at.pointer), clip(at.text, 80), err)}
}
