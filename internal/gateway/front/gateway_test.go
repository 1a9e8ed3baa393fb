package front

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func echoing(c *toyCall) string {
	return `{"content":[],"structuredContent":` + string(c.arguments) + `}`
}

// What servers list and return passes as the bytes that it was, but for the names, in both eras.
func TestPassesBytes(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{"echo": echoing}})})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		list, err := s.List(t.Context(), "tools/list")
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"name":"a__echo","vendor":[1.0,9007199254740993],"inputSchema":{"type":"object"}}`; len(list.Items) != 1 || string(list.Items[0].Raw) != want {
			t.Errorf("%s: listed %s, want %s", protocol, list.Result(), want)
		}
		want := `{"content":[],"structuredContent":{"b":1.0,"a":9007199254740993,"t":"<\u0041>"}`
		if got := call(t, s, "a__echo", `{"b":1.0,"a":9007199254740993,"t":"<\u0041>"}`); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", protocol, got, want)
		}
	}
}

// A dead and a slow server neither hide nor delay the others; when one goes, its tools stay, marked.
func TestOthersAreNotHidden(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	stop := make(chan struct{})
	mortal := &toy{tools: map[string]func(*toyCall) string{"echo": echoing}}
	var lives atomic.Int64
	r := newRig(t, All, nil, map[string]wire.Target{
		"good": inProcess(&toy{tools: map[string]func(*toyCall) string{"echo": echoing}}),
		"dead": {Command: []string{"/nonexistent/server"}},
		"slow": {Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			select {
			case <-hang:
			case <-ctx.Done():
			}
			return nil
		}},
		"mortal": {Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			if lives.Add(1) > 2 { // the probe and one life
				return fmt.Errorf("dead for good")
			}
			ctx, cancel := context.WithCancel(ctx)
			go func() {
				select {
				case <-stop:
				case <-ctx.Done():
				}
				cancel()
			}()
			done := make(chan error, 1)
			go func() { done <- mortal.serve(ctx, in, out) }()
			select {
			case <-ctx.Done():
				return fmt.Errorf("stopped")
			case err := <-done:
				return err
			}
		}},
	})
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	eventually(t, "the tools of two servers", func() bool { return slices.Equal(names(t, s), []string{"good__echo", "mortal__echo"}) })
	quickest := time.Hour
	for range 10 {
		start := time.Now()
		names(t, s)
		quickest = min(quickest, time.Since(start))
	}
	if quickest > 200*time.Millisecond {
		t.Errorf("a list took %v, want no wait for the slow one", quickest)
	}
	close(stop)
	eventually(t, "the mark", func() bool {
		list, err := s.List(t.Context(), "tools/list")
		if err != nil {
			t.Fatal(err)
		}
		item, ok := list.Find("mortal__echo")
		return ok && strings.Contains(string(item.Raw), `"_meta":{"mcptest.dev/stale":true}`)
	})
	if got := call(t, s, "mortal__echo", `{}`); !strings.Contains(got, "UpstreamError") || !strings.Contains(got, "mortal") {
		t.Errorf("a call of a dead server: %s, want an UpstreamError that names it", got)
	}
	if got := call(t, s, "good__echo", `{"x":1}`); !strings.Contains(got, `{"x":1}`) {
		t.Errorf("the good server: %s", got)
	}
}

// Arguments are validated before they are forwarded, and errors have their types on the wire.
func TestErrorsOnTheWire(t *testing.T) {
	var executed atomic.Int64
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{
		schema: `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
		tools: map[string]func(*toyCall) string{
			"count": func(*toyCall) string { executed.Add(1); return text("ok") },
			"fail":  func(*toyCall) string { return `{"content":[],"isError":true,"structuredContent":"anything"}` },
		}})})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		for _, test := range []struct{ name, arguments, want string }{
			{"a__count", `{}`, `"type":"ValidationError"`},
			{"a__count", `{"n":"1"}`, `"type":"TypeError"`},
			{"a__count", `{"n":"1"}`, `"isError":true`},
			{"a__count", `{"n":"1"}`, `{"path":"/n","rule":"type","expected":"integer","received":"string"`},
			{"a__none", `{}`, "error -32602: Unknown tool: a__none"},
			{"count", `{"n":1}`, "error -32602: Unknown tool: count"},
			{"a__fail", `{"n":1}`, `{"content":[],"isError":true,"structuredContent":"anything"`},
		} {
			if got := call(t, s, test.name, test.arguments); !strings.Contains(got, test.want) {
				t.Errorf("%s: %s(%s) = %s, want %s", protocol, test.name, test.arguments, got, test.want)
			}
		}
	}
	if executed.Load() != 0 {
		t.Errorf("%d executions, want none", executed.Load())
	}
}

