package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
	"github.com/mcptest-dev/mcptest/internal/surface/mcpserver"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// asHostile makes the test binary the server of TestHostileResults.
const asHostile = "__hostile"

// A hostile is a response that a client must not take for a good one, or must at least remark on.
type hostile struct {
	name   string // of the tool, resource or prompt
	kind   string // tool, resource or prompt
	output string // the output schema of the tool
	lines  string // what the server writes; $id is the id of the request
	good   bool   // it does not count as a failure
	remark string // a part of what is said about it; empty if nothing is
}

func result(text string) string { return `{"jsonrpc":"2.0","id":$id,"result":` + text + `}` }

const sum = `{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}`

var hostiles = []hostile{
	{"good", "tool", "", result(`{"content":[{"type":"text","text":"hi"}]}`), true, ""},
	{"empty_object", "tool", "", result(`{}`), false, "content: found nothing"},
	{"iserror_text", "tool", "", result(`{"isError":"yes","content":"hello"}`), false, "isError"},
	{"iserror_number", "tool", "", result(`{"isError":1,"content":[]}`), false, "isError"},
	{"iserror_null", "tool", "", result(`{"isError":null,"content":[]}`), false, "isError"},
	{"iserror_true", "tool", "", result(`{"isError":true,"content":[{"type":"text","text":"no"}]}`), false,
		"the tool returned an error (isError)"},
	{"iserror_malformed", "tool", "", result(`{"isError":true,"content":"no"}`), false, "content: found"},
	{"iserror_skips_output", "tool", sum, result(`{"isError":true,"content":[]}`), false,
		"the tool returned an error (isError)"},
	{"content_null", "tool", "", result(`{"content":null}`), false, "content: found null"},
	{"content_object", "tool", "", result(`{"content":{"type":"text","text":"hi"}}`), false, "content: found"},
	{"content_text", "tool", "", result(`{"content":"hi"}`), false, "content: found"},
	{"content_of_texts", "tool", "", result(`{"content":["hi"]}`), false, "content[0]: found"},
	{"content_missing", "tool", "", result(`{"structuredContent":{"a":1}}`), false, "content: found nothing"},
	{"block_null", "tool", "", result(`{"content":[null]}`), false, "content[0]: found null"},
	{"block_untyped", "tool", "", result(`{"content":[{"text":"hi"}]}`), false, "content[0]: found"},
	{"block_unknown", "tool", "", result(`{"content":[{"type":"video","data":""}]}`), false, "content[0]: found"},
	{"text_number", "tool", "", result(`{"content":[{"type":"text","text":7}]}`), false, "content[0].text"},
	{"text_missing", "tool", "", result(`{"content":[{"type":"text"}]}`), false, "content[0].text"},
	{"image_not_base64", "tool", "", result(`{"content":[{"type":"image","mimeType":"image/png","data":"%%%"}]}`),
		false, "not valid base64"},
	{"image_unpadded", "tool", "", result(`{"content":[{"type":"image","mimeType":"image/png","data":"eA"}]}`), false,
		"not valid base64"},
	{"image_without_type", "tool", "", result(`{"content":[{"type":"image","data":"eA=="}]}`), false,
		"content[0].mimeType"},
	{"audio_not_base64", "tool", "", result(`{"content":[{"type":"audio","mimeType":"audio/wav","data":"-_-_"}]}`),
		false, "not valid base64"},
	{"embedded_not_base64", "tool", "", result(`{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"?"}}]}`),
		false, "content[0].resource.blob"},
	{"embedded_empty", "tool", "", result(`{"content":[{"type":"resource","resource":{}}]}`), false,
		"content[0].resource"},
	{"link_without_uri", "tool", "", result(`{"content":[{"type":"resource_link","name":"x"}]}`), false,
		"content[0].uri"},
	{"structured_list", "tool", "", result(`{"content":[],"structuredContent":[1]}`), false, "structuredContent"},
	{"structured_wrong", "tool", sum, result(`{"content":[],"structuredContent":{"sum":"3"}}`), false,
		"output schema: sum"},
	{"structured_missing", "tool", sum, result(`{"content":[]}`), false, "returned no structured content"},
	{"structured_right", "tool", sum, result(`{"content":[],"structuredContent":{"sum":3}}`), true, ""},
	{"schema_unusable", "tool", `{"type":"object","pattern":"("}`, result(`{"content":[],"structuredContent":{}}`),
		true, "invalid output schema: pattern: invalid regular expression"},
	{"result_null", "tool", "", result(`null`), false, "result"},
	{"result_list", "tool", "", result(`[]`), false, "result"},
	{"result_text", "tool", "", result(`"ok"`), false, "result"},
	{"error", "tool", "", `{"jsonrpc":"2.0","id":$id,"error":{"code":-32603,"message":"tired"}}`, false,
		"error -32603: tired"},
	{"error_code_text", "tool", "", `{"jsonrpc":"2.0","id":$id,"error":{"code":"E1","message":"tired"}}`, false,
		"code"},
	{"error_and_result", "tool", "", `{"jsonrpc":"2.0","id":$id,"result":{"content":[]},"error":{"code":1,` +
		`"message":"both"}}`, false, "error 1: both"},
	{"without_jsonrpc", "tool", "", `{"id":$id,"result":{"content":[]}}`, false, "jsonrpc"},
	{"id_null", "tool", "", `{"jsonrpc":"2.0","id":null,"result":{"content":[]}}` + "\n" + result(`{"content":[]}`),
		true, "null"},
	{"id_text", "tool", "", `{"jsonrpc":"2.0","id":"$id","result":{"content":[]}}` + "\n" + result(`{"content":[]}`),
		true, "the same type and value"},
	{"noise", "tool", "", "DEBUG called\n" + result(`{"content":[]}`), true, "not JSON"},
	{"member_twice", "tool", "", result(`{"content":[{"type":"text","text":"a"}],"content":[]}`), true,
		"duplicate key"},
	{"hostile://good", "resource", "", result(`{"contents":[{"uri":"hostile://good","text":"x"}]}`), true, ""},
	{"hostile://empty", "resource", "", result(`{"contents":[]}`), false, "contents: the list is empty"},
	{"hostile://none", "resource", "", result(`{}`), false, "contents: found nothing"},
	{"hostile://blob", "resource", "", result(`{"contents":[{"uri":"hostile://blob","blob":"!"}]}`), false,
		"not valid base64"},
	{"hostile://bare", "resource", "", result(`{"contents":[{"uri":"hostile://bare"}]}`), false, "contents[0]"},
	{"prompt_good", "prompt", "", result(`{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`), true,
		""},
	{"prompt_none", "prompt", "", result(`{}`), false, "messages: found nothing"},
	{"prompt_role", "prompt", "", result(`{"messages":[{"role":"boss","content":{"type":"text","text":"x"}}]}`), false,
		"messages[0].role"},
	{"prompt_image", "prompt", "", result(`{"messages":[{"role":"user","content":{"type":"image",` +
		`"mimeType":"image/png","data":"="}}]}`), false, "not valid base64"},
}

