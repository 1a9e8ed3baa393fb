package mcpserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/demo"
)

// A subject is a server that the scenarios test, and what is known about it.
type subject struct {
	address   string
	transport string
	server    string // its name

	tool, arguments, result string // a call that works, and a part of its result
	wrong                   string // arguments that the tool's schema forbids
	failing                 string // arguments of call_tool that make a tool report an error
	slow                    string // arguments of call_tool for a call that takes seconds
	resource, content       string // a resource and a part of it
	prompt, given, message  string // a prompt with its arguments, and a part of its first message
	needy                   string // a prompt with a required argument
	asking                  string // arguments of call_tool for a tool that asks the user
	accept                  string // content_json of the reply to it
	accepted                string // a part of the result then
	sampling                string // arguments of call_tool for a tool that asks a model
}

func demoSubject(address, transport string) subject {
	return subject{address: address, transport: transport, server: "demo",
		tool: "echo", arguments: `{"message":"grüß <b>&\u2028"}`, result: "grüß <b>&\u2028", wrong: `{"message":7}`,
		failing:  `{"name":"fail","arguments":{"reason":"file not found"}}`,
		slow:     `{"name":"wait","arguments":{"milliseconds":5000,"steps":1},"timeout_ms":150}`,
		resource: "demo://welcome", content: "", prompt: "greet", given: `{"name":"Ada"}`, message: "Ada",
		needy:  "greet",
		asking: `{"name":"ask_user","arguments":{"question":"Which colour?"}}`, accept: `{"name":"Ada","color":"blue"}`,
		accepted: "Ada",
		sampling: `{"name":"ask_model","arguments":{"prompt":"What is six times seven?"}}`}
}

// TestScenarios does everything that the server is for, right and wrong, by a real client.
func TestScenarios(t *testing.T) {
	url := serveDemo(t)
	for era, revision := range eras {
		t.Run("stdio/"+era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			walk(t, u.stdio(revision), demoSubject("demo", "stdio"))
			walk(t, u.stdio(revision, "--allow-private"), demoSubject(url, "streaming-http"))
		})
		t.Run("http/"+era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			e := u.listen("--allow-private")
			walk(t, u.http(e, e.tokens[0], revision), demoSubject(url, "streaming-http"))
			walk(t, u.http(e, e.tokens[1], revision), demoSubject("demo", "stdio"))
		})
	}
}

// serveDemo serves the clean server over HTTP.
func serveDemo(t *testing.T) string {
	t.Helper()
	clean, _ := demo.Lookup("demo")
	handler, stop := clean.Handler()
	server := httptest.NewServer(handler)
	t.Cleanup(func() { stop(); server.Close() })
	return server.URL + "/mcp"
}

// walk goes through every scenario with one subject.
func walk(t *testing.T, c *client, s subject) {
	t.Helper()
	beforeConnecting(c)
	connecting(c, s)
	lists(c, s)
	calls(c, s)
	resources(c, s)
	prompts(c, s)
	questions(c, s)
	c.call("connect_to_server", fmt.Sprintf(`{"url":%q,"connection":"older","protocol":"2025-11-25"}`, s.address)).ok()
	questions(c, s) // there the server asks by a request of its own
	c.call("disconnect", `{}`).ok()
	status := c.call("get_connection_status", `{}`).ok()
	status.has("/connected", "true").has("/connection/server_url", s.address).has("/pending", "[]")
	if status.at("/statistics/tools_called") == "0" || status.at("/statistics/resources_read") == "0" ||
		status.at("/statistics/prompts_retrieved") == "0" {
		t.Errorf("statistics = %s; want them counted", status.at("/statistics"))
	}
	c.call("disconnect", `{}`).ok().has("/previous_connection/server_url", s.address)
	c.call("disconnect", `{}`).fails("not_connected")
	if c.stderr.Len() > 0 && strings.Contains(c.stderr.String(), "panic") {
		t.Errorf("stderr: %s", c.stderr)
	}
}