// A cancellation reaches the server on the wire, and the client hears nothing more.
func TestCancellationReachesTheServer(t *testing.T) {
	for _, protocol := range protocols {
		began, stopped := make(chan struct{}), make(chan string, 1)
		server := &toy{tools: map[string]func(*toyCall) string{"wait": func(c *toyCall) string { close(began); <-c.ctx.Done(); return "" }}}
		r := newRig(t, All, nil, map[string]wire.Target{"a": {Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			return server.serve(ctx, &watched{in, "notifications/cancelled", stopped}, out)
		}}})
		s := r.dial(t, protocol, "ada", mcp.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-began; cancel() }()
		if _, err := s.Do(ctx, mcp.Request{Method: "tools/call", Params: mcp.Object("name", "a__wait")}); err == nil {
			t.Errorf("%s: a cancelled call was answered", protocol)
		}
		soon(t, "the news of the cancellation", stopped)
	}
}

// Changes of a server's list reach clients of both eras, a burst as few.
func TestListChangesReachClients(t *testing.T) {
	var more atomic.Bool
	change := make(chan func(string), 1)
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{"one": echoing, "two": echoing},
		listed: func() []string {
			if more.Load() {
				return []string{"one", "two"}
			}
			return []string{"one"}
		},
		opening: func(say func(string)) { change <- say }})})
	var heard atomic.Int64
	listen := func(protocol string) *mcp.Session {
		s := r.dial(t, protocol, "ada", mcp.Options{OnNotification: func(m mcp.Message) {
			if m.Method == toolsChanged {
				heard.Add(1)
			}
		}})
		if _, err := s.Listen(t.Context(), mcp.Filter{Tools: true}); err != nil {
			t.Fatal(err)
		}
		return s
	}
	older, newer := listen("2025-11-25"), listen("2026-07-28")
	eventually(t, "the first tool", func() bool { return slices.Equal(names(t, older), []string{"a__one"}) })
	heard.Store(0)
	more.Store(true)
	say := <-change
	for range 50 {
		say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	}
	eventually(t, "the second tool", func() bool { return len(names(t, newer)) == 2 })
	eventually(t, "the notifications", func() bool { return heard.Load() >= 2 })
	time.Sleep(300 * time.Millisecond)
	if n := heard.Load(); n > 6 {
		t.Errorf("%d notifications for a burst of 50, want a few", n)
	}
}

// A server's questions reach the client whose call they belong to, in the older era as they are.
func TestQuestionsReachTheClient(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{
		"ask": func(c *toyCall) string { return text(strings.ReplaceAll(c.ask("elicitation/create"), `"`, "'")) }}})})
	asked := mcp.Options{Elicitation: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
	}}
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", asked)
		if got := call(t, s, "a__ask", `{}`); !strings.Contains(got, "{'name':'Ada'}") {
			t.Errorf("%s: %s, want the answer of the client", protocol, got)
		}
	}
	s := r.dial(t, "2025-11-25", "ada", mcp.Options{})
	if got := call(t, s, "a__ask", `{}`); strings.Contains(got, "Ada") {
		t.Errorf("a client without elicitation: %s", got)
	}
}

