package fuzz

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
)

// A value at a limit is named, and letters that take several bytes are told apart from too many letters.
func TestLimitNamesTheValue(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"counts bytes": "name = \"aaaaa", "fails at the maximum": "n = 100 and 99"} {
		c := creature(t, name)
		result, err := Run(t.Context(), Options{Open: openCreature(c), May: anyTool, Seed: 1, Cases: 60})
		if err != nil {
			t.Fatal(err)
		}
		found := of(result, "FUZZ-015")
		if found == nil || !strings.Contains(found.Breach, want) ||
			strings.Contains(found.Breach, "the limit counts bytes") != (name == "counts bytes") {
			t.Errorf("%s: got %+v, expected %s", name, found, want)
		}
	}
	for value, want := range map[string]string{`"` + strings.Repeat("é", 150) + `"`: `"é" × 150`, `"ééé"`: `"ééé"`, `17`: `17`,
		`"` + strings.Repeat("ab", 30) + `"`: `"` + strings.Repeat("ab", 30) + `"`} {
		if got := cases.Display(json.RawMessage(value)); got != want {
			t.Errorf("got %s, expected %s", got, want)
		}
	}
}
