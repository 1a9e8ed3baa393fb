package inspector

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// Text in JSON is converted if every problem is such a text, and only without loss; everything else stays as typed.
func TestConvertedJSON(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":50},` +
		`"ok":{"type":"boolean"},"s":{"type":"string"}},"required":["n"]}`)
	for text, want := range map[string]string{
		`{"n":"42"}`:                  `{"n":42}`,
		`{ "n" : "42", "ok":"true" }`: `{ "n" : 42, "ok":true }`,
		`{"n":42}`:                    "", // nothing to convert
		`{"n":"1.5"}`:                 "",
		`{"n":"51"}`:                  "", // still invalid
		`{"n":"42","ok":"yes"}`:       "", // one problem stays
		`{"n":"42","s":7}`:            "",
		`{"ok":"true"}`:               "", // n is missing
	} {
		x := examine(input, view.Typed{JSON: &text})
		if x.ConvertedJSON != want || x.ArgumentsJSON != text {
			t.Errorf("%s: converted to %q and kept as %q, want %q and the text itself", text, x.ConvertedJSON,
				x.ArgumentsJSON, want)
		}
	}
}
