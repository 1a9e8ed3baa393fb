package planted

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func silences() []Creature {
	path := func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "../") }
	return []Creature{
		{Name: "hang on null", input: free, loose: true, Rule: "FUZZ-002", Smallest: `{"name":null}`,
			work: func(s *server, a json.RawMessage) string {
				if raw, _ := schema.Get(a, "/name"); string(raw) == "null" {
					return hang(s)
				}
				return s.strict(a, free)
			}},
		{Name: "hang on a path", input: free, Rule: "FUZZ-002", Smallest: `{"name":"../"}`, work: when(path, hang)},
		{Name: "unresponsive after a path", input: free, Rule: "FUZZ-009", Smallest: `{"name":"../"}`,
			work: when(path, func(s *server) string { s.memory["deaf"] = "yes"; return fine }),
			frame: func(s *server, line []byte) bool {
				return s.memory["deaf"] != "" && strings.Contains(string(line), `"ping"`)
			}},
		{Name: "keeps a lock after two failures", input: free, Rule: "FUZZ-002",
			Smallest: `{"name":"aaaaaaaaaaaaa"} then {"name":"aaaaaaaaaaaaa"} then {"name":""}`,
			work: func(s *server, a json.RawMessage) string {
				if s.memory["kept"] == "xx" {
					return ""
				}
				if len(text(a, "name")) > 12 { // by then, the pace of the tool is known
					s.memory["kept"] += "x"
					return s.failed("name is unknown here")
				}
				return fine
			}},
		{Name: "unresponsive after many calls", input: free, Rule: "FUZZ-002", Smallest: `{"name":""} x121`,
			work: func(s *server, _ json.RawMessage) string {
				if s.calls > 120 {
					return hang(s)
				}
				return fine
			}},
	}
}

