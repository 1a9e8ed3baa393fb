package arguments

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// A FieldError reports why text could not be converted to a value.
type FieldError struct {
	Field   string `json:"field"` // display path: user.tags[0]
	Text    string `json:"text"`  // what was typed
	Want    string `json:"want"`  // the expected type
	Message string `json:"message"`
}

// Error returns the message, which contains field, text and expected type.
func (e FieldError) Error() string { return e.Message }

// maxDisplayed is the maximum length of a value in a message.
const maxDisplayed = 80

// fieldError returns the error of a field. Hints say what to enter instead.
func fieldError(label, text, want, problem string, hints ...string) *FieldError {
	message := strings.Join(append([]string{fmt.Sprintf("%q %s, expected %s", clip.Text(text, maxDisplayed), problem,
		want)}, hints...), "; ")
	if label != "" {
		message = label + ": " + message
	}
	return &FieldError{label, text, want, message}
}

// Convert converts text for a single-valued field to a JSON value. Nothing is rounded, truncated or guessed; only the
// space around a number is dropped.
func Convert(f *Field, text string) (json.RawMessage, *FieldError) {
	if f.Kind == KindInteger || f.Kind == KindNumber {
		text = strings.TrimSpace(text)
	}
	switch f.Kind {
	case KindInteger:
		return convertInteger(f, text)
	case KindNumber:
		if !isNumber(text) {
			return nil, fieldError(f.Name, text, "number", "is not a number")
		}
		return json.RawMessage(text), nil
	case KindString:
		if !utf8.ValidString(text) {
			return nil, fieldError(f.Name, text, "string", "is not valid UTF-8")
		}
		return jsonText(text), nil
	case KindBoolean:
		if text != "true" && text != "false" {
			return nil, fieldError(f.Name, text, "boolean", "is not a boolean")
		}
		return json.RawMessage(text), nil
	case KindNull:
		if text != "null" {
			return nil, fieldError(f.Name, text, "null", "is not null")
		}
		return json.RawMessage(text), nil
	case KindEnum:
		return convertEnum(f, text)
	case KindJSON:
		return convertJSON(f, text)
	}
	return nil, fieldError(f.Name, text, string(f.Kind), "is a single value")
}

var number = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

func isNumber(text string) bool { return number().MatchString(text) }

// longExponent is the maximum number of exponent digits for numbers that are written out.
const longExponent = 4

// convertInteger accepts any notation of an integer and writes plain digits: 1e3 is 1000, 42.0 is 42. Plain
// digits are unchanged, whatever their length.
func convertInteger(f *Field, text string) (json.RawMessage, *FieldError) {
	if !isNumber(text) {
		return nil, fieldError(f.Name, text, "integer", "is not an integer")
	}
	mantissa, _, scientific := strings.Cut(strings.ToLower(text), "e")
	if !scientific && !strings.Contains(mantissa, ".") {
		return json.RawMessage(text), nil
	}
	if hugeExponent(json.RawMessage(text)) {
		return nil, fieldError(f.Name, text, "integer", "is too large")
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok || !exact.IsInt() {
		return nil, fieldError(f.Name, text, "integer", "is not an integer")
	}
	return json.RawMessage(exact.Num().String()), nil
}

func convertEnum(f *Field, text string) (json.RawMessage, *FieldError) {
	for _, o := range f.Options {
		if o.Text == text {
			return json.RawMessage(o.Value), nil
		}
	}
	var texts []string
	for _, o := range f.Options {
		texts = append(texts, o.Text)
	}
	return nil, fieldError(f.Name, text, "one of "+strings.Join(texts, ", "), "is not an allowed value")
}

// convertJSON converts JSON, and plain text to a string if any value is allowed. Text that starts like JSON but is not
// valid is an error rather than a string.
func convertJSON(f *Field, text string) (json.RawMessage, *FieldError) {
	trimmed := strings.TrimSpace(text)
	switch {
	case validJSON(text):
		return json.RawMessage(trimmed), nil
	case f.Reason != "" || trimmed == "" || strings.ContainsRune(`{["`, rune(trimmed[0])) || !utf8.ValidString(text):
		return nil, fieldError(f.Name, text, "JSON", "is not valid JSON")
	}
	return jsonText(text), nil
}

func validJSON(text string) bool {
	return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// sameNumber compares two numbers exactly, if they are short enough to compute with.
func sameNumber(a, b json.RawMessage) bool {
	if len(a) > 4000 || len(b) > 4000 || !isNumber(string(a)) || !isNumber(string(b)) || hugeExponent(a) ||
		hugeExponent(b) {
		return false
	}
	x, okX := new(big.Rat).SetString(string(a))
	y, okY := new(big.Rat).SetString(string(b))
	return okX && okY && x.Cmp(y) == 0
}

func hugeExponent(number json.RawMessage) bool {
	_, exponent, _ := strings.Cut(strings.ToLower(string(number)), "e")
	return len(strings.TrimLeft(exponent, "+-0")) >= longExponent
}
