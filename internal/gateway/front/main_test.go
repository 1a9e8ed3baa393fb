package front

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// ledgerMode is the environment variable that makes this binary a server that notes each execution in a file.
const ledgerMode = "MCPTEST_LEDGER"

// full is set where there is time for the sizes that take long.
var full = os.Getenv("MCPTEST_FULL") != ""

func TestMain(m *testing.M) {
	if file := os.Getenv(ledgerMode); file != "" {
		serveLedger(file)
		os.Exit(0)
	}
	os.Exit(runAndLookBehind(m))
}

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

// serve speaks for the toy.
func (s *toy) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	say := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(out, line+"\n")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	answers := map[string]chan string{}
	asked := 0
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			cancel()
			return nil
		}
		m := serve.Members(line)
		var method string
		_ = json.Unmarshal(m["method"], &method)
		reply := func(result string) { say(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,"result":` + result + `}`) }
		switch {
		case method == "" && m["id"] != nil:
			mu.Lock()
			answer := answers[string(m["id"])]
			mu.Unlock()
			answer <- string(m["result"])
		case method == "initialize":
			reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"toy","version":"1"}}`)
		case method == "notifications/initialized" && s.opening != nil:
			s.opening(say)
		case method == "tools/list":
			reply(s.list())
		case method == "tools/call":
			params := serve.Members(m["params"])
			var name string
			_ = json.Unmarshal(params["name"], &name)
			c := &toyCall{ctx: ctx, arguments: params["arguments"], meta: serve.Members(params["_meta"]), say: say}
			c.ask = func(method string) string {
				mu.Lock()
				asked++
				id := fmt.Sprintf(`"ask-%d"`, asked)
				answer := make(chan string, 1)
				answers[id] = answer
				mu.Unlock()
				say(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"message":"name?"}}`)
				select {
				case text := <-answer:
					return text
				case <-ctx.Done():
					return ""
				}
			}
			wg.Go(func() {
				if result := s.tools[name](c); result != "" {
					reply(result)
				}
			})
		case m["id"] != nil && method != "server/discover":
			reply(`{}`)
		case m["id"] != nil:
			say(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,"error":{"code":-32601,"message":"no"}}`)
		}
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
		items = append(items, fmt.Sprintf(`{"name":%q,"vendor":[1.0,9007199254740993],"inputSchema":%s%s}`, name, schema, more))
	}
	return `{"tools":[` + strings.Join(items, ",") + `]}`
}

func text(s string) string { return `{"content":[{"type":"text","text":"` + s + `"}]}` }

// A rig is a gateway in this process, with what tests need of it.
type rig struct {
	*Gateway
	endpoint *serve.Endpoint
	policy   *access.Policy
	url      string
}

// newRig starts a gateway before the servers. The caller of an HTTP request is its X-Caller; without a policy each may do everything.
func newRig(t testing.TB, expose string, policy *access.Policy, servers map[string]wire.Target) *rig {
	t.Helper()
	return newRigWith(t, &invoke.Invoker{Timeout: 20 * time.Second}, expose, policy, servers)
}

// newRigWith is newRig with what runs the tools.
func newRigWith(t testing.TB, invoker *invoke.Invoker, expose string, policy *access.Policy, servers map[string]wire.Target) *rig {
	t.Helper()
	tools := catalog.New()
	callers := func(name string) *access.Caller { return access.Everybody(name) }
	if policy != nil {
		callers = policy.Find
	}
	g := New(Options{Catalog: tools, Invoker: invoker, Callers: callers, Expose: expose, Grace: 2 * time.Second, Info: mcp.Implementation{Name: "rig", Version: "1"}})
	for name, target := range servers {
		g.Add(name, target, upstream.Options{Client: mcp.Implementation{Name: "rig", Version: "1"}})
	}
	e := serve.NewEndpoint(g, &serve.EndpointOptions{Caller: func(r *http.Request) string { return r.Header.Get("X-Caller") }})
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		e.Drain(ctx)
		server.Close()
		g.Close()
		_ = tools.Close()
	})
	return &rig{Gateway: g, endpoint: e, policy: policy, url: server.URL + "/mcp"}
}

func inProcess(s *toy) wire.Target { return wire.Target{Serve: s.serve} }

// dial connects a client to the rig. Its credential is no business of any server's.
func (r *rig) dial(t testing.TB, protocol, caller string, opts mcp.Options) *mcp.Session {
	t.Helper()
	opts.Protocol = protocol
	header := http.Header{"X-Caller": {caller}, "Authorization": {"Bearer s3cret-of-" + caller}}
	s, err := mcp.Connect(t.Context(), wire.Target{Name: "rig", URL: r.url, Header: header}, nil, &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// call calls a tool and returns the result or the error, as text.
func call(t testing.TB, s *mcp.Session, name, arguments string) string {
	t.Helper()
	ex, err := s.Call(t.Context(), "tools/call", mcp.Object("name", name, "arguments", json.RawMessage(arguments)))
	if err != nil {
		return "no answer: " + err.Error()
	}
	if ex.Reply.Error != nil {
		return ex.Reply.Error.Error()
	}
	return string(ex.Reply.Result)
}

// names lists the tools that a client sees.
func names(t testing.TB, s *mcp.Session) []string {
	t.Helper()
	list, err := s.List(t.Context(), "tools/list")
	if err != nil || list.Refused != nil {
		t.Fatal(err, list.Refused)
	}
	var all []string
	for _, item := range list.Items {
		all = append(all, item.Name)
	}
	return all
}

var protocols = []string{"2025-11-25", "2026-07-28"}

// hang is how long is waited for what should come at once: no machine is so slow.
const hang = 30 * time.Second

// eventually waits until what should become true is.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(hang); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come true", what)
		}
	}
}
