package hosts

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBudgets checks that a budget counts what a host passes on, and not what the server sent.
func TestBudgets(t *testing.T) {
	big := `{"name":"big","description":"D","inputSchema":{"type":"object","properties":{"a":{"type":"string",` +
		`"pattern":"^` + strings.Repeat("a", 4000) + `$"}}}}`
	oneOf := `{"name":"merge","description":"D","inputSchema":{"type":"object","oneOf":[{"required":["a"]}]}}`
	tools := []Tool{Read(json.RawMessage(big)), Read(json.RawMessage(oneOf))}
	byHost := map[string]Budget{}
	for _, b := range Budgets("t", strings.Repeat("word ", 4000), tools) {
		byHost[b.Host] = b
		if b.Total != b.Definitions+b.Instructions || b.Tools != 2 || b.Result == "" {
			t.Errorf("%+v", b)
		}
	}
	if len(byHost) != 9 {
		t.Fatalf("%d hosts, want 9", len(byHost))
	}
	for _, test := range []struct {
		host                       string
		arrived, instructions, cut int
		low, high                  int // definitions
	}{
		{"codex", 2, 5000, 0, 20, 100},                      // drops patterns
		{"claude-code", 1, 1024, 20_000 - 4096, 1000, 1100}, // drops the other tool, cuts instructions
		{"gemini-cli", 2, 5000, 0, 1100, 1300},              // adds a parameter
		{"cline", 2, 0, 20_000, 1000, 1100},                 // does not show instructions
	} {
		b := byHost[test.host]
		if b.Arrived != test.arrived || b.Instructions != test.instructions || b.Omitted != test.cut ||
			b.Definitions < test.low || b.Definitions > test.high {
			t.Errorf("%s: %+v, want %+v", test.host, b, test)
		}
	}
	lost := Budgets("t", "abcd", []Tool{Read(json.RawMessage(
		`{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":null}}`))})
	for _, b := range lost {
		if b.Host == "gemini-cli" && (b.Total != 0 || b.Arrived != 0 || b.Omitted != 4) {
			t.Errorf("a host without the server: %+v", b)
		}
	}
}

// TestCutsResult checks that only lengths that were tried are reported as cut.
func TestCutsResult(t *testing.T) {
	for _, test := range []struct {
		host       string
		characters int
		cut        bool
	}{
		{"copilot-cli", 39_999, false}, {"copilot-cli", 40_000, true}, {"claude-code", 45_000, false},
		{"claude-code", 60_000, true}, {"continue", 1 << 30, false}, {"unknown", 1 << 30, false},
	} {
		if got := CutsResult(test.host, test.characters); (got != "") != test.cut {
			t.Errorf("CutsResult(%s, %d) = %q, want cut %v", test.host, test.characters, got, test.cut)
		}
	}
}
