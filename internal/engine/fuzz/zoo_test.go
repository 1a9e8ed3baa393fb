package fuzz

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A creature is a server with one planted defect: a process with one tool, "work".
type creature struct {
	name     string
	input    string // the tool's input schema
	output   string // its output schema
	stateful bool   // found only by sequences
	wire     bool   // found only by frames
	rule     string // the property that it breaks
	also     string // other properties that it breaks by the way
	smallest string // what the defect is shrunk to, as smallestOf has it
	// work answers a call. Its arguments are valid by a validator of the test's own where strict is set.
	work func(s *server, args json.RawMessage) string
	// frame sees every line first, and says whether it dealt with it.
	frame func(s *server, line []byte) bool
	loose bool // it does not validate its arguments
}

// A server is the process of a creature.
type server struct {
	creature creature
	calls    int
	memory   map[string]string
	files    []*os.File
	id       json.RawMessage // of the request under way
}

const creatureVariable = "MCPTEST_FUZZ_CREATURE"

// TestMain is also every creature of the zoo.
func TestMain(m *testing.M) {
	if name := os.Getenv(creatureVariable); name != "" {
		for _, c := range append(creatures(), troublemakers()...) {
			if c.name == name {
				(&server{creature: c, memory: map[string]string{}}).serve()
				return
			}
		}
		panic("no creature " + name)
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // some creatures do nothing but stay silent
		panic(err)
	}
	os.Exit(m.Run())
}

func (s *server) serve() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	compiled, err := schema.Compile(json.RawMessage(s.creature.input), nil)
	if err != nil {
		panic(err)
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		s.line(line, compiled)
	}
}

func (s *server) line(line []byte, compiled *schema.Schema) {
	if s.creature.frame != nil && s.creature.frame(s, line) {
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil || m.Method == "" {
		return
	}
	s.id = m.ID
	switch m.Method {
	case "initialize":
		s.answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"zoo","version":"1"}}`)
	case "tools/list":
		output := ""
		if s.creature.output != "" {
			output = `,"outputSchema":` + s.creature.output
		}
		s.answer(`{"tools":[{"name":"work","annotations":{"readOnlyHint":true},"inputSchema":` + s.creature.input + output + `}]}`)
	case "ping":
		s.answer("{}")
	case "tools/call":
		s.calls++
		args := m.Params.Arguments
		if args == nil {
			args = json.RawMessage("{}")
		}
		if violations := compiled.Validate(args); len(violations) > 0 && !s.creature.loose {
			s.failed("wrong arguments: " + violations[0].Message)
			return
		}
		if said := s.creature.work(s, args); said != "" {
			s.answer(said)
		}
	default:
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", m.ID)
	}
}

func (s *server) answer(result string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", s.id, result)
}

func (s *server) refuse(code int, message string) string {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", s.id, code, quote(message))
	return ""
}

func (s *server) failed(message string) string {
	s.answer(`{"content":[{"type":"text","text":` + string(quote(message)) + `}],"isError":true}`)
	return ""
}

const fine = `{"content":[{"type":"text","text":"fine"}]}`

func die() string {
	fmt.Fprintln(os.Stderr, "panic: something broke")
	os.Exit(2)
	return ""
}

func field(args json.RawMessage, name string) string {
	raw, _ := schema.Get(args, "/"+name)
	return flat(raw)
}

func has(args json.RawMessage, name string) bool { _, ok := schema.Get(args, "/"+name); return ok }

// object is a closed object schema.
func object(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`
}

