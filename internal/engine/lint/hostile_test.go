package lint

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
)

// TestHostile gives the rules and the fix schemas that are made to take for ever.
func TestHostile(t *testing.T) {
	for name, input := range map[string]string{
		"doubling": doubling("anyOf", 60), "doubling-allOf": doubling("allOf", 60),
		"doubling-oneOf": doubling("oneOf", 60),
		"chain": `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` +
			many(20_000, `"d%d":{"$ref":"#/$defs/d%d"}`) + `}}`,
		"anchors": `{"type":"object","properties":{` + many(20_000, `"p%d":{"$ref":"#a%d"}`) + `},"$defs":{` +
			many(20_000, `"d%d":{"$anchor":"a%d"}`) + `}}`,
		"wide": `{"type":"object","properties":{` + many(50_000, `"p%d":{"type":"string","default":%d}`) +
			`},"required":["x"]}`,
		"twins": `{"type":"object","properties":{` +
			many(2000, `"p%d":{"type":"object","properties":{"q%d":{}}}`) + `},"allOf":[{"properties":{` +
			many(2000, `"p%d":{"$ref":"#/properties/p%d"}`) + `}}]}`,
		"deep": strings.Repeat(`{"type":"object","properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400),
		"ring": `{"type":"object","properties":{` +
			many(2000, `"p%d":{"type":"object","properties":{"q":{"$ref":"#/properties/p%d"}}}`) + `}}`,
		"pattern": `{"type":"object","properties":{"a":{"type":"string","pattern":"` +
			strings.Repeat("(", 100_000) + `"}}}`,
		"required": `{"type":"object","properties":{` + many(2900, `"p%d":{"x":%d}`) + `},"required":[` +
			many(20_000, `"p%d","q%d"`) + `]}`,
		"patterns": `{"type":"object","properties":{` + many(2900, `"p%d":{"pattern":"(a|b)*c{30}(d|e)*f{30}%d"}`) +
			`}}`,
		"huge pattern": `{"type":"object","properties":{"a":{"pattern":"` + strings.Repeat("(a|b)*c?", 110_000) +
			`"}}}`,
		"defaults": `{"type":"object","properties":{` + many(2900, `"p%d":{"$ref":"#/$defs/d","default":%d}`) +
			`},"$defs":{"d":{"type":"string"}}}`,
		"refs": `{"type":"object","properties":{` +
			many(1400, `"p%d":{"$ref":"#/properties/p%d","properties":{"a":{}}}`) + `}}`,
		"enum": `{"type":"object","properties":{"a":{"enum":[` +
			strings.TrimSuffix(strings.Repeat(`"x",`, 100_000), ",") + `]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			started := cputime.Used()
			c, err := ReadCatalog([]byte(`[{"name":"t","inputSchema":`+input+`}]`), name)
			if err != nil {
				t.Fatal(err)
			}
			Run(context.Background(), c, &Options{Hosts: []string{"all"}})
			for _, mode := range Modes() {
				if _, _, err := Fix(c, mode); err != nil {
					t.Error(err)
				}
			}
			if took := cputime.Used() - started; took > 5*time.Second*slowdown {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestTooLarge has schemas and texts that nobody should look into: one finding says that nobody did, no rule guesses
// about what it did not see, and the fix leaves them alone.
func TestTooLarge(t *testing.T) {
	for name, tool := range map[string]string{
		"properties": `"inputSchema":{"type":"object","properties":{` + many(maxSubschemas, `"p%d":{"x":%d}`) + `}}`,
		"bytes":      `"inputSchema":{"type":"object","x":"` + strings.Repeat("x", maxBytes) + `"}`,
		"values":     `"inputSchema":{"type":"object","enum":[` + many(maxCommas, `%d,%d`) + `]}`,
	} {
		input := `[{"name":"t","description":"d",` + tool + `,"outputSchema":{"type":"object"}}]`
		c, err := ReadCatalog([]byte(input), name)
		if err != nil {
			t.Fatal(err)
		}
		report := Run(context.Background(), c, &Options{Rules: []string{"SCH", "SPEC", "copilot", "codex"},
			Skip: []string{"codex/over-5000-bytes"}})
		limits := 0
		for _, f := range report.Findings() {
			if f.Rule != "SPEC-027" {
				t.Errorf("%s: %s %s %s, though nobody looked", name, f.Rule, f.Where.Pointer, f.Message)
			} else if f.Where.Pointer == "/inputSchema" && strings.Contains(f.Message, "too large to check") {
				limits++
			}
		}
		if limits != 1 {
			t.Errorf("%s: %d findings say that it is too large; want 1", name, limits)
		}
		fixed, notes, err := Fix(c, Strict)
		if err != nil || string(fixed) != input || len(notes) != 2 || !strings.Contains(notes[1].Message, "too large") {
			t.Errorf("%s: notes %v, %v, want the tool as it was", name, notes, err)
		}
	}
}

// TestMostFindings has a rule that finds something at thousands of places.
func TestMostFindings(t *testing.T) {
	c, err := ReadCatalog([]byte(`[{"name":"t","inputSchema":{"type":"object","required":[`+many(2000, `"p%d","q%d"`)+
		`],"properties":{"a":{}}}}]`), "f")
	if err != nil {
		t.Fatal(err)
	}
	found := Run(context.Background(), c, &Options{Rules: []string{"QUAL-005"}}).Findings()
	if last := found[len(found)-1].Message; len(found) != maxFindings+1 || last != "3000 more findings not listed" {
		t.Errorf("%d findings, the last: %s", len(found), last)
	}
}

// doubling refers twice to what refers twice, and so on.
func doubling(keyword string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string"}}}`, n)
	return b.String()
}

// many repeats a member with two numbers in it, the second one more than the first.
func many(n int, format string) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(format, i, i+1)
	}
	return strings.Join(members, ",")
}