// A process does not say for whom it asks. Its clients take turns once it has asked, and each answers its own question;
// one that thinks about its answer keeps no other waiting.
func TestQuestionsOfSeveralClients(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{
		"ask":  func(c *toyCall) string { return text(strings.ReplaceAll(c.ask("elicitation/create"), `"`, "'")) },
		"echo": echoing}})})
	thinking, think := make(chan string, 1), make(chan struct{})
	client := func(protocol, caller string) *mcp.Session {
		return r.dial(t, protocol, caller, mcp.Options{Elicitation: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			if caller == "thinker" {
				thinking <- caller
				<-think
			}
			return json.RawMessage(`{"action":"accept","content":{"name":"` + caller + `"}}`), nil
		}})
	}
	thinker := client("2025-11-25", "thinker")
	thought := make(chan string, 1)
	go func() { thought <- call(t, thinker, "a__ask", `{}`) }()
	soon(t, "the first question", thinking)
	var wg sync.WaitGroup
	for i := range 10 {
		caller := fmt.Sprint("caller", i)
		s := client(protocols[i%2], caller)
		wg.Go(func() {
			for range 3 {
				if got := call(t, s, "a__ask", `{}`); !strings.Contains(got, "{'name':'"+caller+"'}") {
					t.Errorf("%s: %s, want its own answer", caller, got)
				}
				if got := call(t, s, "a__echo", `{"n":1}`); !strings.Contains(got, `{"n":1}`) {
					t.Errorf("%s: %s", caller, got)
				}
			}
		})
	}
	wg.Wait()
	close(think)
	if got := <-thought; !strings.Contains(got, "{'name':'thinker'}") {
		t.Errorf("the thinker: %s", got)
	}
}