func creatures() []creature {
	name := object(`"name":{"type":"string","maxLength":10}`, `"name"`)
	free := object(`"name":{"type":"string"},"note":{"type":"string"}`, `"name"`)
	number := object(`"n":{"type":"integer","minimum":0,"maximum":100}`, `"n"`)
	color := object(`"color":{"type":"string","enum":["red","green"]}`, `"color"`)
	list := object(`"items":{"type":"array","items":{"type":"string"},"maxItems":20}`, `"items"`)
	ok := func(*server, json.RawMessage) string { return fine }
	when := func(cond func(json.RawMessage) bool, then func(*server) string) func(*server, json.RawMessage) string {
		return func(s *server, args json.RawMessage) string {
			if cond(args) {
				return then(s)
			}
			return fine
		}
	}
	crash := func(*server) string { return die() }
	hang := func(*server) string { return "" }
	return []creature{
		{name: "off by one on length", input: name, rule: "FUZZ-001", smallest: `{"name":"aaaaaaaaaa"}`,
			work: when(func(a json.RawMessage) bool { return utf8.RuneCountInString(field(a, "name")) == 10 }, crash)},
		{name: "crash on unicode", input: free, rule: "FUZZ-001", smallest: `{"name":"\u2028"}`,
			work: when(func(a json.RawMessage) bool {
				return strings.IndexFunc(field(a, "name"), func(r rune) bool { return r > unicode.MaxLatin1 || r >= 0x80 }) >= 0
			}, crash)},
		{name: "crash on empty text", input: free, rule: "FUZZ-001", smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return field(a, "name") == "" }, crash)},
		{name: "crash on a zero character", input: free, rule: "FUZZ-001", smallest: `{"name":"\u0000"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(field(a, "name"), "\x00") }, crash)},
		{name: "crash on a long text", input: free, rule: "FUZZ-001", smallest: `{"name":"a*4097"}`,
			work: when(func(a json.RawMessage) bool { return len(field(a, "name")) > 4096 }, crash)},
		{name: "crash on a quote", input: free, rule: "FUZZ-001", smallest: `{"name":"'"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(field(a, "name"), "'") }, crash)},
		{name: "crash without the optional", input: free, rule: "FUZZ-001", smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return !has(a, "note") }, crash)},
		{name: "crash at the maximum", input: number, rule: "FUZZ-001", smallest: `{"n":100}`,
			work: when(func(a json.RawMessage) bool { return field(a, "n") == "100" }, crash)},
		{name: "crash on an empty list", input: list, rule: "FUZZ-001", smallest: `{"items":[]}`,
			work: when(func(a json.RawMessage) bool { raw, _ := schema.Get(a, "/items"); return string(raw) == "[]" }, crash)},
		{name: "crash on many items", input: list, rule: "FUZZ-001", smallest: `{"items":["","","","","","","","","","","","","","","",""]}`,
			work: when(func(a json.RawMessage) bool {
				raw, _ := schema.Get(a, "/items")
				e, _ := schema.Elements(raw)
				return len(e) > 15
			}, crash)},
		{name: "crash on a wrong type", input: name, loose: true, rule: "FUZZ-001", smallest: `{"name":0}`,
			work: func(s *server, a json.RawMessage) string {
				if raw, _ := schema.Get(a, "/name"); schema.Kind(raw) == '0' {
					return die()
				}
				return s.strict(a, name)
			}},
		{name: "hang on null", input: free, loose: true, rule: "FUZZ-002", smallest: `{"name":null}`,
			work: func(s *server, a json.RawMessage) string {
				raw, there := schema.Get(a, "/name")
				switch {
				case string(raw) == "null":
					return hang(s)
				case !there || schema.Kind(raw) != '"':
					return s.failed("name must be a text")
				}
				return s.strict(a, free)
			}},
		{name: "hang on a path", input: free, rule: "FUZZ-002", smallest: `{"name":"../"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(field(a, "name"), "../") }, hang)},
		{name: "accepts another enum value", input: color, loose: true, rule: "FUZZ-004", smallest: `{"color":""}`,
			work: func(s *server, a json.RawMessage) string {
				if raw, _ := schema.Get(a, "/color"); schema.Kind(raw) != '"' {
					return s.failed("color must be a text")
				}
				return s.onlyMembers(a, "color")
			}},
		{name: "accepts a missing argument", input: name, loose: true, rule: "FUZZ-004", smallest: `{}`,
			work: func(s *server, a json.RawMessage) string {
				if string(a) == "{}" {
					return fine
				}
				return s.strict(a, name)
			}},
		{name: "accepts a number above the maximum", input: number, loose: true, rule: "FUZZ-004", smallest: `{"n":101}`,
			work: func(s *server, a json.RawMessage) string {
				return s.strict(a, object(`"n":{"type":"integer","minimum":0}`, `"n"`))
			}},
		{name: "accepts unknown members", input: name, loose: true, rule: "FUZZ-004", smallest: `{"name":"","explanation":""}`,
			work: func(s *server, a json.RawMessage) string {
				return s.strict(a, `{"type":"object","properties":{"name":{"type":"string","maxLength":10}},"required":["name"]}`)
			}},
		{name: "refuses what it allows", input: free, rule: "FUZZ-005", smallest: `{"name":"\n"}`,
			work: func(s *server, a json.RawMessage) string {
				if strings.Contains(field(a, "name"), "\n") {
					return s.refuse(-32602, "no line ends, please")
				}
				return fine
			}},
		{name: "internal error for wrong arguments", input: number, loose: true, rule: "FUZZ-008", smallest: `{}`,
			work: func(s *server, a json.RawMessage) string {
				if compiled, _ := schema.Compile(json.RawMessage(number), nil); len(compiled.Validate(a)) > 0 {
					return s.refuse(-32603, "unexpected")
				}
				return fine
			}},
		{name: "leaks a stack trace", input: number, loose: true, rule: "FUZZ-007", smallest: `{}`,
			work: func(s *server, a json.RawMessage) string {
				if compiled, _ := schema.Compile(json.RawMessage(number), nil); len(compiled.Validate(a)) > 0 {
					return s.failed("Traceback (most recent call last):\n  File \"/srv/app/tools.py\", line 12, in work\nValueError")
				}
				return fine
			}},
		{name: "leaks its environment", input: free, rule: "FUZZ-007", smallest: `{"name":"${"}`,
			work: func(s *server, a json.RawMessage) string {
				if strings.Contains(field(a, "name"), "${") {
					return s.failed("cannot expand: API_KEY=abcdef1234567890abcdef")
				}
				return fine
			}},
		{name: "result against its output schema", input: free, output: object(`"length":{"type":"integer","minimum":1}`, `"length"`), rule: "FUZZ-006", smallest: `{"name":""}`,
			work: func(s *server, a json.RawMessage) string {
				return fmt.Sprintf(`{"content":[{"type":"text","text":"x"}],"structuredContent":{"length":%d}}`, len(field(a, "name")))
			}},
		{name: "content of no type", input: free, rule: "FUZZ-003", smallest: `{"name":"<"}`,
			work: func(s *server, a json.RawMessage) string {
				if strings.Contains(field(a, "name"), "<") {
					return `{"content":[{"text":"x"}]}`
				}
				return fine
			}},
		{name: "another shape the second time", input: free, rule: "FUZZ-011", smallest: `{"name":""}`,
			work: func(s *server, a json.RawMessage) string {
				if s.calls%2 == 0 {
					return `{"content":[],"structuredContent":{"a":1}}`
				}
				return `{"content":[],"structuredContent":{"b":1}}`
			}},
		{name: "open files grow", input: free, rule: "FUZZ-010", smallest: `{"name":""} x120`,
			work: func(s *server, _ json.RawMessage) string {
				f, err := os.Open(os.DevNull)
				if err != nil {
					return s.failed("no more files")
				}
				s.files = append(s.files, f)
				return fine
			}},
		{name: "crash after a certain first call", input: free, stateful: true, rule: "FUZZ-001", smallest: `{"name":"passwd"} then {"name":"","note":""}`,
			work: func(s *server, a json.RawMessage) string {
				if s.memory["armed"] != "" && has(a, "note") {
					return die()
				}
				if strings.Contains(field(a, "name"), "passwd") {
					s.memory["armed"] = "yes"
				}
				return fine
			}},
		{name: "crash on an id that it gave", input: free, stateful: true, rule: "FUZZ-001", smallest: `{"name":"ticket-42"}`,
			work: func(s *server, a json.RawMessage) string {
				if field(a, "name") == "ticket-42" {
					return die()
				}
				return `{"content":[{"type":"text","text":"made ticket-42"}]}`
			}},
		{name: "mismatch after some calls", input: free, output: object(`"n":{"type":"integer","maximum":30}`, `"n"`), rule: "FUZZ-006", smallest: `{"name":""} x31`,
			work: func(s *server, _ json.RawMessage) string {
				return fmt.Sprintf(`{"content":[{"type":"text","text":"x"}],"structuredContent":{"n":%d}}`, s.calls)
			}},
		{name: "dies after a cancellation", input: free, stateful: true, rule: "FUZZ-001", smallest: `cancelled {}`, work: ok,
			frame: func(s *server, line []byte) bool {
				if strings.Contains(string(line), "notifications/cancelled") {
					die()
				}
				return false
			}},
		{name: "silent after many calls", input: free, rule: "FUZZ-002", smallest: `{"name":""} x121`,
			work: func(s *server, _ json.RawMessage) string {
				if s.calls > 120 {
					return ""
				}
				return fine
			}},
		{name: "dies of what is no JSON", input: name, wire: true, rule: "FUZZ-012", smallest: `"hello"`, work: ok,
			frame: func(_ *server, line []byte) bool {
				if !json.Valid(line) && strings.TrimSpace(string(line)) != "" {
					die()
				}
				return false
			}},
		{name: "dies of a batch", input: name, wire: true, rule: "FUZZ-012", smallest: `"[]"`, work: ok,
			frame: func(_ *server, line []byte) bool {
				if len(line) > 0 && line[0] == '[' {
					die()
				}
				return false
			}},
	}
}

// strict answers by a schema of its own.
func (s *server) strict(args json.RawMessage, rules string) string {
	compiled, err := schema.Compile(json.RawMessage(rules), nil)
	if err != nil {
		panic(err)
	}
	if violations := compiled.Validate(args); len(violations) > 0 {
		return s.failed(violations[0].Message)
	}
	return fine
}

// onlyMembers refuses unknown and missing members.
func (s *server) onlyMembers(args json.RawMessage, name string) string {
	members, _ := schema.Members(args)
	if len(members) != 1 || members[0].Name != name {
		return s.failed("want " + name + " alone")
	}
	return fine
}