func beforeConnecting(c *client) {
	c.t.Helper()
	c.call("get_connection_status", `{}`).fits("get_connection_status (not connected)")
	for tool, arguments := range map[string]string{
		"disconnect": `{}`, "list_tools": `{}`, "call_tool": `{"name":"x","arguments":{}}`, "list_resources": `{}`,
		"read_resource": `{"uri":"x:y"}`,
		"list_prompts":  `{}`, "get_prompt": `{"name":"x"}`, "list_resource_templates": `{}`,
		"complete":           `{"of":"prompt","name":"x","argument":"y","value":""}`,
		"validate_arguments": `{"name":"x","arguments_json":"{}"}`, "get_transcript": `{"since":0}`,
		"send_raw": `{"message":"x"}`, "lint_schemas": `{"connection":"main"}`,
		"run_suite": `{"suite":"servers: {s: demo}\ntools: [{tool: x}]"}`, "scaffold_suite": `{}`, "fuzz_tool": `{}`,
		"check_server": `{}`, "load_server": `{}`, "diff_server": `{"old":"main"}`, "lock_server": `{}`,
	} {
		c.call(tool, arguments).fails("not_connected")
	}
	c.call("connect_to_server", `{}`).fails("invalid_arguments")
	c.call("connect_to_server", `{"url":"http://127.0.0.1:1/mcp"}`).fails("connection_failed")
	c.call("connect_to_server", `{"url":"nobody"}`).fails("connection_failed").has("/error/details/reason",
		"not_allowed")
	c.call("connect_to_server", `{"url":"ftp://example.com"}`).fails("connection_failed")
}

func connecting(c *client, s subject) {
	c.t.Helper()
	connect := fmt.Sprintf(`{"url":%q}`, s.address)
	c.call("connect_to_server", connect).ok().has("/connection/server_url", s.address).has("/connection/transport",
		s.transport).
		has("/connection/server_info/name", s.server).has("/connection/name", "main")
	c.call("connect_to_server", connect).fails("connection_failed").has("/error/details/reason", "already_connected").
		contains("/error/suggestion", "disconnect").has("/connection/server_url", s.address)
	c.call("connect_to_server", fmt.Sprintf(`{"url":%q,"connection":"second","protocol":"2025-11-25"}`,
		s.address)).ok().
		has("/connection/raw/protocol", "2025-11-25")
	c.call("get_connection_status", `{}`).ok().has("/connection/name", "second").has("/connections/0/name",
		"main").has("/connections/0/current", "false")
	c.call("use_connection",
		`{"connection":"third"}`).fails("not_connected").contains("/error/details/open_connections", "second")
	c.call("disconnect", `{}`).ok().has("/previous_connection/name", "second")
	c.call("get_connection_status", `{}`).ok().has("/connection/name", "main")
}

func lists(c *client, s subject) {
	c.t.Helper()
	tools := c.call("list_tools", `{}`).ok().has("/metadata/server_name", s.server)
	if n := strings.Count(string(tools.raw), `"input_schema":`); fmt.Sprint(n) != tools.at("/metadata/total_tools") ||
		n < 6 {
		c.t.Errorf("list_tools has %d tools and counts %s", n, tools.at("/metadata/total_tools"))
	}
	tools.has("/tools/0/raw", "") // each schema once
	c.call("list_tools", `{"verbosity":"full","limit":1}`).ok().contains("/tools/0/raw", `"inputSchema"`)
	c.call("list_resources", `{"verbosity":"full"}`).ok().contains("/resources/0/raw", `"uri"`)
	c.call("list_resource_templates", `{}`).ok().contains("/resource_templates/0/uriTemplate", "{")
	c.call("list_prompts", `{"verbosity":"full"}`).ok().contains("/prompts/0/raw", `"name"`)
	c.call("list_tools", `{"limit":2,"verbosity":"brief"}`).ok().has("/page/returned", "2").has("/page/next_offset",
		"2").has("/tools/0/raw", "")
	c.call("list_tools", `{"offset":2,"limit":1,"connection":"main","verbosity":"full"}`).ok().has("/page/offset",
		"2").contains("/frames/0/body", "tools/list")
	c.call("lint_schemas", `{"connection":"main","rules":["SCH"],"verbosity":"full"}`).ok().contains("/report", `"engine"`)
	suites(c, s)
}

