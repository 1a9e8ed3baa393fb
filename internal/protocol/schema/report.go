package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// A reporter converts the library's tree of errors to a flat list.
type reporter struct {
	root       any // the decoded value, to show what was received; nil if there is none to show
	violations []Violation
	omitted    int
}

func (r *reporter) collect(err *jsonschema.ValidationError) {
	switch err.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range err.Causes {
			r.collect(cause)
		}
	default:
		if len(r.violations) >= maxViolations { // before anything is formatted: a value can violate a schema 100,000 times
			r.omitted++
			return
		}
		r.one(err)
	}
}

// one reports an error that is not a group of others.
func (r *reporter) one(err *jsonschema.ValidationError) {
	switch k := err.ErrorKind.(type) {
	case *kind.AnyOf:
		r.alternatives(err, "anyOf")
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			r.alternatives(err, "oneOf")
			return
		}
		r.add(err, "oneOf", "exactly one matching alternative",
			fmt.Sprintf("matches for alternatives %d and %d", k.Subschemas[0]+1, k.Subschemas[1]+1))
	default:
		r.leaf(err)
	}
}

// add records one violation with a message in the common form.
func (r *reporter) add(err *jsonschema.ValidationError, rule, expected, received string) {
	r.addMessage(err, rule, expected, received, fmt.Sprintf("expected %s, received %s", expected, received))
}

func (r *reporter) addMessage(err *jsonschema.ValidationError, rule, expected, received, text string) {
	path := pointerOf(err.InstanceLocation)
	if label := Label(path); label != "" {
		text = label + ": " + text
	}
	r.violations = append(r.violations, Violation{Path: path, Rule: rule, Expected: expected, Received: received,
		Message: text})
}

// missing reports all missing properties of an object as one violation.
func (r *reporter) missing(err *jsonschema.ValidationError, names []string) {
	r.violations = append(r.violations, missing(pointerOf(err.InstanceLocation), names))
}

func pointerOf(tokens []string) string {
	var pointer strings.Builder
	for _, token := range tokens {
		pointer.WriteByte('/')
		pointer.WriteString(Token(token))
	}
	return pointer.String()
}

// leaf reports an error that has no alternatives below it.
func (r *reporter) leaf(err *jsonschema.ValidationError) {
	switch k := err.ErrorKind.(type) {
	case *kind.Type:
		expected := strings.Join(k.Want, " or ")
		r.addMessage(err, "type", expected, k.Got,
			fmt.Sprintf("expected %s, received %s", expected, r.typed(err, k.Got)))
	case *kind.Required:
		r.missing(err, k.Missing)
	case *kind.AdditionalProperties:
		names := naming(slices.Sorted(slices.Values(k.Properties)))
		r.addMessage(err, "additionalProperties", "only declared properties", names, "not allowed: "+names)
	case *kind.Enum:
		r.add(err, "enum", "one of "+listing(k.Want), show(k.Got))
	case *kind.Const:
		r.add(err, "const", show(k.Want), show(k.Got))
	case *kind.Pattern:
		r.add(err, "pattern", "a string that matches "+k.Want, show(k.Got))
	case *kind.Format:
		r.add(err, "format", "format "+k.Want, show(k.Got))
	case *kind.FalseSchema:
		r.addMessage(err, "false", "nothing", r.show(err), "value not allowed")
	case *kind.Not:
		r.add(err, "not", "a value that does not match the schema in not", r.show(err))
	default:
		r.limit(err)
	}
}

// limit reports the keywords that compare with a bound.
func (r *reporter) limit(err *jsonschema.ValidationError) {
	switch k := err.ErrorKind.(type) {
	case *kind.Minimum:
		r.add(err, "minimum", "at least "+number(k.Want), number(k.Got))
	case *kind.Maximum:
		r.add(err, "maximum", "at most "+number(k.Want), number(k.Got))
	case *kind.ExclusiveMinimum:
		r.add(err, "exclusiveMinimum", "more than "+number(k.Want), number(k.Got))
	case *kind.ExclusiveMaximum:
		r.add(err, "exclusiveMaximum", "less than "+number(k.Want), number(k.Got))
	case *kind.MultipleOf:
		r.add(err, "multipleOf", "a multiple of "+number(k.Want), number(k.Got))
	case *kind.MinLength:
		r.add(err, "minLength", fmt.Sprintf("at least %d characters", k.Want), fmt.Sprint(k.Got))
	case *kind.MaxLength:
		r.add(err, "maxLength", fmt.Sprintf("at most %d characters", k.Want), fmt.Sprint(k.Got))
	case *kind.MinItems:
		r.add(err, "minItems", fmt.Sprintf("at least %d items", k.Want), fmt.Sprint(k.Got))
	case *kind.MaxItems:
		r.add(err, "maxItems", fmt.Sprintf("at most %d items", k.Want), fmt.Sprint(k.Got))
	case *kind.MinProperties:
		r.add(err, "minProperties", fmt.Sprintf("at least %d properties", k.Want), fmt.Sprint(k.Got))
	case *kind.MaxProperties:
		r.add(err, "maxProperties", fmt.Sprintf("at most %d properties", k.Want), fmt.Sprint(k.Got))
	case *kind.UniqueItems:
		r.add(err, "uniqueItems", "unique items",
			fmt.Sprintf("duplicates at %d and %d", k.Duplicates[0], k.Duplicates[1]))
	default:
		r.other(err)
	}
}