// serveHostile serves the responses, each under its name.
func serveHostile(_ context.Context, in io.Reader, out io.Writer) error {
	var tools, prompts []string
	for _, h := range hostiles {
		switch {
		case h.kind == "prompt":
			prompts = append(prompts, `{"name":"`+h.name+`"}`)
		case h.output != "":
			tools = append(tools, `{"name":"`+h.name+`","inputSchema":{"type":"object"},"outputSchema":`+h.output+`}`)
		case h.kind == "tool":
			tools = append(tools, `{"name":"`+h.name+`","inputSchema":{"type":"object"}}`)
		}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := mcp.Read(wire.Frame{Body: lines.Bytes()})
		reply := `{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"unknown"}}`
		switch m.Method {
		case "initialize":
			reply = result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},` +
				`"serverInfo":{"name":"hostile","version":"1"}}`)
		case "tools/list":
			reply = result(`{"tools":[` + strings.Join(tools, ",") + `]}`)
		case "prompts/list":
			reply = result(`{"prompts":[` + strings.Join(prompts, ",") + `]}`)
		case "tools/call", "prompts/get", "resources/read":
			for _, h := range hostiles {
				if h.name == stringAt(m.Params, "/name")+stringAt(m.Params, "/uri") {
					reply = h.lines
				}
			}
		}
		if m.IsRequest() {
			fmt.Fprintln(out, strings.ReplaceAll(reply, "$id", string(m.ID)))
		}
	}
	return lines.Err()
}

func stringAt(doc json.RawMessage, pointer string) string {
	raw, _ := schema.Get(doc, pointer)
	text, _ := schema.Text(raw)
	return text
}

// A judged is what a surface makes of a response.
type judged struct {
	Failed  bool
	Remarks []string
}

func newJudged(failed bool, remarks []string) judged {
	for i, r := range remarks {
		remarks[i] = ownID.ReplaceAllString(r, "$1 N")
		if before, _, found := strings.Cut(r, "(isError)"); found {
			remarks[i] = before + "(isError)" // some surfaces add what the tool says
		}
	}
	slices.Sort(remarks)
	return judged{failed, remarks}
}

// ownID are the ids of requests, and places after them, which differ from session to session.
var ownID = regexp.MustCompile(`(id|request|byte) "?[0-9]+"?`)

// Every surface reaches the same verdict on a response, and makes the same remarks.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	if len(hostiles) < 40 {
		t.Fatalf("%d responses, want 40 or more", len(hostiles))
	}
	onPage, assistant, suite := pageVerdicts(t), assistantVerdicts(t), suiteVerdicts(t)
	for _, h := range hostiles {
		t.Run(h.name, func(t *testing.T) {
			command := commandVerdict(t, h)
			if command.Failed == h.good {
				t.Errorf("command line: failed is %v, want %v", command.Failed, !h.good)
			}
			all := strings.Join(command.Remarks, "\n")
			if !strings.Contains(all, h.remark) || h.remark == "" && all != "" {
				t.Errorf("command line: the remarks are %q, want %q in them", command.Remarks, h.remark)
			}
			for who, got := range map[string]judged{"page": onPage[h.name], "assistant": assistant[h.name],
				"suite": suite[h.name]} {
				if diff := cmp.Diff(command, got); diff != "" {
					t.Errorf("(-command line +%s):\n%s", who, diff)
				}
			}
		})
	}
}

// commandVerdict is what mcptest tools call and its like say.
func commandVerdict(t *testing.T, h hostile) judged {
	t.Helper()
	self, _ := os.Executable()
	args := map[string][]string{"tool": {"tools", "call"}, "resource": {"resources", "read"},
		"prompt": {"prompts", "get"}}[h.kind]
	code, out := command(t, append(slices.Clone(args), h.name, "--", self, asHostile)...)
	if code > 1 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	var remarks []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if said, ok := strings.CutPrefix(line, "✗ "); ok {
			remarks = append(remarks, said)
		}
		if said, ok := strings.CutPrefix(line, "note: "); ok {
			if _, after, framed := strings.Cut(said, ": "); framed && strings.HasPrefix(said, "frame ") {
				said = after
			}
			remarks = append(remarks, said)
		}
	}
	return newJudged(code == 1, remarks)
}

func command(t *testing.T, args ...string) (int, string) {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	code := cli.Run(context.Background(), &cli.Env{Args: args, Stdin: strings.NewReader(""), Stdout: &out,
		Stderr: &notes,
		Getenv: func(string) string { return "" }, System: sys})
	return code, notes.String() + out.String()
}

// pageVerdicts are what the page shows.
func pageVerdicts(t *testing.T) map[string]judged {
	t.Helper()
	self, _ := os.Executable()
	p := newPage(t, &target.Spec{Command: []string{self, asHostile}}, "")
	var id string
	for _, s := range ask[view.Servers](p, "GET", "/api/servers", nil).Servers {
		if s.Source == "given" || strings.Contains(s.ID, "given") {
			id = s.ID
		}
	}
	l := p.connect(view.NewLink{Server: id})
	all := map[string]judged{}
	for _, h := range hostiles {
		method := map[string]string{"tool": "tools/call", "resource": "resources/read", "prompt": "prompts/get"}[h.kind]
		c := p.call(l.ID, view.NewCall{Method: method, Name: h.name})
		var remarks []string
		for _, r := range c.Verdicts.Remarks {
			remarks = append(remarks, r.Message)
		}
		all[h.name] = newJudged(!c.OK, remarks)
	}
	return all
}

// assistantVerdicts are what the tools of mcptest serve return.
func assistantVerdicts(t *testing.T) map[string]judged {
	t.Helper()
	call := assistant(t, target.Builtins{"hostile": serveHostile}, "hostile")
	all := map[string]judged{}
	for _, h := range hostiles {
		tool := map[string]string{"tool": "call_tool", "resource": "read_resource", "prompt": "get_prompt"}[h.kind]
		input := map[string]string{"tool": `{"name":"%s","arguments":{}}`, "resource": `{"uri":"%s"}`,
			"prompt": `{"name":"%s"}`}[h.kind]
		content := call(tool, fmt.Sprintf(input, h.name))
		success, _ := schema.Get(content, "/success")
		var remarks []string
		raw, _ := schema.Get(content, "/problems")
		items, _ := schema.Elements(raw)
		for _, item := range items {
			remarks = append(remarks, stringAt(item, "/message"))
		}
		all[h.name] = newJudged(string(success) != "true", remarks)
	}
	return all
}

// assistant connects the assistant's server to a server and returns a function that calls its tools.
func assistant(t *testing.T, servers target.Builtins, server string) func(tool, input string) json.RawMessage {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	w := &workbench.Workbench{Version: "dev", System: sys, Builtins: servers, Secrets: redact.New()}
	serve := func(ctx context.Context, in io.Reader, out io.Writer) error {
		return mcpserver.New(w, connections.Policy{}).Stream(ctx, in, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	t.Cleanup(cancel)
	s, err := mcp.Connect(ctx, wire.Target{Name: "assistant", Serve: serve}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	call := func(name, arguments string) json.RawMessage {
		ex, err := s.Call(ctx, "tools/call", mcp.Object("name", name, "arguments", json.RawMessage(arguments)))
		if err != nil {
			t.Fatal(err)
		}
		content, _ := schema.Get(ex.Reply.Result, "/structuredContent")
		return content
	}
	if ok, _ := schema.Get(call("connect_to_server", `{"url":"`+server+`"}`), "/success"); string(ok) != "true" {
		t.Fatalf("cannot connect to %s", server)
	}
	return call
}

// suiteVerdicts are what mcptest run makes of tests that expect nothing in particular.
func suiteVerdicts(t *testing.T) map[string]judged {
	t.Helper()
	self, _ := os.Executable()
	sections := map[string]string{"tool": "tools:\n", "resource": "resources:\n", "prompt": "prompts:\n"}
	for _, h := range hostiles {
		key := map[string]string{"tool": "tool", "resource": "uri", "prompt": "prompt"}[h.kind]
		sections[h.kind] += fmt.Sprintf("  - {name: %q, %s: %q}\n", h.name, key, h.name)
	}
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	text := fmt.Sprintf("servers: {local: {command: [%q, %q]}}\n", self, asHostile) + sections["tool"] +
		sections["resource"] + sections["prompt"]
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out := command(t, "run", "--json", file)
	_, report, _ := strings.Cut(out, "\n{")
	var r struct {
		Results []struct {
			Name, Broken string
			Notes        []string
			Findings     []struct{ Message string }
		}
	}
	if err := json.Unmarshal([]byte("{"+report), &r); err != nil {
		t.Fatalf("%v in %.2000s", err, out)
	}
	all := map[string]judged{}
	for _, result := range r.Results {
		if result.Broken != "" {
			t.Errorf("suite: %s is broken: %s", result.Name, result.Broken)
		}
		remarks := slices.Clone(result.Notes)
		for _, f := range result.Findings {
			remarks = append(remarks, strings.Split(f.Message, "\n")...)
		}
		for _, h := range hostiles {
			if strings.HasSuffix(result.Name, "/"+h.name) {
				all[h.name] = newJudged(len(result.Findings) > 0, remarks)
			}
		}
	}
	return all
}
