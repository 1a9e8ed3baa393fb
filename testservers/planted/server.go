package planted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/stdinwake"
)

// A server is the state of a creature's process.
type server struct {
	creature Creature
	rules    *schema.Schema
	calls    int
	memory   map[string]string
	files    []*os.File
	blocks   [][]byte
	id       json.RawMessage // of the current request
	token    json.RawMessage // the progress token; nil if progress is not requested
}

func (s *server) serve() {
	defer stdinwake.Start()()
	s.rules = compile(s.creature.input)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		s.line(line)
	}
}

func (s *server) line(line []byte) {
	if s.creature.frame != nil && s.creature.frame(s, line) {
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
			Meta      struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil || m.Method == "" {
		return
	}
	s.id, s.token = m.ID, m.Params.Meta.ProgressToken
	switch m.Method {
	case "initialize":
		s.answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"planted",` +
			`"version":"1"}}`)
	case "tools/list":
		tools := s.creature.tool()
		for _, name := range s.creature.beside {
			tools += strings.Replace(","+s.creature.tool(), `"work"`, quoted(name), 1)
		}
		s.answer(`{"tools":[` + tools + `]}`)
	case "ping":
		s.answer("{}")
	case "tools/call":
		s.call(m.Params.Name, m.Params.Arguments)
	default:
		s.refuse(-32601, "no such method")
	}
}

func (s *server) call(name string, arguments json.RawMessage) {
	s.calls++
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	if violations := s.rules.Validate(arguments); len(violations) > 0 && !s.creature.loose {
		s.failed("wrong arguments: " + violations[0].Message)
		return
	}
	if slices.Contains(s.creature.beside, name) {
		s.answer(fine)
		return
	}
	if said := s.creature.work(s, arguments); said != "" {
		s.answer(said)
	}
}

func (c Creature) tool() string {
	output := ""
	if c.output != "" {
		output = `,"outputSchema":` + c.output
	}
	return `{"name":"work","annotations":{"readOnlyHint":true},"inputSchema":` + c.input + output + `}`
}

// fixed handles a call without the defect: it validates its arguments and returns a valid result.
func (c Creature) fixed() Creature {
	said := fine
	if c.output != "" {
		sample, err := compile(c.output).Sample(nil)
		if err != nil {
			panic(err)
		}
		said = `{"content":[{"type":"text","text":"fine"}],"structuredContent":` + string(sample) + `}`
	}
	c.loose, c.frame, c.work = false, nil, func(*server, json.RawMessage) string { return said }
	return c
}

const fine = `{"content":[{"type":"text","text":"fine"}]}`

func (s *server) answer(result string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", s.id, result)
}

// progress reports the progress of the current request, if requested.
func (s *server) progress(done int) {
	if s.token != nil {
		fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`+
			"\n", s.token, done)
	}
}

func (s *server) refuse(code int, message string) string {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", s.id, code, quoted(message))
	return ""
}

func (s *server) failed(message string) string {
	s.answer(`{"content":[{"type":"text","text":` + quoted(message) + `}],"isError":true}`)
	return ""
}

// strict validates against its own schema.
func (s *server) strict(arguments json.RawMessage, rules string) string {
	if violations := compile(rules).Validate(arguments); len(violations) > 0 {
		return s.failed(violations[0].Message)
	}
	return fine
}

func compile(rules string) *schema.Schema {
	compiled, err := schema.Compile(json.RawMessage(rules), nil)
	if err != nil {
		panic(err)
	}
	return compiled
}

// die exits like a crash.
func die() string {
	fmt.Fprintln(os.Stderr, "panic: something broke")
	os.Exit(2)
	return ""
}

// text is a string argument; for other types, its JSON.
func text(arguments json.RawMessage, name string) string {
	raw, _ := schema.Get(arguments, "/"+name)
	if s, ok := schema.Text(raw); ok {
		return s
	}
	return string(raw)
}

func has(arguments json.RawMessage, name string) bool {
	_, ok := schema.Get(arguments, "/"+name)
	return ok
}

func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
