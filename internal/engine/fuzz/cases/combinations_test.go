package cases

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCombinations expects each combination of two listed values that differ from the sample, early.
func TestCombinations(t *testing.T) {
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"a":{"enum":["1","2","3"]},"b":{"enum":["x","y","z"]},`+
		`"c":{"type":"string"}},"required":["a","b"]}`), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 60 { // of five tools in a check
		c := g.Next()
		var arguments struct{ A, B json.RawMessage }
		if json.Unmarshal(c.Arguments, &arguments) == nil && strings.HasPrefix(c.Description, "a combination") {
			seen[string(arguments.A)+string(arguments.B)] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("got %v, expected 4 combinations", seen)
	}
}

// TestParallel expects lists that were of the same length to become so again.
func TestParallel(t *testing.T) {
	for arguments, want := range map[string]string{`{"x":[1,2],"y":[1,2,3]}`: `{"x":[1,2],"y":[1,2]}`, `{"x":[1,2,3,4],"y":[1,2,5]}`: `{"x":[1,2,3,4],"y":[1,2,5,5]}`,
		`{"x":[1,2],"y":[1,2]}`: "", `{"x":[1,2],"n":3}`: "", `{"x":7,"y":[1,2,3]}`: ""} {
		if got := string(Parallel(json.RawMessage(arguments), "x", json.RawMessage(`[1,2,3]`))); got != want {
			t.Errorf("%s: got %s", arguments, got)
		}
	}
}
