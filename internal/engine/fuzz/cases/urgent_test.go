package cases

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// firstArguments are the values of an argument in the first cases of a tool.
func firstArguments(t *testing.T, rules, name string, number int, care Care, prepare func(*Generator)) []string {
	t.Helper()
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"`+name+`":`+rules+`},"required":["`+name+`"]}`),
		1, care)
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(g)
	}
	var all []string
	for range number {
		value, _ := schema.Get(g.Next().Arguments, "/"+name)
		all = append(all, schema.Plain(value))
	}
	return all
}

// TestUrgentAttacks expects the attack that finds the worst defect of an argument among the first cases of a tool, and none at a
// server that is shared.
func TestUrgentAttacks(t *testing.T) {
	const early = 8 // cases of each of 37 tools in a check
	for _, c := range []struct{ name, rules, attack string }{
		{"url", `{"type":"string"}`, "file:///etc/passwd"},
		{"source", `{"type":"string","format":"uri"}`, "file:///etc/passwd"},
		{"file_path", `{"type":"string"}`, "../../etc/passwd"},
		{"profile", `{"type":"string"}`, "OR 7<8"},
	} {
		for _, care := range []Care{{}, {Gentle: true}} {
			all := firstArguments(t, c.rules, c.name, early, care, nil)
			if found := slices.ContainsFunc(all, func(v string) bool { return strings.Contains(v, c.attack) }); found == care.Gentle {
				t.Errorf("%s, %+v: %q among %q: %v", c.name, care, c.attack, all, found)
			}
		}
	}
}

// TestFewCalls expects the URL of a file or a day long ago first if a tool may be called a few times only.
func TestFewCalls(t *testing.T) {
	for _, care := range []Care{{}, {Gentle: true}, {Writes: true}} {
		all := firstArguments(t, `{"type":"string"}`, "url", 1, care, (*Generator).ExpectFewCalls)
		if (all[0] == "file:///etc/passwd") != (care == Care{}) {
			t.Errorf("%+v: the first URL is %q", care, all[0])
		}
		all = firstArguments(t, `{"type":"string","format":"date"}`, "day", 1, care, (*Generator).ExpectFewCalls)
		if (all[0] == "1900-01-01") != (care == Care{}) {
			t.Errorf("%+v: the first day is %q", care, all[0])
		}
	}
}

// TestValuesThatAreRepeatedChanged expects what a server that changes values would repeat changed among the first cases, and nothing
// that the schema forbids.
func TestValuesThatAreRepeatedChanged(t *testing.T) {
	const early = 33 // of nine tools in a check
	for _, c := range []struct {
		rules, value string
		sent         bool
	}{
		{`{"type":"integer","minimum":1,"maximum":9200000000000000000}`, "9007199254750993", true},
		{`{"type":"integer","minimum":1,"maximum":9007199254740991}`, "9007199254750993", false},
		{`{"type":"number","minimum":1,"maximum":9200000000000000000}`, "9007199254750993", false},
		{`{"type":"string","format":"date"}`, "2025-02-30", true},
		{`{"type":"string","format":"date-time"}`, "2025-02-30T12:00:00Z", true},
		{`{"type":"string","description":"Day (YYYY-MM-DD)"}`, "2025-02-30", true},
		{`{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`, "2025-02-30", true},
		{`{"type":"string","description":"Day (YYYY-MM-DD)","pattern":"^2026"}`, "2025-02-30", false},
		{`{"type":"string","description":"The name"}`, "2025-02-30", false},
		{`{"type":"string","pattern":"^\\d{5}$"}`, "02134", true},
		{`{"type":"string","pattern":"^[a-z]{5}$"}`, "02134", false},
	} {
		if all := firstArguments(t, c.rules, "value", early, Care{}, nil); slices.Contains(all, c.value) != c.sent {
			t.Errorf("%s: got %q, expected %s: %v", c.rules, all, c.value, c.sent)
		}
	}
}

// A schema without formats cannot forbid a day that does not exist, so that a server may reject it in any way.
func TestImpossibleDayIsUnclear(t *testing.T) {
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"day":{"type":"string"}}}`), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	c := Case{Arguments: json.RawMessage(`{"day":"2025-02-30"}`)}
	if g.Validate(&c); c.Allowed || !c.Unclear {
		t.Errorf("got %+v, expected that it is unclear", c)
	}
}