// suites runs a suite on the open connection, checks one, and writes a first one.
func suites(c *client, s subject) {
	c.t.Helper()
	passing := fmt.Sprintf("servers: {s: demo}\ntools: [{name: one, tool: %q, args: %s}]", s.tool, s.arguments)
	c.call("run_suite", fmt.Sprintf(`{"suite":%q}`, passing)).ok().has("/failed", "false").has("/report/metrics/passed",
		"1")
	failing := strings.TrimSuffix(passing, "}]") + ", expect: {equals: another value}}]"
	c.call("run_suite", fmt.Sprintf(`{"suite":%q}`, failing)).ok().has("/failed", "true").has("/report/metrics/failed",
		"1").contains("/report/findings/0/message", "another value")
	c.call("run_suite", fmt.Sprintf(`{"suite":%q}`,
		passing+"\nsetup: [[touch, x]]")).fails("invalid_arguments").contains("/error/message", "hooks")
	c.call("validate_suite", fmt.Sprintf(`{"suite":%q}`, passing)).ok().has("/report/tests/0", "suite/tools/one")
	c.call("validate_suite", fmt.Sprintf(`{"suite":%q}`,
		"servers: {s: demo}\ntols: []")).fails("invalid_arguments").contains("/error/message", "did you mean tools")
	c.call("scaffold_suite", `{}`).ok().contains("/report/suite", "tools:")
	c.call("fuzz_tool", fmt.Sprintf(`{"tool":[%q],"cases":30}`, s.tool)).ok().has("/report/metrics/cases_run",
		"30").has("/failed", "false")
	c.call("get_connection_status", `{}`).ok().has("/connection/name", "main") // a suite leaves the connection open
}

func calls(c *client, s subject) {
	c.t.Helper()
	good := c.call("call_tool", fmt.Sprintf(`{"name":%q,"arguments":%s,"verbosity":"full"}`, s.tool, s.arguments)).ok()
	good.has("/tool_call/tool_name", s.tool).contains("/tool_call/result/content/0/text",
		s.result).has("/tool_call/execution/success", "true").contains("/frames", "tools/call")
	c.call("call_tool", `{"name":"no_such_tool","arguments":{}}`).fails("tool_not_found")
	c.call("call_tool", `{"name":"no_such_tool","arguments":{},"skip_validation":true}`)
	c.call("call_tool", fmt.Sprintf(`{"name":%q,"arguments":%s}`, s.tool,
		s.wrong)).fails("invalid_arguments").has("/error/details/sent",
		"false").contains("/error/details/violations/0/path", "/")
	c.call("call_tool", fmt.Sprintf(`{"name":%q}`, s.tool)).fails("invalid_arguments").has("/connection/server_url",
		s.address)
	c.call("call_tool", `{"connection":"nobody"}`).fails("invalid_arguments").has("/connection", "")
	// A host may write an object as a string, and null for what is left out.
	c.call("call_tool", fmt.Sprintf(`{"name":%q,"arguments":%q,"connection":null}`, s.tool,
		s.arguments)).ok().contains("/tool_call/result/content/0/text", s.result)
	failed := c.call("call_tool", s.failing).fails("execution_error")
	failed.has("/tool_call/result/isError", "true").has("/tool_call/execution/success", "false")
	late := c.call("call_tool", s.slow).fails("timeout")
	late.has("/error/details/after_ms", "150").has("/error/details/method", "tools/call")
	c.call("validate_arguments", fmt.Sprintf(`{"name":%q,"arguments_json":%q}`, s.tool, s.arguments)).ok().has("/valid",
		"true")
	c.call("validate_arguments", fmt.Sprintf(`{"name":%q,"arguments_json":%q}`, s.tool, s.wrong)).ok().has("/valid",
		"false").contains("/violations/0/message", "message")
	c.call("send_raw", `{"message":"{\"method\":\"no/such\"}","fill_in":true}`).ok().has("/response/error/code",
		"-32601")
	c.call("send_raw",
		`{"message":"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/none\"}","wait_ms":50}`).ok().contains("/frames/0/body", "notifications/none")
	c.call("get_transcript", `{"only":"notification"}`).ok().contains("/frames", "notifications/")
	c.call("get_transcript", `{"since":0,"limit":1}`).ok().contains("/cut", "since").has("/frames/0/number", "1")
	c.call("get_frame", `{"number":1,"byte_offset":2,"byte_limit":7}`).ok().has("/frame/body",
		"jsonrpc")
}

