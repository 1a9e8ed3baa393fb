package planted

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Beside returns a server that crashes in calls of one of its four tools.
func Beside() Creature {
	return Creature{Name: "crash beside other tools", input: free, Rule: "FUZZ-001", Smallest: `{"name":""}`,
		beside: []string{"add", "echo", "find"},
		work:   when(func(a json.RawMessage) bool { return !has(a, "note") }, func(*server) string { return die() })}
}

func crashes() []Creature {
	return []Creature{
		{Name: "off by one on length", input: short, Rule: "FUZZ-001", Smallest: `{"name":"aaaaaaaaaa"}`,
			work: when(func(a json.RawMessage) bool { return utf8.RuneCountInString(text(a, "name")) == 10 }, crash)},
		{Name: "crash on unicode", input: free, Rule: "FUZZ-001", Smallest: `{"name":"é"}`,
			work: when(func(a json.RawMessage) bool {
				return strings.IndexFunc(text(a, "name"), func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
			}, crash)},
		{Name: "crash on empty text", input: free, Rule: "FUZZ-001", Smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return text(a, "name") == "" }, crash)},
		{Name: "crash on a zero character", input: free, Rule: "FUZZ-001", Smallest: `{"name":"\u0000"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "\x00") }, crash)},
		{Name: "crash on a long text", input: free, Rule: "FUZZ-001", Smallest: `{"name":"a*4097"}`,
			work: when(func(a json.RawMessage) bool { return len(text(a, "name")) > 4096 }, crash)},
		{Name: "crash on a quote", input: free, Rule: "FUZZ-001", Smallest: `{"name":"'"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "'") }, crash)},
		{Name: "crash without the optional", input: free, Rule: "FUZZ-001", Smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return !has(a, "note") }, crash)},
		{Name: "crash at the maximum", input: percent, Rule: "FUZZ-001", Smallest: `{"n":100}`,
			work: when(func(a json.RawMessage) bool { return text(a, "n") == "100" }, crash)},
		{Name: "crash on an empty list", input: list, Rule: "FUZZ-001", Smallest: `{"items":[]}`,
			work: when(func(a json.RawMessage) bool { return items(a) == 0 }, crash)},
		{Name: "crash on many items", input: list, Rule: "FUZZ-001",
			Smallest: `{"items":["","","","","","","","","","","","","","","",""]}`,
			work:     when(func(a json.RawMessage) bool { return items(a) > 15 }, crash)},
		{Name: "crash on a wrong type", input: short, loose: true, Rule: "FUZZ-001", Smallest: `{"name":0}`,
			work: func(s *server, a json.RawMessage) string {
				if raw, _ := schema.Get(a, "/name"); schema.Kind(raw) == '0' {
					return die()
				}
				return s.strict(a, short)
			}},
	}
}

func items(arguments json.RawMessage) int {
	raw, _ := schema.Get(arguments, "/items")
	all, _ := schema.Elements(raw)
	return len(all)
}