func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// What a caller may not use it neither sees nor can call, by any spelling; a change of policy holds at once (E4).
func TestE4DeniedToolsDoNotExist(t *testing.T) {
	tools := map[string]func(*toyCall) string{}
	for _, name := range []string{"read", "write", "Read", "delete_all"} {
		tools[name] = func(*toyCall) string { return text("ran " + name) }
	}
	policy, err := access.New(access.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Both, policy, map[string]wire.Target{"a": inProcess(&toy{tools: tools}), "b": inProcess(&toy{tools: tools}), "c": inProcess(&toy{tools: tools})})
	patterns := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a/read", "b/*", "*/write", "a/*e*", "*", "c", "a/Read"}), 0, 3)
	allow := func(allow, deny []string) {
		if err := policy.Replace(access.Config{Callers: []access.CallerConfig{{Name: "ada", TokenSHA256: hash("x"), Allow: allow, Deny: deny}}}); err != nil {
			t.Fatal(err)
		}
	}
	allow(nil, nil)
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	eventually(t, "all tools", func() bool { return len(names(t, s)) >= 12+10 })
	cases := 0
	rapid.Check(t, func(rt *rapid.T) {
		allow(patterns.Draw(rt, "allow"), patterns.Draw(rt, "deny"))
		seen := names(t, s)
		found := call(t, s, "catalog_search", `{"query":"read write delete","limit":100}`) + call(t, s, "catalog_list", `{}`)
		for _, server := range []string{"a", "b", "c"}[:max(1, 3/slowdown)] { // under the race detector, fewer
			for name := range tools {
				exposed := server + "__" + name
				listed := slices.Contains(seen, exposed)
				for _, spelling := range []string{exposed, server + "/" + name, strings.ToUpper(exposed), exposed + "_"} {
					cases++
					invoked := call(t, s, "invoke_tool", `{"name":"`+spelling+`"}`)
					known := spelling == exposed || strings.Contains(spelling, "/")
					if ran := strings.Contains(invoked, "ran "); ran != (listed && known) {
						rt.Errorf("%s is listed: %v, invoked: %s", spelling, listed, invoked)
					}
				}
				cases += 2
				if ran := strings.Contains(call(t, s, exposed, `{}`), "ran "+name+`"`); ran != listed {
					rt.Errorf("%s is listed: %v, called: %v", exposed, listed, ran)
				}
				if shown := strings.Contains(found, `"invoke_as":"`+exposed+`"`); shown != listed {
					rt.Errorf("%s is listed: %v, found: %v", exposed, listed, shown)
				}
			}
		}
	})
	t.Logf("%d cases", cases)
	allow([]string{"a/read"}, nil)
	for _, spelling := range []string{"a__WRITE", "A__read", "a__reаd", "a_read", "a__read ", "a__read\u0000", "b__read", "a/read/../write"} {
		if got := call(t, s, spelling, `{}`); strings.Contains(got, "ran") {
			t.Errorf("%q was run: %s", spelling, got)
		}
	}
}

// An agent sees a dozen tools and reaches all through them; each TC of the catalog's life, over the wire.
func TestMetaTools(t *testing.T) {
	r := newRig(t, Meta, nil, map[string]wire.Target{"files": inProcess(&toy{tools: map[string]func(*toyCall) string{"read_file": echoing, "list_files": echoing}}),
		"demo": {Serve: builtin(t)}})
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	eventually(t, "the servers", func() bool { return strings.Contains(call(t, s, "health", `{}`), `"status":"healthy"`) })
	want := []string{"catalog_search", "catalog_list", "describe_tool", "invoke_tool", "validate_tool", "register_tool", "update_tool", "remove_tool",
		"describe_server", "search_servers", "catalog_resources", "catalog_prompts", "health"}
	if diff := cmp.Diff(names(t, s), want); diff != "" {
		t.Errorf("tools (-got +want):\n%s", diff)
	}
	tool := `{"name":"greet","description":"v1","parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"run":{"upstream":{"server":"files","tool":"read_file"}},"validators":[{"name":"small","expression":".n < 10"}]}`
	newer := strings.Replace(strings.Replace(tool, "v1", "v2", 1), `"n"`, `"m"`, 2)
	for _, step := range []struct{ tool, arguments, want string }{
		{"catalog_search", `{"query":"read file"}`, `"invoke_as":"files__read_file"`},
		{"catalog_list", `{"filter":"FILE","server":"files"}`, `"count":2`},
		{"invoke_tool", `{"name":"files__read_file","arguments":{"x":9007199254740993}}`, `{"x":9007199254740993}`},
		{"invoke_tool", `{"name":"nope"}`, `"type":"NotFoundError"`},
		{"invoke_tool", `{}`, `"type":"ValidationError"`},
		{"register_tool", `{"tool":` + tool + `}`, `"version":1`},
		{"register_tool", `{"tool":` + tool + `}`, `"type":"ConflictError"`},
		{"catalog_list", `{"filter":"greet"}`, `"registered_at"`},
		{"validate_tool", `{"name":"greet","arguments":{"n":50}}`, `"status":"FAIL","errors":[],"validators":[{"name":"small","outcome":"FAIL"`},
		{"validate_tool", `{"name":"greet","arguments":{"n":5}}`, `"status":"PASS"`},
		{"invoke_tool", `{"name":"greet","arguments":{"n":5}}`, `{"n":5}`},
		{"update_tool", `{"tool":` + newer + `,"version":1}`, `"version":2`},
		{"update_tool", `{"tool":` + newer + `,"version":1}`, `"type":"ConflictError"`},
		{"invoke_tool", `{"name":"greet","arguments":{"n":5}}`, `missing required: m`},
		{"describe_tool", `{"name":"greet"}`, `"description":"v2"`},
		{"remove_tool", `{"name":"greet"}`, `"removed":"greet"`},
		{"invoke_tool", `{"name":"greet","arguments":{"n":5}}`, `there is no tool greet`},
		{"remove_tool", `{"name":"files__read_file"}`, `"type":"InvalidError"`},
		{"register_tool", `{"tool":{"name":"x","run":{"http":{"method":"GET","url":"http://169.254.169.254/"}}}}`, `is not one that the gateway's config allows`},
		{"describe_server", `{"server":"files"}`, `"tool_names":["files__list_files","files__read_file"]`},
		{"search_servers", `{"query":"file"}`, `"name":"files"`},
		{"catalog_resources", `{}`, `"name":"demo+demo://note"`},
		{"catalog_prompts", `{}`, `"name":"demo__greet"`},
	} {
		if got := call(t, s, step.tool, step.arguments); !strings.Contains(got, step.want) {
			t.Errorf("%s(%s) = %s\nwant %s", step.tool, step.arguments, got, step.want)
		}
	}
	if got := call(t, s, "files__read_file", `{}`); !strings.Contains(got, "Unknown tool") {
		t.Errorf("a hidden tool was called directly: %s", got)
	}
}

// Only callers who may manage the catalog see and run what changes it.
func TestManaging(t *testing.T) {
	policy, err := access.New(access.Config{Callers: []access.CallerConfig{{Name: "ada", TokenSHA256: hash("a"), Manage: true}, {Name: "eve", TokenSHA256: hash("e")}}})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Meta, policy, nil)
	for caller, want := range map[string]bool{"ada": true, "eve": false} {
		s := r.dial(t, "2026-07-28", caller, mcp.Options{})
		if got := slices.Contains(names(t, s), "register_tool"); got != want {
			t.Errorf("%s sees register_tool: %v, want %v", caller, got, want)
		}
		got := call(t, s, "register_tool", `{"tool":{"name":"t-`+caller+`","run":{"upstream":{"server":"a","tool":"b"}}}}`)
		if _, err := r.opts.Catalog.Get(catalog.Key{Name: "t-" + caller}); (err == nil) != want {
			t.Errorf("%s registered a tool: %v (%s), want %v", caller, err == nil, got, want)
		}
	}
}

// Resources, prompts and completions find their servers, by the names that clients see and by those that results have.
func TestResourcesAndPrompts(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"d": {Serve: builtin(t)}, "e": {Serve: builtin(t)}})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		eventually(t, "the resources", func() bool {
			list, err := s.List(t.Context(), "resources/list")
			_, ok := list.Find("e+demo://note")
			return err == nil && ok
		})
		for _, step := range []struct{ method, params, want string }{
			{"resources/read", `{"uri":"e+demo://note"}`, `"uri":"demo://note"`},
			{"resources/read", `{"uri":"demo://note"}`, `"uri":"demo://note"`},
			{"resources/read", `{"uri":"x+demo://note"}`, "not found"},
			{"prompts/get", `{"name":"d__greet","arguments":{"name":"Ada"}}`, "Ada"},
			{"prompts/get", `{"name":"greet"}`, "Unknown prompt"},
		} {
			ex, err := s.Call(t.Context(), step.method, json.RawMessage(step.params))
			if err != nil {
				t.Fatal(err)
			}
			got := string(ex.Reply.Result)
			if ex.Reply.Error != nil {
				got = ex.Reply.Error.Message
			}
			if !strings.Contains(got, step.want) {
				t.Errorf("%s: %s(%s) = %s, want %s", protocol, step.method, step.params, got, step.want)
			}
		}
		sub, err := s.Listen(t.Context(), mcp.Filter{URIs: []string{"d+demo://note"}})
		if err != nil {
			t.Fatal(err)
		}
		call(t, s, "e__write_note", `{"text":"other"}`)
		call(t, s, "d__write_note", `{"text":"`+protocol+`"}`)
		ctx, cancel := context.WithTimeout(t.Context(), hang)
		m, ok, err := sub.Next(ctx)
		if !ok || err != nil || !strings.Contains(string(m.Params), `"d+demo://note"`) {
			t.Errorf("%s: heard %s (%v), want an update of d+demo://note", protocol, m.Params, err)
		}
		cancel()
		sub.Close()
	}
}

func builtin(t *testing.T) func(context.Context, io.Reader, io.Writer) error {
	t.Helper()
	s, ok := demo.Lookup("demo")
	if !ok {
		t.Fatal("there is no demo")
	}
	return s.Serve
}
