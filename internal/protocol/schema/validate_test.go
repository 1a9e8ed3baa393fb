package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func compile(t testing.TB, raw string, options *Options) *Schema {
	t.Helper()
	s, err := Compile(json.RawMessage(raw), options)
	if err != nil {
		t.Fatalf("Compile(%s) = %v", raw, err)
	}
	return s
}

func TestValidateReportsEachRule(t *testing.T) {
	for _, test := range []struct{ name, schema, value, rule, expected, received, message string }{
		{"type", `{"properties":{"count":{"type":"integer"}}}`, `{"count":"abc"}`, "type", "integer", "string",
			`count: expected integer, received string "abc"`},
		{"a number for an integer", `{"properties":{"count":{"type":"integer"}}}`, `{"count":1.5}`, "type", "integer",
			"number", `count: expected integer, received number 1.5`},
		{"several types", `{"properties":{"x":{"type":["string","null"]}}}`, `{"x":true}`, "type", "null or string",
			"boolean", `x: expected null or string, received boolean true`},
		{"missing parameters in one message", `{"required":["b","a","c"]}`, `{"a":1}`, "required", "b, c", "nothing",
			`missing required: b, c`},
		{"missing inside", `{"properties":{"user":{"required":["name"]}}}`, `{"user":{}}`, "required", "name",
			"nothing", `user: missing required: name`},
		{"additional", `{"additionalProperties":false}`, `{"z":1,"a":2}`, "additionalProperties",
			"only declared properties", "a, z", `not allowed: a, z`},
		{"enum", `{"enum":["a",1]}`, `"b"`, "enum", `one of "a", 1`, `"b"`, `expected one of "a", 1, received "b"`},
		{"const", `{"const":9007199254740993}`, `9007199254740992`, "const", "9007199254740993", "9007199254740992",
			`expected 9007199254740993, received 9007199254740992`},
		{"minimum", `{"minimum":0.1}`, `0.09`, "minimum", "at least 0.1", "0.09",
			`expected at least 0.1, received 0.09`},
		{"maximum is exact", `{"maximum":9007199254740992}`, `9007199254740993`, "maximum", "at most 9007199254740992",
			"9007199254740993", `expected at most 9007199254740992, received 9007199254740993`},
		{"exclusiveMaximum", `{"exclusiveMaximum":1}`, `1`, "exclusiveMaximum", "less than 1", "1",
			`expected less than 1, received 1`},
		{"exclusiveMinimum", `{"exclusiveMinimum":1}`, `1`, "exclusiveMinimum", "more than 1", "1",
			`expected more than 1, received 1`},
		{"multipleOf", `{"multipleOf":0.01}`, `0.075`, "multipleOf", "a multiple of 0.01", "0.075",
			`expected a multiple of 0.01, received 0.075`},
		{"minLength", `{"minLength":3}`, `"ab"`, "minLength", "at least 3 characters", "2",
			`expected at least 3 characters, received 2`},
		{"maxLength", `{"maxLength":1}`, `"äö"`, "maxLength", "at most 1 characters", "2",
			`expected at most 1 characters, received 2`},
		{"pattern", `{"pattern":"^a"}`, `"b"`, "pattern", "a string that matches ^a", `"b"`,
			`expected a string that matches ^a, received "b"`},
		{"minItems", `{"minItems":1}`, `[]`, "minItems", "at least 1 items", "0",
			`expected at least 1 items, received 0`},
		{"maxItems", `{"maxItems":1}`, `[1,2]`, "maxItems", "at most 1 items", "2",
			`expected at most 1 items, received 2`},
		{"uniqueItems", `{"uniqueItems":true}`, `[1,1.0]`, "uniqueItems", "unique items", "duplicates at 0 and 1",
			`expected unique items, received duplicates at 0 and 1`},
		{"minProperties", `{"minProperties":1}`, `{}`, "minProperties", "at least 1 properties", "0",
			`expected at least 1 properties, received 0`},
		{"maxProperties", `{"maxProperties":0}`, `{"a":1}`, "maxProperties", "at most 0 properties", "1",
			`expected at most 0 properties, received 1`},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, "false", "nothing", "1", `a: value not allowed`},
		{"not", `{"not":{"type":"string"}}`, `"a"`, "not", "a value that does not match the schema in not", `"a"`,
			`expected a value that does not match the schema in not, received "a"`},
		{"dependentRequired", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, "dependentRequired", "b", "nothing",
			`missing, required because a is present: b`},
		{"propertyNames", `{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, "propertyNames",
			"property names that match the schema", `"ab"`,
			`expected property names that match the schema, received "ab"`},
		{"contains", `{"contains":{"type":"string"}}`, `[1]`, "contains", "an item that matches the schema in contains",
			"none", `expected an item that matches the schema in contains, received none`},
		{"union of types", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `5`, "type", "string or null", "number",
			`expected string or null, received number 5`},
		{"the meant branch", `{"anyOf":[{"type":"string","minLength":3},{"type":"null"}]}`, `"a"`, "minLength",
			"at least 3 characters", "1", `expected at least 3 characters, received 1`},
		{"the tagged branch", `{"oneOf":[{"properties":{"t":{"const":"a"},"n":{"type":"string"}}},` +
			`{"properties":{"t":{"const":"b"},"n":{"type":"integer"}}}]}`, `{"t":"b","n":"x"}`, "type", "integer",
			"string", `n: expected integer, received string "x"`},
		{"two branches", `{"oneOf":[{"minimum":1},{"maximum":9}]}`, `5`, "oneOf", "exactly one matching alternative",
			"matches for alternatives 1 and 2", `expected exactly one matching alternative, received matches for ` +
				`alternatives 1 and 2`},
		{"no branch", `{"anyOf":[{"minimum":10},{"maximum":1}]}`, `5`, "anyOf", "one of 2 alternatives", "5",
			`matches none of the alternatives: (1) expected at least 10, received 5; (2) expected at most 1, received 5`},
		{"not JSON", `{}`, `{`, "json", "JSON", "", `not valid JSON: unexpected EOF`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := compile(t, test.schema, nil).Validate(json.RawMessage(test.value))
			if len(got) != 1 {
				t.Fatalf("Validate = %+v, want one violation", got)
			}
			got[0].Path, got[0].Missing, got[0].Branches = "", nil, nil // see TestMissing and TestBranches
			want := Violation{Rule: test.rule, Expected: test.expected, Received: test.received, Message: test.message}
			if diff := cmp.Diff(got[0], want); diff != "" {
				t.Errorf("Validate (-got +want)\n%s", diff)
			}
		})
	}
}

func TestBranches(t *testing.T) {
	got := compile(t, `{"anyOf":[{"required":["b","a"]},{"required":["c"]},{"type":"null"}]}`, nil).Validate(json.RawMessage(`{}`))
	if len(got) != 1 || len(got[0].Branches) != 3 || got[0].Branches[1][0].Missing[0] != "c" ||
		got[0].Branches[2][0].Rule != "type" {
		t.Errorf("Validate = %+v, want the violations of each alternative in order", got)
	}
}

// The names of missing properties are data, also where the message lists only some of them.
func TestMissing(t *testing.T) {
	s := compile(t, `{"properties":{"o":{"required":["a, b","c","d0","d1","d2","d3","d4","d5","d6","d7","d8"]}}}`, nil)
	got := s.Validate(json.RawMessage(`{"o":{"c":1}}`))
	want := []string{"a, b", "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"}
	if len(got) != 1 || !slices.Equal(got[0].Missing, want) ||
		got[0].Message != "o: missing required: "+strings.Join(want, ", ") {
		t.Fatalf("got %+v, expected one violation with %q", got, want)
	}
	each := got[0].PerName()
	if len(each) != len(want) || each[0].Message != "o: missing required: a, b" ||
		each[9].Message != "o: missing required: d8" ||
		each[9].Path != "/o" || each[9].Expected != "d8" || !slices.Equal(each[9].Missing, want[9:]) {
		t.Errorf("got %+v, expected one violation per name", each)
	}
	for _, one := range s.Validate(json.RawMessage(`{"o":1}`)) {
		if one.Missing != nil {
			t.Errorf("got %+v, expected no missing names", one)
		}
	}
	one := compile(t, `{"required":["a"]}`, nil).Validate(json.RawMessage(`{}`))
	if len(one) != 1 || !slices.Equal(one[0].Missing, []string{"a"}) || one[0].PerName()[0].Message != one[0].Message {
		t.Errorf("got %+v, expected one violation with one name", one)
	}
}

func TestValidateListsEverythingInAStableOrder(t *testing.T) {
	s := compile(t, `{"required":["x"],"additionalProperties":{"type":"string"},`+
		`"properties":{"list":{"items":{"type":"integer","minimum":5}}}}`, nil)
	const value = `{"list":[1,2,9,9,9,9,9,9,9,9,"a",3],"b":1,"a":{"c":1},"b/c":null}`
	want := []string{"", "/a", "/b", "/b~1c", "/list/0", "/list/1", "/list/10", "/list/11"}
	for range 20 {
		var got []string
		for _, v := range s.Validate(json.RawMessage(value)) {
			got = append(got, v.Path)
		}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Fatalf("paths (-got +want)\n%s", diff)
		}
	}
}

func TestValidateInManyGoroutines(t *testing.T) {
	s := compile(t, `{"properties":{"a":{"pattern":"^(?!x)"},"b":{"format":"regex"}}}`, &Options{AssertFormat: true})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if got := s.Validate(json.RawMessage(`{"a":"xy","b":"("}`)); len(got) != 2 {
					t.Errorf("Validate = %v, want two violations", got)
				}
			}
		})
	}
	group.Wait()
}

func TestFormatIsAnAssertionOnRequest(t *testing.T) {
	for _, dialect := range []string{"http://json-schema.org/draft-04/schema#",
		"http://json-schema.org/draft-06/schema", "http://json-schema.org/draft-07/schema#",
		"https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"} {
		for format, bad := range map[string]string{"email": "x", "date": "x", "uri": "", "uuid": "x", "regex": "("} {
			raw := `{"$schema":"` + dialect + `","format":"` + format + `"}`
			value, _ := json.Marshal(bad)
			if got := compile(t, raw, nil).Validate(value); len(got) > 0 {
				t.Errorf("%s %s is asserted unasked: %v", dialect, format, got)
			}
			if got := compile(t, raw, &Options{AssertFormat: true}).Validate(value); len(got) != 1 ||
				got[0].Rule != "format" {
				t.Errorf("%s %s on request = %v, want a violation", dialect, format, got)
			}
		}
	}
}

func TestRegexFormatInAConstantStays(t *testing.T) {
	s := compile(t, `{"const":{"format":"regex"},"enum":[{"format":"regex"}]}`, nil)
	if got := s.Validate(json.RawMessage(`{"format":"regex"}`)); len(got) > 0 {
		t.Errorf("Validate = %v", got)
	}
}

func TestPatternsOutsideRE2AreNamedAndRun(t *testing.T) {
	s := compile(t, `{"properties":{"a":{"pattern":"^(?!no)\\w+$"},"b":{"pattern":"^\\u0061+$"}},`+
		`"patternProperties":{"(x)\\1":{"type":"string"}}}`, nil)
	var got []string
	for _, p := range s.NonRE2 {
		got = append(got, p.Pointer)
	}
	if diff := cmp.Diff(got, []string{"/patternProperties/(x)\\1", "/properties/a/pattern"}); diff != "" {
		t.Errorf("NonRE2 (-got +want)\n%s", diff)
	}
	for value, want := range map[string]int{`{"a":"yes","b":"aa","xx":"s"}`: 0, `{"a":"nope"}`: 1, `{"b":"b"}`: 1,
		`{"xx":1}`: 1} {
		if violations := s.Validate(json.RawMessage(value)); len(violations) != want {
			t.Errorf("Validate(%s) = %v, want %d", value, violations, want)
		}
	}
}

func TestPatternThatNeverEndsIsReportedAsUndecided(t *testing.T) {
	s := compile(t, `{"pattern":"^(?=a)(a+)+$"}`, nil)
	bad, _ := json.Marshal(strings.Repeat("a", 60) + "!")
	if got := s.Validate(bad); len(got) != 1 || got[0].Rule != RuleLimit {
		t.Errorf("Validate = %v, want one violation of the limit", got)
	}
	if got := s.Validate(json.RawMessage(`"aa"`)); len(got) != 0 {
		t.Errorf("Validate after a timeout = %v, want none: the budget is that of one validation", got)
	}
}

// TestLongLists has lists without end: messages show ten of them and count the rest.
func TestLongLists(t *testing.T) {
	names := make([]string, 3000)
	for i := range names {
		names[i] = fmt.Sprintf(`"n%d"`, i)
	}
	list := strings.Join(names, ",")
	for schema, value := range map[string]string{
		`{"enum":[` + list + `]}`:                    `"x"`,
		`{"required":[` + list + `]}`:                `{}`,
		`{"additionalProperties":false}`:             `{` + strings.ReplaceAll(list, ",", ":1,") + `:1}`,
		`{"dependentRequired":{"a":[` + list + `]}}`: `{"a":1}`,
	} {
		found := compile(t, schema, nil).Validate(json.RawMessage(value))
		if len(found) != 1 || len(found[0].Message) > 300 || !strings.Contains(found[0].Message, "… and 2990 more") {
			t.Errorf("%.30s: %d violations, %.400v, want ten names and a count", schema, len(found), found)
		}
	}
}
