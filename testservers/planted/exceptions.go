package planted

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// exceptions are servers whose framework turns an exception of the tool into a result with isError.
func exceptions() []Creature {
	raises := func(text string) func(*server) string { return func(s *server) string { return s.failed(text) } }
	empty := func(a json.RawMessage) bool { return text(a, "name") == "" }
	wide := func(a json.RawMessage) bool {
		return strings.IndexFunc(text(a, "name"), func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
	}
	return []Creature{
		{Name: "Python exception without the optional", input: free, Rule: "FUZZ-014", Smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return !has(a, "note") },
				raises("Error executing tool work: 'NoneType' object has no attribute 'strip'"))},
		{Name: "Python exception on letters", input: free, Rule: "FUZZ-014", Smallest: `{"name":"é"}`,
			work: when(wide, raises("'ascii' codec can't encode character in position 0: ordinal not in range(128)"))},
		{Name: "Node exception on an empty list", input: list, Rule: "FUZZ-014", Smallest: `{"items":[]}`,
			work: when(func(a json.RawMessage) bool { return items(a) == 0 },
				raises("Cannot read properties of undefined (reading 'length')"))},
		{Name: "Go exception on an empty text", input: free, Rule: "FUZZ-014", Smallest: `{"name":""}`,
			work: when(empty, raises("runtime error: index out of range [0] with length 0"))},
		{Name: "Rust exception on an empty text", input: free, Rule: "FUZZ-014", Smallest: `{"name":""}`,
			work: when(empty, raises("called `Option::unwrap()` on a `None` value"))},
		{Name: "Java exception on an empty text", input: free, Rule: "FUZZ-014", Smallest: `{"name":""}`,
			work: when(empty, raises("java.lang.StringIndexOutOfBoundsException: begin 0, end 1, length 0"))},
		{Name: "C# exception at zero", input: percent, Rule: "FUZZ-014", Smallest: `{"n":0}`,
			work: when(func(a json.RawMessage) bool { return text(a, "n") == "0" },
				raises("Attempted to divide by zero."))},
		{Name: "Python exception on every time", input: object(`"at":{"type":"string","format":"date-time"}`, `"at"`),
			Rule: "FUZZ-014", Smallest: `{"at":"2025-01-31T12:00:00Z"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "at") != "" },
				raises("Error executing tool work: 'NoneType' object has no attribute 'tzinfo'"))},
		{Name: "formats no error", input: free, Rule: "FUZZ-014", Smallest: `{"name":""}`,
			work: when(empty, raises("get work: %!w(<nil>)"))},
		{Name: "exception that the SDK hides", input: free, Rule: "FUZZ-014", Smallest: `{"name":""}`,
			work: when(empty, func(s *server) string {
				fmt.Fprintln(os.Stderr, "Traceback (most recent call last):\nIndexError: string index out of range")
				return s.failed("Error executing tool work")
			})},
		{Name: "exception without a log", input: free, Rule: "FUZZ-014", Smallest: `{"name":""}`,
			work: when(empty, raises("An error occurred invoking 'work'."))},
		{Name: "a member of every object", input: free, Rule: "FUZZ-014", Smallest: `{"name":"constructor"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "name") == "constructor" },
				raises("products.map is not a function"))},
		{Name: "a text that is parsed", input: free, Rule: "FUZZ-027", Smallest: `{"name":"{\"\":1}"}`,
			work: when(func(a json.RawMessage) bool { return json.Valid([]byte(text(a, "name"))) },
				raises("name\n  Input should be a valid string [type=string_type, input_value=12, input_type=int]"))},
		{Name: "a union that the schema does not show", input: `{"type":"object","properties":{}}`, Rule: "FUZZ-027", Smallest: `{}`,
			work: when(func(a json.RawMessage) bool { return text(a, "kind") == "" },
				raises("MCP error -32602: Input validation error: Invalid arguments for tool work: Invalid discriminator value. "+
					"Expected 'circle' | 'square' at kind"))},
		{Name: "regular expression of a text", input: free, Rule: "FUZZ-014", Smallest: `{"name":"("}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "(") },
				raises("Error executing tool work: missing ), unterminated subpattern at position 0"))},
		{Name: "exception when a call is repeated", input: free, Rule: "FUZZ-014",
			Smallest: `{"name":""} then {"name":""}`,
			work: func(s *server, a json.RawMessage) string {
				if s.memory[string(a)] != "" {
					return s.failed("TypeError: list indices must be integers or slices, not str")
				}
				s.memory[string(a)] = "cached"
				return fine
			}},
		{Name: "exception on a leap day", input: object(`"day":{"type":"string","format":"date"}`, `"day"`), Rule: "FUZZ-014",
			Smallest: `{"day":"2024-02-29"}`,
			work: when(func(a json.RawMessage) bool { return strings.HasSuffix(text(a, "day"), "-02-29") },
				func(s *server) string { return s.failed("day is out of range for month") })},
		{Name: "exception on a combination", input: object(`"line":{"type":"string","enum":["M1","M2","M3","M4","M5","M6"]},`+
			`"day":{"type":"string","enum":["weekday","saturday","sunday","holiday"]}`, `"line","day"`),
			Rule: "FUZZ-014", Smallest: `{"line":"M4","day":"holiday"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "line") == "M4" && text(a, "day") == "holiday" },
				raises("KeyError: 'holiday'"))},
		{Name: "exception in the second call", input: free, Rule: "FUZZ-014", Smallest: `{} then {"name":""}`,
			work: func(s *server, _ json.RawMessage) string {
				if s.calls > 1 {
					return s.failed("KeyError: 'cursor'")
				}
				return fine
			}},
	}
}

