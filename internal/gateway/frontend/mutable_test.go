package frontend

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A mutable is a server whose definitions change, and that has a ledger of the calls that reached it.
type mutable struct {
	mu           sync.Mutex
	tools        []string // definitions
	prompts      []string
	instructions string
	silent       bool // it does not announce changes
	slow         chan struct{}
	calls        []string // tool and nonce
	lists        int
	conns        map[*talk]context.CancelFunc
}

func (s *mutable) target() wire.Target { return wire.Target{Serve: s.serve} }

func (s *mutable) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := newTalk(out)
	s.mu.Lock()
	if s.conns == nil {
		s.conns = map[*talk]context.CancelFunc{}
	}
	s.conns[t] = cancel
	s.mu.Unlock()
	done := make(chan error, 1)
	go func() {
		done <- t.listen(in, func(method string, m map[string]json.RawMessage) { s.hear(ctx, t, method, m) })
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return nil
	}
}

func (s *mutable) hear(ctx context.Context, t *talk, method string, m map[string]json.RawMessage) {
	reply := func(result string) { t.say(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,"result":` + result + `}`) }
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case m["id"] == nil:
	case method == "server/discover":
		t.say(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,"error":{"code":-32601,"message":"no"}}`)
	case method == "initialize":
		reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"prompts":{}},` +
			`"serverInfo":{"name":"mutable","version":"1"},"instructions":` + string(rawjson.Quote(s.instructions)) + `}`)
	case method == "tools/list":
		s.lists++
		reply(`{"tools":[` + strings.Join(s.tools, ",") + `]}`)
	case method == "prompts/list":
		reply(`{"prompts":[` + strings.Join(s.prompts, ",") + `]}`)
	case method == "prompts/get":
		s.calls = append(s.calls, "prompt "+serve.Text(serve.Members(m["params"])["name"]))
		reply(`{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`)
	case method == "tools/call":
		params := serve.Members(m["params"])
		name, slow := serve.Text(params["name"]), s.slow
		s.calls = append(s.calls, name+" "+serve.Text(serve.Members(params["arguments"])["nonce"]))
		if name != "slow" {
			reply(text("done"))
			return
		}
		go func() {
			select {
			case <-slow:
				reply(text("done"))
			case <-ctx.Done():
			}
		}()
	default:
		reply(`{}`)
	}
}

// set replaces the definition of a tool, or adds one, and announces it.
func (s *mutable) set(definitions ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, definition := range definitions {
		name := serve.Text(serve.Members(json.RawMessage(definition))["name"])
		i := slices.IndexFunc(s.tools, func(d string) bool {
			return serve.Text(serve.Members(json.RawMessage(d))["name"]) == name
		})
		if i < 0 {
			s.tools = append(s.tools, definition)
		} else {
			s.tools = slices.Clone(s.tools)
			s.tools[i] = definition
		}
	}
	s.announce()
}

func (s *mutable) announce() {
	if s.silent {
		return
	}
	for t := range s.conns {
		t.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	}
}

// restart ends all connections.
func (s *mutable) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range maps.All(s.conns) {
		cancel()
	}
	s.conns = nil
}

// reached counts the calls in the ledger that start with a text.
func (s *mutable) reached(prefix string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.calls {
		if strings.HasPrefix(c, prefix) {
			n++
		}
	}
	return n
}

// tool is a definition.
func tool(name, description string) string {
	return fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object","properties":{"nonce":`+
		`{"type":"string"}}}}`, name, description)
}
