package planted

import (
	"encoding/json"
	"fmt"
	"strings"
)

func answers() []Creature {
	return append(acceptances(),
		Creature{Name: "rejects valid input", input: free, Rule: "FUZZ-005", Smallest: `{"name":"\n"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "\n") },
				func(s *server) string { return s.refuse(-32602, "no line ends, please") })},
		Creature{Name: "internal error for wrong arguments", input: percent, loose: true, Rule: "FUZZ-008",
			Smallest: `{}`,
			work:     wrong(func(s *server) string { return s.refuse(-32603, "unexpected") })},
		Creature{Name: "leaks a stack trace", input: percent, loose: true, Rule: "FUZZ-007", Smallest: `{}`,
			work: wrong(func(s *server) string {
				return s.failed("Traceback (most recent call last):\n  File \"/srv/app/tools.py\", line 12, in " +
					"work\nValueError")
			})},
		Creature{Name: "leaks its environment", input: free, Rule: "FUZZ-007", Smallest: `{"name":"${"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "${") },
				func(s *server) string { return s.failed("cannot expand: API_KEY=abcdef1234567890abcdef") })},
		Creature{Name: "result against its output schema", input: free,
			output: object(`"length":{"type":"integer","minimum":1}`, `"length"`), Rule: "FUZZ-006",
			Smallest: `{"name":""}`,
			work: func(s *server, a json.RawMessage) string {
				return fmt.Sprintf(`{"content":[{"type":"text","text":"x"}],"structuredContent":{"length":%d}}`,
					len(text(a, "name")))
			}},
		Creature{Name: "nothing structured for nothing", input: free,
			output: object(`"length":{"type":"integer"}`, `"length"`), Rule: "FUZZ-006", Smallest: `{"name":""}`,
			work: func(s *server, a json.RawMessage) string {
				if text(a, "name") == "" {
					return s.failed("MCP error -32602: Output validation error: Tool work has an output schema but no " +
						"structured content was provided")
				}
				return `{"content":[{"type":"text","text":"x"}],"structuredContent":{"length":1}}`
			}},
		Creature{Name: "content of no type", input: free, Rule: "FUZZ-003", Smallest: `{"name":"<"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "<") },
				func(*server) string { return `{"content":[{"text":"x"}]}` })},
		Creature{Name: "another shape the second time", input: free, Rule: "FUZZ-011", Smallest: `{"name":""}`,
			work: func(s *server, _ json.RawMessage) string {
				return fmt.Sprintf(`{"content":[],"structuredContent":{"%c":1}}`, 'a'+s.calls%2)
			}},
	)
}

// acceptances are servers that accept input that their schema forbids.
func acceptances() []Creature {
	return []Creature{
		{Name: "accepts another enum value", input: color, loose: true, Rule: "FUZZ-004", Smallest: `{"color":""}`,
			work: func(s *server, a json.RawMessage) string {
				return s.strict(a, object(`"color":{"type":"string"}`, `"color"`))
			}},
		{Name: "accepts a missing argument", input: short, loose: true, Rule: "FUZZ-004", Smallest: `{}`,
			work: func(s *server, a json.RawMessage) string {
				return s.strict(a, object(`"name":{"type":"string","maxLength":10}`, ``))
			}},
		{Name: "accepts a number above the maximum", input: percent, loose: true, Rule: "FUZZ-004",
			Smallest: `{"n":101}`,
			work: func(s *server, a json.RawMessage) string {
				return s.strict(a, object(`"n":{"type":"integer","minimum":0}`, `"n"`))
			}},
		{Name: "accepts unknown members", input: short, loose: true, Rule: "FUZZ-004",
			Smallest: `{"name":"","unexpected_member":""}`,
			work: func(s *server, a json.RawMessage) string {
				return s.strict(a, `{"type":"object","properties":{"name":{"type":"string","maxLength":10}},`+
					`"required":["name"]}`)
			}},
	}
}

// wrong runs work for arguments that the schema forbids.
func wrong(then func(s *server) string) func(*server, json.RawMessage) string {
	return func(s *server, a json.RawMessage) string {
		if len(s.rules.Validate(a)) > 0 {
			return then(s)
		}
		return fine
	}
}
