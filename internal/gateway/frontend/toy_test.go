package frontend

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A toy is a small server of the older era, written as lines. Its tools do what their functions say.
type toy struct {
	tools   map[string]func(c *toyCall) string // the result, JSON; "" is no answer
	schema  string                             // of every tool; {"type":"object"} if empty
	output  string                             // outputSchema of every tool; none if empty
	listed  func() []string                    // the tools to list; all if nil
	opening func(say func(string))             // called once the client is there
}

type toyCall struct {
	ctx       context.Context
	arguments json.RawMessage
	meta      map[string]json.RawMessage
	say       func(line string)                 // writes a message
	ask       func(method string) (json string) // asks the client
}

// A toySession is a toy with one client.
type toySession struct {
	*toy
	*talk
}

// serve speaks for the toy.
func (s *toy) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	session := &toySession{s, newTalk(out)}
	var wg sync.WaitGroup
	defer wg.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return session.listen(in, func(method string, m map[string]json.RawMessage) { session.hear(ctx, &wg, method, m) })
}

// hear answers a message; a call when its tool is done.
func (s *toySession) hear(ctx context.Context, wg *sync.WaitGroup, method string, m map[string]json.RawMessage) {
	reply := func(result string) { s.say(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,"result":` + result + `}`) }
	switch {
	case method == "initialize":
		reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},` +
			`"serverInfo":{"name":"toy","version":"1"}}`)
	case method == "notifications/initialized" && s.opening != nil:
		s.opening(s.say)
	case method == "tools/list":
		reply(s.list())
	case method == "tools/call":
		params := serve.Members(m["params"])
		c := &toyCall{ctx: ctx, arguments: params["arguments"], meta: serve.Members(params["_meta"]), say: s.say}
		c.ask = func(method string) string { return s.ask(ctx, method, `{"message":"name?"}`) }
		wg.Go(func() {
			if result := s.tools[serve.Text(params["name"])](c); result != "" {
				reply(result)
			}
		})
	case m["id"] != nil && method != "server/discover":
		reply(`{}`)
	case m["id"] != nil:
		s.say(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,"error":{"code":-32601,"message":"no"}}`)
	}
}

func (s *toy) list() string {
	var names []string
	if s.listed != nil {
		names = s.listed()
	} else {
		for name := range s.tools {
			names = append(names, name)
		}
	}
	schema := s.schema
	if schema == "" {
		schema = `{"type":"object"}`
	}
	var items []string
	more := ""
	if s.output != "" {
		more = `,"outputSchema":` + s.output
	}
	for _, name := range names {
		items = append(items, fmt.Sprintf(`{"name":%q,"vendor":[1.0,9007199254740993],"inputSchema":%s%s}`, name,
			schema, more))
	}
	return `{"tools":[` + strings.Join(items, ",") + `]}`
}

func text(s string) string { return `{"content":[{"type":"text","text":"` + s + `"}]}` }

func inProcess(s *toy) wire.Target { return wire.Target{Serve: s.serve} }