// limits are servers that disagree with their schema about a limit.
func limits() []Creature {
	const minutes = `"n":{"type":"integer","minimum":15,"maximum":240`
	const either = `{"type":"object","properties":{"card":{"type":"integer"},"mail":{"type":"string"}},` +
		`"%s":[{"required":["card"]},{"required":["mail"]}],"additionalProperties":false}`
	tags := `"tags":{"type":"array","items":{"type":"string","pattern":"^[a-z]{1,3}$"},"uniqueItems":true`
	return []Creature{
		{Name: "fails at the maximum", input: percent, Rule: "FUZZ-015", Smallest: `{"n":100}`,
			work: when(func(a json.RawMessage) bool { return text(a, "n") == "100" },
				func(s *server) string { return s.failed("n must be below 100") })},
		{Name: "narrower than its schema", input: percent, Rule: "FUZZ-026", Smallest: `{"n":99}`,
			work: when(func(a json.RawMessage) bool { n, _ := strconv.Atoi(text(a, "n")); return n > 50 },
				func(s *server) string { return s.failed("n must be between 0 and 50") })},
		{Name: "accepts any step", input: object(minutes+`,"multipleOf":15}`, `"n"`), loose: true, Rule: "FUZZ-004",
			Smallest: `{"n":16}`,
			work:     func(s *server, a json.RawMessage) string { return s.strict(a, object(minutes+`}`, `"n"`)) }},
		{Name: "accepts two alternatives", input: fmt.Sprintf(either, "oneOf"), loose: true, Rule: "FUZZ-004",
			Smallest: `{"mail":"","card":0}`,
			work:     func(s *server, a json.RawMessage) string { return s.strict(a, fmt.Sprintf(either, "anyOf")) }},
		{Name: "accepts a fraction for an integer", input: percent, loose: true, Rule: "FUZZ-004",
			Smallest: `{"n":0.5}`,
			work: func(s *server, a json.RawMessage) string {
				return s.strict(a, object(`"n":{"type":"number","minimum":0,"maximum":100}`, `"n"`))
			}},
		{Name: "accepts one distinct item too many", input: object(tags+`,"maxItems":2}`, `"tags"`), loose: true,
			Rule: "FUZZ-004", Smallest: `{"tags":["a","b","c"]}`,
			work: func(s *server, a json.RawMessage) string { return s.strict(a, object(tags+`}`, `"tags"`)) }},
	}
}
