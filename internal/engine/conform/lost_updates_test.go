package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
)

// TestCountedCalls checks that TOOL-055 finds nothing in a tool that counts all concurrent calls.
func TestCountedCalls(t *testing.T) {
	t.Parallel()
	m := mutant{defect: voting(false, func(votes int64) string { return fmt.Sprintf(`{"votes":%d}`, votes) })}
	out, err := judged(t, m.target(t, "TOOL-055", OnPipe), calm("2025-11-25", "TOOL-055"))
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(out.Report.Findings()); got != "" || out.Report.Results[0].Skipped != "" {
		t.Errorf("expected nothing found, got %s%s", got, out.Report.Results[0].Skipped)
	}
}

// TestNumbersIn reads whole numbers from structured content, from JSON and from a text.
func TestNumbersIn(t *testing.T) {
	for result, want := range map[string]map[string]int{
		`{"structuredContent":{"votes":3,"at":{"n":4},"share":0.5,"name":"7"}}`: {"/votes": 3, "/at/n": 4},
		`{"content":[{"type":"text","text":"{\"votes\":3}"}]}`:                  {"/votes": 3},
		`{"content":[{"type":"text","text":"ticket 12 of 40"}]}`: {"0 of ticket # of #": 12,
			"1 of ticket # of #": 40},
		`{"content":[{"type":"text","text":"done"}]}`: {},
	} {
		if got := numbersIn(json.RawMessage(result)); !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", result, got, want)
		}
	}
}
