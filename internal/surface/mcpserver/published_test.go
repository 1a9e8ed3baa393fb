package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/surface/mcpserver"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

var update = flag.Bool("update", false, "write testdata")

// inside opens a session to a server in this process.
func inside(t *testing.T, policy connections.Policy) *mcp.Session {
	t.Helper()
	return insideOn(t, machine(t), policy)
}

// machine is this one with a home directory of its own.
func machine(t *testing.T) target.System {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	sys.Home, sys.Dir = t.TempDir(), t.TempDir()
	return sys
}

func insideOn(t *testing.T, sys target.System, policy connections.Policy) *mcp.Session {
	t.Helper()
	builtins := target.Builtins{}
	for _, s := range demo.All() {
		builtins[s.Name] = s.Serve
	}
	w := &workbench.Workbench{Version: "test", System: sys, Builtins: builtins}
	s, err := mcp.Connect(t.Context(), wire.Target{Name: "mcptest",
		Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			return mcpserver.New(w, policy).Stream(ctx, in, out)
		}}, wire.NewTranscript(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestPublishedTools holds the tools against a committed snapshot, so that a change of a schema is always meant.
func TestPublishedTools(t *testing.T) {
	list, err := inside(t, connections.Policy{}).List(t.Context(), "tools/list")
	if err != nil || list.Refused != nil {
		t.Fatal(err, list.Refused)
	}
	var all []json.RawMessage
	for _, item := range list.Items {
		all = append(all, item.Raw)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, text, "", " "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	if *update {
		if err := os.WriteFile("testdata/tools.json", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/tools.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the published tools (-want +got); -update writes them if that is meant:\n%s", diff)
	}
}

// TestDocumentedInputs wants the inputs that callers rely on: these members, these required, nothing else required.
func TestDocumentedInputs(t *testing.T) {
	list, err := inside(t, connections.Policy{}).List(t.Context(), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		types    map[string]string
		required string
	}{
		"connect_to_server": {map[string]string{"url": "string"}, `["url"]`}, "disconnect": {nil, `[]`},
		"get_connection_status": {nil, `[]`}, "list_tools": {nil, `[]`},
		"call_tool":      {map[string]string{"name": "string", "arguments": "object"}, `["name","arguments"]`},
		"list_resources": {nil, `[]`},
		"read_resource":  {map[string]string{"uri": "string"}, `["uri"]`}, "list_prompts": {nil, `[]`},
		"get_prompt": {map[string]string{"name": "string", "arguments": "object"}, `["name"]`},
	} {
		tool, ok := list.Find(name)
		if !ok {
			t.Errorf("there is no tool %s", name)
			continue
		}
		if required, _ := schema.Get(tool.Raw, "/inputSchema/required"); string(required) != want.required {
			t.Errorf("%s requires %s; want %s", name, required, want.required)
		}
		for member, kind := range want.types {
			if got, _ := schema.Get(tool.Raw, "/inputSchema/properties/"+member+"/type"); string(got) != `"`+kind+`"` {
				t.Errorf("%s: %s is %s; want %s", name, member, got, kind)
			}
		}
	}
}

// TestOwnSchemaLint wants our own judgement of our own tools: nothing but the two objects that only the server under
// test can describe.
func TestOwnSchemaLint(t *testing.T) {
	list, err := inside(t, connections.Policy{}).List(t.Context(), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	var raw []json.RawMessage
	for _, item := range list.Items {
		raw = append(raw, item.Raw)
	}
	var got []string
	for _, result := range lint.Run(t.Context(), lint.NewCatalog("mcptest", raw), &lint.Options{}).Results {
		for _, f := range result.Findings {
			got = append(got, f.Rule+" "+f.Where.Subject+f.Where.Pointer)
		}
	}
	want := []string{"SCH-002 call_tool/inputSchema/properties/arguments",
		"SCH-002 get_prompt/inputSchema/properties/arguments"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("schema-lint on our own tools (-want +got):\n%s", diff)
	}
}

// TestOutputSchemas wants each answer to fit the output schema that its tool publishes.
func TestOutputSchemas(t *testing.T) {
	t.Parallel()
	s := inside(t, connections.Policy{})
	list, err := s.List(t.Context(), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range [][]string{
		{"get_connection_status", `{}`}, {"list_tools", `{}`, "fails"}, {"connect_to_server", `{"url":"demo"}`},
		{"connect_to_server", `{"url":"demo"}`, "fails"}, {"get_connection_status", `{}`},
		{"use_connection", `{"connection":"main"}`}, {"list_tools", `{}`}, {"list_resources", `{}`},
		{"list_resource_templates", `{}`}, {"list_prompts", `{}`},
		{"list_prompts", `{"limit":1}`}, {"call_tool", `{"name":"mixed","arguments":{}}`},
		{"call_tool", `{"name":"fail","arguments":{"reason":"x"}}`, "fails"},
		{"call_tool", `{"name":"ask_user","arguments":{"question":"?"}}`},
		{"read_resource", `{"uri":"demo://welcome"}`}, {"get_prompt", `{"name":"greet","arguments":{"name":"A"}}`},
		{"complete", `{"of":"prompt","name":"greet","argument":"tone","value":"f"}`},
		{"validate_arguments", `{"name":"echo","arguments_json":"{}"}`},
		{"get_transcript", `{"since":0}`}, {"get_frame", `{"number":1}`}, {"get_frame", `{"number":9999}`, "fails"},
		{"restart", `{}`}, {"suite_guide", `{}`}, {"explain", `{"rule":"SCH-001"}`}, {"explain", `{"rule":"x"}`, "fails"}, {"show_finding", `{"id":1}`, "fails"},
		{"send_raw", `{"message":"{\"method\":\"x/y\"}","fill_in":true}`},
		{"lint_schemas", `{"connection":"main"}`},
		{"run_suite",
			`{"suite":"servers: {s: demo}\ntools: [{tool: echo, args: {message: hi}, expect: {equals: ho}}]"}`},
		{"validate_suite", `{"suite":"servers: {s: demo}\ntools: [{tool: echo}]"}`}, {"scaffold_suite", `{}`},
		{"save_suite", `{"suite":"servers: {s: demo}\ntools: [{tool: echo}]"}`, "fails"},
		{"fuzz_tool", `{"tool":["echo"],"cases":20}`},
		{"check_conformance", `{"rules":["TOOL"]}`}, {"check_server", `{}`},
		{"load_server", `{"tool":"echo","rate":"20/s","duration":"200ms"}`},
		{"load_server", `{"duration":"1h"}`, "fails"}, {"lock_server", `{}`},
		{"diff_server", `{"old":"mcptest://reports/1"}`}, {"diff_server", `{"old":"mcptest://reports/1"}`, "fails"},
		{"answer", `{"id":"x","answers":[]}`, "fails"}, {"disconnect", `{}`},
	} {
		ex, err := s.Call(t.Context(), "tools/call", mcp.Object("name", call[0], "arguments", json.RawMessage(call[1])))
		if err != nil || ex.Reply.Error != nil {
			t.Fatalf("%v: %v, %v", call, err, ex)
		}
		tool, _ := list.Find(call[0])
		output, _ := schema.Get(tool.Raw, "/outputSchema")
		compiled, err := schema.Compile(output, nil)
		if err != nil {
			t.Fatalf("%s: %v", call[0], err)
		}
		content, _ := schema.Get(ex.Reply.Result, "/structuredContent")
		if success, _ := schema.Get(content, "/success"); (string(success) == "false") != (len(call) == 3) {
			t.Errorf("%s %s: success is %s\n%.500s", call[0], call[1], success, content)
		}
		if wrong := compiled.Validate(content); len(wrong) > 0 {
			t.Errorf("%s %s does not fit its output schema: %s\n%.1500s", call[0], call[1], wrong[0].Message, content)
		}
	}
}

// TestExactValues wants what no decoder may change: large integers, the order of members, the spelling of numbers.
func TestExactValues(t *testing.T) {
	s := inside(t, connections.Policy{})
	ask := func(name, arguments string) json.RawMessage {
		ex, err := s.Call(t.Context(), "tools/call", mcp.Object("name", name, "arguments", json.RawMessage(arguments)))
		if err != nil || ex.Reply.Error != nil {
			t.Fatalf("%s: %v, %v", name, err, ex)
		}
		raw, _ := schema.Get(ex.Reply.Result, "/content/0/text")
		text, _ := schema.Text(raw)
		return json.RawMessage(text)
	}
	ask("connect_to_server", `{"url":"demo-guide"}`)
	const given = `{"b":9007199254740993,"a":1.0,"e":1E5,"t":"<&>"}`
	answer := ask("call_tool", `{"name":"`+guideTool(t, ask)+`","skip_validation":true,"arguments":`+given+`}`)
	if sent, _ := schema.Get(answer, "/tool_call/arguments"); string(sent) != given {
		t.Errorf("arguments = %s; want %s", sent, given)
	}
	frames := ask("get_transcript", `{"since":0,"only":"request"}`)
	if !bytes.Contains(frames, []byte(`9007199254740993,\"a\":1.0,\"e\":1E5`)) {
		t.Errorf("the frame does not hold the arguments as they were given: %s", frames)
	}
}

func guideTool(t *testing.T, ask func(string, string) json.RawMessage) string {
	t.Helper()
	raw, _ := schema.Get(ask("list_tools", `{}`), "/tools/0/name")
	name, _ := schema.Text(raw)
	return name
}
