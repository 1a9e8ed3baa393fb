package frontend

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/starter"
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
	if os.Getenv(keeperMode) != "" {
		serveKeeper()
		os.Exit(0)
	}
	starter.Play()
	os.Exit(runAndLookBehind(m))
}

// A rig is a gateway in this process, with what tests need of it.
type rig struct {
	*Gateway
	endpoint *serve.Endpoint
	policy   *access.Policy
	url      string
}

// newRig starts a gateway before the servers. The caller of an HTTP request is its X-Caller; without a policy each may
// do everything.
func newRig(t testing.TB, expose string, policy *access.Policy, servers map[string]wire.Target) *rig {
	t.Helper()
	return newRigWith(t, &invoke.Invoker{Timeout: 20 * time.Second}, expose, policy, servers)
}

// newRigWith is newRig with what runs the tools.
func newRigWith(t testing.TB, invoker *invoke.Invoker, expose string, policy *access.Policy,
	servers map[string]wire.Target) *rig {
	t.Helper()
	tools := catalog.New()
	callers := func(name string) *access.Caller { return access.Unrestricted(name) }
	if policy != nil {
		callers = policy.Find
	}
	g := New(Options{Catalog: tools, Invoker: invoker, Callers: callers, Expose: expose, Grace: 2 * time.Second,
		Info: mcp.Implementation{Name: "rig", Version: "1"}})
	for name, target := range servers {
		g.Add(name, target, upstreamOptions())
	}
	t.Cleanup(func() {
		g.Close()
		_ = tools.Close()
	})
	e, url := listen(t, g)
	return &rig{Gateway: g, endpoint: e, policy: policy, url: url}
}

func upstreamOptions() upstream.Options {
	return upstream.Options{Client: mcp.Implementation{Name: "rig", Version: "1"}}
}

// listen serves a backend over HTTP. The caller of a request is its X-Caller.
func listen(t testing.TB, back serve.Backend) (e *serve.Endpoint, url string) {
	e = serve.NewEndpoint(back,
		&serve.EndpointOptions{Caller: func(r *http.Request) string { return r.Header.Get("X-Caller") }})
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		e.Drain(ctx)
		server.Close()
	})
	return e, server.URL + "/mcp"
}

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

// callMeta calls a meta-tool and returns the result or the error as text, and the JSON in the result's text, which is
// escaped there.
func callMeta(t testing.TB, s *mcp.Session, name, arguments string) string {
	t.Helper()
	got := call(t, s, name, arguments)
	return got + "\n" + textsOf(got)
}

// textsOf returns the text contents of a result.
func textsOf(result string) string {
	var read struct{ Content []struct{ Text string } }
	_ = json.Unmarshal([]byte(result), &read)
	all := ""
	for _, c := range read.Content {
		all += c.Text
	}
	return all
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