// other reports the rare keywords with the library's own message.
func (r *reporter) other(err *jsonschema.ValidationError) {
	rule := "schema"
	if path := err.ErrorKind.KeywordPath(); len(path) > 0 {
		rule = path[0]
	}
	switch k := err.ErrorKind.(type) {
	case *kind.Contains:
		r.add(err, rule, "an item that matches the schema in contains", "none")
	case *kind.MinContains:
		r.add(err, rule, fmt.Sprintf("at least %d items that match the schema in contains", k.Want),
			fmt.Sprint(len(k.Got)))
	case *kind.MaxContains:
		r.add(err, rule, fmt.Sprintf("at most %d items that match the schema in contains", k.Want),
			fmt.Sprint(len(k.Got)))
	case *kind.PropertyNames:
		r.add(err, rule, "property names that match the schema", string(rawjson.Quote(k.Property)))
	case *kind.DependentRequired:
		r.addMessage(err, rule, naming(k.Missing), "nothing",
			fmt.Sprintf("missing, required because %s is present: %s", k.Prop, naming(k.Missing)))
	case *kind.Dependency:
		r.addMessage(err, "dependencies", naming(k.Missing), "nothing",
			fmt.Sprintf("missing, required because %s is present: %s", k.Prop, naming(k.Missing)))
	default:
		text := err.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		r.addMessage(err, rule, text, r.show(err), text)
	}
}

// typed returns the type and the value if it is short.
func (r *reporter) typed(err *jsonschema.ValidationError, got string) string {
	switch got {
	case "string", "number", "boolean":
		if shown := r.show(err); shown != "" {
			return got + " " + shown
		}
	}
	return got
}

func (r *reporter) show(err *jsonschema.ValidationError) string {
	value, ok := lookup(r.root, err.InstanceLocation)
	if !ok {
		return ""
	}
	return show(value)
}

func lookup(value any, tokens []string) (any, bool) {
	for _, token := range tokens {
		var ok bool
		switch v := value.(type) {
		case map[string]any:
			value, ok = v[token]
		case []any:
			var i int
			if i, ok = index(token); ok && i < len(v) {
				value = v[i]
			} else {
				ok = false
			}
		}
		if !ok {
			return nil, false
		}
	}
	return value, value != nil
}

// show formats a value as short JSON.
func show(value any) string {
	switch value := value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		return clip.Text(string(rawjson.Quote(clip.Text(value, 200))), 80)
	case json.Number:
		return clip.Text(value.String(), 80)
	case nil:
		return "null"
	}
	return fmt.Sprint(value)
}

// maxListed is the maximum number of values or names in a message; the rest is counted.
const maxListed = 10

func listing(values []any) string {
	var shown []string
	for _, value := range values[:min(len(values), maxListed)] {
		shown = append(shown, show(value))
	}
	return tallied(shown, len(values))
}

// naming lists names unchanged; each is truncated if it is unreasonably long.
func naming(names []string) string {
	var shown []string
	for _, name := range names[:min(len(names), maxListed)] {
		shown = append(shown, clip.Text(name, 200))
	}
	return tallied(shown, len(names))
}

func tallied(shown []string, total int) string {
	text := strings.Join(shown, ", ")
	if more := total - len(shown); more > 0 {
		text += fmt.Sprintf(", … and %d more", more)
	}
	return text
}

// number formats a rational exactly: as a decimal, which every JSON number is.
func number(r *big.Rat) string {
	if r.IsInt() {
		return clip.Text(r.Num().String(), 80)
	}
	if digits, exact := r.FloatPrec(); exact {
		return clip.Text(r.FloatString(digits), 80)
	}
	return r.RatString()
}
