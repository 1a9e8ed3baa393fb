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

// TestParallel expects lists of the same length to be recognized.
func TestParallel(t *testing.T) {
	for arguments, want := range map[string]bool{`{"x":[1,2],"y":[1,2,3]}`: true, `{"x":[1,2],"y":[1,2]}`: false, `{"x":[1,2],"n":3}`: false} {
		if got := Parallel(json.RawMessage(arguments), "x", json.RawMessage(`[1,2,3]`)); got != want {
			t.Errorf("%s: got %v", arguments, got)
		}
	}
}