// Harmless lists servers without a defect that look defective: they are slow for some arguments, and report progress
// if requested; or they reject what no schema of a simple form can exclude.
func Harmless() []Creature {
	path := func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "../") }
	return append(slices.Concat(readersOfCode(), adders(), talkers(), explained(), chances()), []Creature{
		{Name: "slow on a path", input: free, work: when(path, func(*server) string { time.Sleep(slow); return fine })},
		{Name: "reports progress", input: free, work: when(path, func(s *server) string {
			for i := range 12 {
				time.Sleep(slow / 4)
				s.progress(i)
			}
			return fine
		})},
		{Name: "rejects a combination", input: object(`"from":{"type":"string","enum":["kg","g","m"]},`+
			`"to":{"type":"string","enum":["g","kg","m"]}`, `"from","to"`),
			work: func(s *server, a json.RawMessage) string {
				if (text(a, "from") == "m") != (text(a, "to") == "m") {
					return s.failed("unsupported unit " + text(a, "from"))
				}
				return fine
			}},
		{Name: "requires lists of the same length", input: object(`"x":{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":9},`+
			`"y":{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":9}`, `"x","y"`),
			work: func(s *server, a json.RawMessage) string {
				x, _ := schema.Get(a, "/x")
				y, _ := schema.Get(a, "/y")
				xs, _ := schema.Elements(x)
				if ys, _ := schema.Elements(y); len(xs) != len(ys) {
					return s.failed("x and y must have the same number of values")
				}
				return fine
			}},
		{Name: "repeats the text in a sentence", input: free, work: func(_ *server, a json.RawMessage) string {
			return said("The word is " + text(a, "name"))
		}},
		{Name: "rounds and shortens the text", input: object(`"name":{"type":"string"}`, `"name"`),
			work: func(_ *server, a json.RawMessage) string {
				name := []rune(text(a, "name"))
				short := string(name[:min(len(name), 8)])
				share := 1.0 / float64(1+len(name))
				return fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":{"name":%s,"share":%g}}`,
					quoted(fmt.Sprintf(`{"name":%s,"share":%.1f}`, quoted(short), share)), quoted(string(name)), share)
			}},
		{Name: "requests one of two", input: object(`"id":{"type":"string"},"name":{"type":"string"}`, ""),
			work: func(s *server, a json.RawMessage) string {
				if !has(a, "id") && !has(a, "name") {
					return s.failed("Please specify an id or a name")
				}
				return fine
			}},
		{Name: "requests on a condition", input: object(`"mode":{"type":"string","enum":["now","later"]},`+
			`"time":{"type":"string","description":"Required if mode is later"}`, `"mode"`),
			work: func(s *server, a json.RawMessage) string {
				if text(a, "mode") == "later" && !has(a, "time") {
					return s.failed("Please specify the time")
				}
				return fine
			}},
		{Name: "pads and reads numbers", input: object(`"hour":{"type":"string","pattern":"^[0-9]{2}$"},"phone":{"type":"string",`+
			`"description":"for example 0049301234567"},"amount":{"type":"string"}`, `"hour"`),
			work: func(_ *server, a json.RawMessage) string {
				hour, _ := strconv.Atoi(text(a, "hour"))
				amount, _ := strconv.Atoi(text(a, "amount"))
				return said(fmt.Sprintf("hour %d, phone +%s, amount %d", hour, strings.TrimLeft(text(a, "phone"), "0"), amount))
			}},
		{Name: "limits an identifier", input: object(`"id":{"type":"integer","minimum":1}`, `"id"`),
			work: func(s *server, a json.RawMessage) string {
				if id, err := strconv.ParseInt(text(a, "id"), 10, 64); err != nil || id >= 1<<53 {
					return s.failed(fmt.Sprintf("id %.0f is not a safe integer", float64(id)))
				}
				return fine
			}},
		{Name: "lists the days after a day", input: object(`"after":{"type":"string","format":"date"}`, `"after"`),
			work: func(_ *server, a json.RawMessage) string {
				days := ""
				for _, day := range []string{"2025-02-28", "2025-03-01", "2025-03-02", "2025-03-03"} {
					if day > text(a, "after") {
						days += day + " "
					}
				}
				return said("days: " + days)
			}},
		{Name: "has null on purpose", input: object(`"name":{"type":"string"},"full":{"type":"boolean"},"mode":{"type":"string",`+
			`"enum":["all","few"]}`, `"name"`),
			work: func(_ *server, a json.RawMessage) string {
				tags, known := `["x"]`, strings.Contains(text(a, "name"), "e")
				if text(a, "full") == "false" || text(a, "mode") == "few" || !known {
					tags = "null"
				}
				return said(fmt.Sprintf(`{"known":%v,"tags":%s}`, known, tags))
			}},
		{Name: "has no data of today", input: object(`"city":{"type":"string"},"date":{"type":"string"}`, `"city"`),
			work: func(s *server, a json.RawMessage) string {
				if !has(a, "date") {
					return s.failed("no data for the current date")
				}
				return fine
			}},
	}...)
}

// Shallow returns a server whose parser gives up on deeply nested messages without a response, as those of some SDKs
// do.
func Shallow() Creature {
	return Creature{Name: "shallow parser", input: free, Rule: "FUZZ-002",
		work: func(*server, json.RawMessage) string { return fine },
		frame: func(_ *server, line []byte) bool {
			return strings.Contains(string(line), strings.Repeat(`{"a":`, 150))
		}}
}

// slow is longer than the time after which a call is suspected to hang.
const slow = 1500 * time.Millisecond

// Troublemakers lists servers on which a fuzzer must still finish.
func Troublemakers() []Creature {
	name := object(`"name":{"type":"string"}`, `"name"`)
	silent := func(*server, json.RawMessage) string { return "" }
	return []Creature{
		{Name: "never responds to a call", input: name, loose: true, Rule: "FUZZ-002", work: silent},
		{Name: "crashes on every call", input: name, loose: true, Rule: "FUZZ-001",
			work: func(*server, json.RawMessage) string { return die() }},
		{Name: "unresponsive from the first call on", input: name, Rule: "FUZZ-002", work: silent,
			frame: func(s *server, line []byte) bool {
				if strings.Contains(string(line), `"tools/call"`) {
					s.memory["silent"] = "yes"
				}
				return s.memory["silent"] != ""
			}},
	}
}
