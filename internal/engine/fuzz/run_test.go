package fuzz

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func openCreature(t testing.TB, name string) func(context.Context) (*mcp.Session, error) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{Command: []string{self}, Env: append(os.Environ(), creatureVariable+"="+name), Grace: 200 * time.Millisecond},
			wire.NewTranscript(nil), &mcp.Options{Protocol: "2025-06-18", Timeout: 10 * time.Second})
	}
}

func anyTool(json.RawMessage) (bool, string) { return true, "" }

// TestZoo finds every planted defect within 500 cases, shrinks it, and shows it again from its steps.
func TestZoo(t *testing.T) {
	if n := len(creatures()); n < 25 {
		t.Errorf("the zoo has %d creatures, want 25", n)
	}
	for _, c := range creatures() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			opts := Options{Open: openCreature(t, c.name), May: anyTool, Seed: 1, Cases: 500, Hang: 400 * time.Millisecond, Stateful: c.stateful, Wire: c.wire, Shrink: 4 * time.Second}
			result, err := Run(t.Context(), opts)
			if err != nil {
				t.Fatalf("Run: %v", err)
			}
			found := of(result, c.rule)
			if found == nil {
				t.Fatalf("not found; got %v", result.Report.Findings())
			}
			if !found.Repeats && c.rule != "FUZZ-010" {
				t.Errorf("it does not show again: %v", found.finding())
			}
			if got := smallestOf(found); c.smallest != "" && c.smallest != "*" && !anyOf(c.smallest, got) {
				t.Errorf("got %s, want %s", got, c.smallest)
			} else {
				t.Logf("%s: %s", c.rule, got)
			}
			for _, other := range result.Found {
				if other.Rule.ID != c.rule {
					t.Logf("also %s: %s", other.Rule.ID, other.Breach)
				}
			}
		})
	}
}

func of(r *Result, rule string) *Found {
	for _, f := range r.Found {
		if f.Rule.ID == rule {
			return f
		}
	}
	return nil
}

func smallestOf(f *Found) string {
	var all []string
	for _, s := range f.Steps {
		all = append(all, shorten(string(s.Arguments)))
	}
	return strings.Join(all, " ")
}

func anyOf(list, got string) bool {
	for want := range strings.SplitSeq(list, "|") {
		if want == got || want == "*" {
			return true
		}
	}
	return false
}

// TestSameSeedSameCases wants the same cases in the same order from the same seed, and others from another.
func TestSameSeedSameCases(t *testing.T) {
	input := json.RawMessage(creatures()[1].input)
	make := func(seed uint64) (all []string) {
		g, err := NewGenerator("work", input, seed)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			all = append(all, string(g.Next().Arguments))
		}
		return all
	}
	first, again, other := strings.Join(make(7), "\n"), strings.Join(make(7), "\n"), strings.Join(make(8), "\n")
	if first != again {
		t.Error("the same seed makes other cases")
	}
	if first == other {
		t.Error("another seed makes the same cases")
	}
}

// near matches what near-misses say.
var near = regexp.MustCompile(`too many|too few|not allowed|none of them|is missing|unknown member|^type: |does not match|between two|the same item twice`)

// TestCasesAreWhatTheySay wants near-misses to be forbidden and samples to be allowed by the schema.
func TestCasesAreWhatTheySay(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{"s":{"type":"string","minLength":2,"maxLength":5},"n":{"type":"number","minimum":1,"exclusiveMaximum":9,"multipleOf":0.5},
		"e":{"enum":["a","b"],"type":"string"},"l":{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":3,"uniqueItems":true},"b":{"type":"boolean"},
		"o":{"type":"object","properties":{"x":{"type":"string","pattern":"^[a-z]+$"}},"required":["x"],"additionalProperties":false},
		"d":{"type":"string","format":"date"},"r":{"$ref":"#/$defs/r"},"u":{"anyOf":[{"type":"string","maxLength":3},{"type":"null"}]}},
		"required":["s","n","e","l","b","o","r"],"additionalProperties":false,"$defs":{"r":{"type":"integer","minimum":5,"maximum":5}}}`)
	g, err := NewGenerator("work", input, 3)
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for range len(g.bases) + len(g.edits[0]) {
		c := g.Next()
		g.Judge(&c)
		switch {
		case !json.Valid(c.Arguments):
			t.Errorf("%s: no JSON: %s", c.Says, c.Arguments)
		case c.Kind == Valid && !c.Allowed:
			t.Errorf("%s: a valid case is forbidden: %s (%s)", c.Says, c.Arguments, c.Violates)
		case strings.HasSuffix(c.Says, " at u"), strings.HasPrefix(c.Says, "format"): // null is allowed there; format is an annotation
		case c.Allowed && near.MatchString(c.Says):
			t.Errorf("%s: a near-miss is allowed: %s", c.Says, c.Arguments)
		case c.Kind == NearMiss && !c.Allowed:
			rule, _, _ := strings.Cut(c.Says, ":")
			rules[rule] = true
		}
	}
	for _, rule := range []string{"minLength", "maxLength", "minimum", "maximum", "exclusiveMaximum", "multipleOf", "enum", "minItems", "maxItems", "uniqueItems", "required", "additionalProperties", "pattern", "type"} {
		if !rules[rule] {
			t.Errorf("no case violates %s", rule)
		}
	}
}