func resources(c *client, s subject) {
	c.t.Helper()
	c.call("read_resource", fmt.Sprintf(`{"uri":%q}`, s.resource)).ok().contains("/resource/content",
		s.content).has("/resource/encoding", "text")
	c.call("read_resource", `{"uri":"nowhere://at/all"}`).fails("resource_not_found")
	c.call("read_resource", `{}`).fails("invalid_arguments").has("/connection/server_url", s.address)
	c.call("get_connection_status", `{}`).ok().has("/statistics/resources_read", "1") // the one that could be read
}

func prompts(c *client, s subject) {
	c.t.Helper()
	c.call("get_prompt", fmt.Sprintf(`{"name":%q,"arguments":%s}`, s.prompt,
		s.given)).ok().contains("/prompt/messages/0/content/text", s.message)
	c.call("get_prompt", `{"name":"no_such_prompt"}`).fails("prompt_not_found")
	c.call("get_prompt", fmt.Sprintf(`{"name":%q}`, s.needy)).fails("invalid_arguments")
	c.call("get_prompt", fmt.Sprintf(`{"name":%q,"arguments":{"name":1}}`, s.needy)).fails("invalid_arguments")
	c.call("get_connection_status", `{}`).ok().has("/statistics/prompts_retrieved", "1")
}

// questions are calls that stop to ask: the answer of the call says what, and the tool answer goes on.
func questions(c *client, s subject) {
	c.t.Helper()
	ask := func(arguments, reply string) answer {
		c.t.Helper()
		asked := c.call("call_tool", arguments)
		if asked.bad {
			c.t.Fatalf("%s", asked.raw)
		}
		asked.fits("call_tool (pending)")
		c.call("get_connection_status", `{}`).ok().has("/pending/0/id", asked.at("/tool_call/pending/id"))
		c.call("answer", fmt.Sprintf(`{"id":%q,"answers":[]}`,
			asked.at("/tool_call/pending/id"))).fails("invalid_arguments")
		return c.call("answer", fmt.Sprintf(`{"id":%q,"answers":[{"request":%q,%s}]}`,
			asked.at("/tool_call/pending/id"), asked.at("/tool_call/pending/requests/0/id"), reply))
	}
	ask(s.asking, fmt.Sprintf(`"action":"accept","content_json":%q`,
		s.accept)).ok().fits("call_tool").contains("/tool_call/result", s.accepted)
	declined := ask(s.asking, `"action":"decline"`)
	declined.contains("/tool_call/result", "declin")
	ask(s.sampling, `"text":"It is forty-two."`).ok().fits("call_tool").contains("/tool_call/result", "forty-two")
	c.call("answer", `{"id":"nobody","answers":[]}`).fails("invalid_arguments")
}

// TestTransportError cuts the connection in the middle of a call.
func TestTransportError(t *testing.T) {
	clean, _ := demo.Lookup("demo")
	handler, stop := clean.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Name") == "echo" {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer stop()
	for _, revision := range eras {
		c := newUser(t).stdio(revision, "--allow-private")
		c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, server.URL)).ok()
		c.call("call_tool",
			`{"name":"echo","arguments":{"message":"x"}}`).fails("transport_error").has("/error/details/outcome_unknown", "true")
		c.call("call_tool", `{"name":"add","arguments":{"a":1,"b":2}}`).ok() // one broken exchange ends no other
	}
}

// TestNotConnectedSuggestions wants advice that can be followed while nothing is connected: there is no transcript
// then.
func TestNotConnectedSuggestions(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	c := newUser(t).stdio(eras["modern"], "--allow-private")
	c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`,
		server.URL)).fails("connection_failed").contains("/error/suggestion", "--header-env")
}

// TestLongCalls passes progress on and obeys cancellation.
func TestLongCalls(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			c := newUser(t).stdio(revision)
			c.call("connect_to_server", `{"url":"demo"}`).ok()
			c.call("call_tool", `{"name":"wait","arguments":{"milliseconds":200,"steps":4}}`).ok()
			if seen := c.progress.await(3); seen < 3 {
				t.Errorf("%d progress notifications; want 4", seen)
			}
			cancelled(t, c)
		})
	}
}
