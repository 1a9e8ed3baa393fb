package fuzz

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// TestUnexplained distinguishes a tool that fails for a character from ones that fail now and then, or always.
func TestUnexplained(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)
	raw := json.RawMessage(`{"name":"find","description":"Searches the catalogue","inputSchema":` + string(input) + `}`)
	calls := 0
	for name, c := range map[string]struct {
		fails func(query string) bool
		says  string
		want  bool
	}{
		"for a character":    {func(q string) bool { return strings.Contains(q, "(") }, "Search failed.", true},
		"for a reason":       {func(q string) bool { return strings.Contains(q, "(") }, "Search failed: unbalanced parenthesis", false},
		"not found":          {func(q string) bool { return strings.Contains(q, "(") }, "Lookup error: no books found", false},
		"temporarily":        {func(q string) bool { return strings.Contains(q, "(") }, "Search failed, please try again", false},
		"always":             {func(string) bool { return true }, "Search failed.", false},
		"in every other one": {func(string) bool { calls++; return calls%2 == 0 }, "Search failed.", false},
		"from then on":       {func(string) bool { calls++; return calls > 2 }, "Search failed.", false},
	} {
		gen, err := cases.NewGenerator("find", input, 1, cases.Care{})
		if err != nil {
			t.Fatal(err)
		}
		calls = 1
		subject := &fuzzTarget{name: "find", raw: raw, input: input, gen: gen, readOnly: true}
		reply := func(failed bool) *mcp.Exchange {
			result := `{"content":[{"type":"text","text":"[]"}]}`
			if failed {
				result = `{"content":[{"type":"text","text":"` + c.says + `"}],"isError":true}`
			}
			return &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(result)}}
		}
		call := func(_ context.Context, _ *fuzzTarget, step Step, _ func()) *observation {
			return &observation{Case: step.Case, Exchange: reply(c.fails(string(step.Arguments)))}
		}
		step := Step{Case: cases.Case{Tool: "find", Arguments: json.RawMessage(`{"query":"a(b"}`), Allowed: true}}
		got := unexplained(t.Context(), subject, step, &observation{Case: step.Case, Exchange: reply(true)}, call)
		if (got != nil) != c.want {
			t.Errorf("%s: got %+v, expected a violation: %v", name, got, c.want)
		}
	}
}
