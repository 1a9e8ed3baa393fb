package words

import (
	"encoding/json"
	"testing"
)

// A tool that says that it takes a regular expression may reject a text that is none.
func TestTakesPatterns(t *testing.T) {
	for tool, want := range map[string]bool{
		`{"name":"grep_files","inputSchema":{}}`:                                                                    true,
		`{"name":"find","description":"Find lines by a regular expression."}`:                                       true,
		`{"name":"find","inputSchema":{"properties":{"regex":{"type":"string"}}}}`:                                  true,
		`{"name":"find","inputSchema":{"properties":{"q":{"description":"A RegExp"}}}}`:                             true,
		`{"name":"find","inputSchema":{"properties":{"q":{"type":"string","pattern":"^a","description":"Title"}}}}`: false,
	} {
		if got := TakesPatterns(json.RawMessage(tool)); got != want {
			t.Errorf("%s: got %v, expected %v", tool, got, want)
		}
	}
}
