package change

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A pairLine is one line of testdata/pairs.txt.
type pairLine struct {
	number   int
	verdict  Verdict
	old, now json.RawMessage // definitions of a tool
}

func readPairs(t *testing.T) []pairLine {
	t.Helper()
	data, err := os.ReadFile("testdata/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []pairLine
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 4 {
			t.Fatalf("line %d has %d parts, want 4", i+1, len(parts))
		}
		all = append(all, pairLine{number: i + 1, verdict: Verdict(strings.TrimSpace(parts[0])),
			old: toolWith(parts[1], parts[2]), now: toolWith(parts[1], parts[3])})
	}
	return all
}

// toolWith is a tool with a schema in one place.
func toolWith(where, schema string) json.RawMessage {
	wrapped := `{"type":"object","properties":{"a":%s},"required":["a"]}`
	text := `{"name":"t","inputSchema":%s}`
	switch strings.TrimSpace(where) {
	case "param":
		text = fmt.Sprintf(text, fmt.Sprintf(wrapped, schema))
	case "root":
		text = fmt.Sprintf(text, schema)
	case "result":
		text = fmt.Sprintf(`{"name":"t","inputSchema":{"type":"object"},"outputSchema":%s}`,
			fmt.Sprintf(wrapped, schema))
	case "output":
		text = fmt.Sprintf(`{"name":"t","inputSchema":{"type":"object"},"outputSchema":%s}`, schema)
	}
	text = strings.Replace(text, `,"outputSchema":null`, "", 1)
	if object(json.RawMessage(text)) == nil {
		panic("not JSON: " + text)
	}
	return json.RawMessage(text)
}

// The table says what is right; every breaking verdict must carry a counterexample.
func TestPairs(t *testing.T) {
	pairs := readPairs(t)
	if len(pairs) < 120 {
		t.Fatalf("%d pairs, want at least 120", len(pairs))
	}
	for _, p := range pairs {
		d := compareTools([]json.RawMessage{p.old}, []json.RawMessage{p.now})
		if d.Verdict != p.verdict {
			text, _ := json.MarshalIndent(d.Items, "", "  ")
			t.Errorf("line %d: verdict %q, want %q\n%s", p.number, d.Verdict, p.verdict, text)
		}
		for _, item := range d.Items {
			for _, c := range item.Changes {
				if c.Verdict == Breaking && c.Counterexample == nil {
					t.Errorf("line %d: %s is breaking without a counterexample", p.number, c.Message)
				}
			}
		}
	}
}

func compareTools(before, after []json.RawMessage) *Diff {
	return Compare(&Surface{Tools: before}, &Surface{Tools: after})
}
