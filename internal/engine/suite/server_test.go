package suite

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

const serverVariable = "MCPTEST_SUITE_TEST_SERVER"

// TestMain is also the server that the tests talk to: a process of its own, so that it can die.
func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) != "" {
		serveLines()
		return
	}
	os.Exit(m.Run())
}

// serveLines speaks 2025-06-18, a line a message. Its tools: echo, count (calls so far), exit (with the given code),
// hang, flaky (fails the first time), ask (elicits).
func serveLines() {
	in := bufio.NewScanner(os.Stdin)
	calls := 0
	var asked string
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
			Params struct {
				Name      string
				Arguments struct {
					Text string
					Code int
				}
			}
		}
		if json.Unmarshal(in.Bytes(), &m) != nil {
			continue
		}
		answer := func(id, result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result) }
		text := func(id, t string) {
			answer(id, fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"structuredContent":{"text":%q,"calls":%d,`+
				`"pid":%d}}`, t, t, calls, os.Getpid()))
		}
		id := string(m.ID)
		switch {
		case m.Method == "" && m.Result != nil:
			text(asked, string(m.Result))
		case m.Method == "initialize":
			answer(id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"lines",`+
				`"version":"1"}}`)
		case m.Method == "tools/list":
			answer(id, `{"tools":[{"name":"echo","inputSchema":{"type":"object",`+
				`"properties":{"text":{"type":"string"}}}},{"name":"count","inputSchema":{"type":"object"}}]}`)
		case m.Method != "tools/call":
			if m.ID != nil {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method",`+
					`"data":{"method":%q}}}`+"\n", id, m.Method)
			}
		default:
			calls++
			switch m.Params.Name {
			case "echo":
				fmt.Fprintln(os.Stderr, "echoing", m.Params.Arguments.Text)
				text(id, m.Params.Arguments.Text)
			case "exit":
				fmt.Fprintln(os.Stderr, "leaving")
				os.Exit(m.Params.Arguments.Code)
			case "hang":
			case "flaky":
				answer(id, fmt.Sprintf(`{"content":[{"type":"text","text":"try %d"}],"isError":%t}`, calls, calls == 1))
			case "ask":
				asked = id
				fmt.Println(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"name?",` +
					`"requestedSchema":{"type":"object","properties":{}}}}`)
			default:
				text(id, fmt.Sprint(calls))
			}
		}
	}
}

// dialLines starts the server.
func dialLines(t testing.TB) Dial {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, _ *Server, o Offers) (*mcp.Session, error) {
		opts := &mcp.Options{Protocol: "2025-06-18", Timeout: 20 * time.Second}
		if o.Elicitation {
			opts.Elicitation = func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return nil, fmt.Errorf("nobody answers")
			}
		}
		return mcp.Connect(ctx, wire.Target{Command: []string{self}, Env: append(os.Environ(), serverVariable+"=1")},
			wire.NewTranscript(nil), opts)
	}
}
