package rawjson

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestProblem(t *testing.T) {
	type record struct {
		Name  string            `json:"name"`
		Count int               `json:"count"`
		Tags  []string          `json:"tags"`
		Known map[string]string `json:"known"`
	}
	for text, want := range map[string]string{
		"":                  "empty, expected JSON",
		"  \n":              "empty, expected JSON",
		`{"name":`:          "not JSON: unexpected end (line 1, column 9)",
		"{\n  \"name\": x}": "not JSON: invalid character 'x' looking for beginning of value (line 2, column 11)",
		`5`:                 "expected an object, got a number",
		`{"name": 5}`:       "name: expected a string, got a number",
		`{"count": 1.5}`:    "count: expected an integer in range, got a number 1.5",
		`{"tags": {}}`:      "tags: expected an array, got an object",
		`{"known": []}`:     "known: expected an object, got an array",
	} {
		err := json.Unmarshal([]byte(text), &record{})
		if err == nil {
			err = json.NewDecoder(strings.NewReader(text)).Decode(&record{})
		}
		if got := Problem([]byte(text), err); got == nil || got.Error() != want {
			t.Errorf("%q: got %v, expected %s", text, got, want)
		}
		decoder := json.NewDecoder(strings.NewReader(text))
		if got := Problem([]byte(text), decoder.Decode(&record{})); got == nil || got.Error() != want {
			t.Errorf("decoder, %q: got %v, expected %s", text, got, want)
		}
	}
	if got := Problem([]byte(`[1,`), canonical(`[1,`)); got == nil ||
		got.Error() != "not JSON: unexpected end (line 1, column 4)" {
		t.Errorf("jsontext: %v", got)
	}
	other := errors.New("other")
	if got := Problem(nil, other); got != other {
		t.Errorf("got %v, expected the same error", got)
	}
}

func canonical(text string) error {
	value := jsontext.Value(text)
	return value.Canonicalize()
}
