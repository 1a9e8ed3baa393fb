package matrix

import (
	"bufio"
	"encoding/json"
	nethttp "net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A requirement is one case of the specification of the meta-tools: calls, and what their results contain. NAME stands
// for the name of a registered tool.
type requirement struct {
	id    string
	calls []metaCall
}

type metaCall struct {
	tool, arguments string
	failed          bool     // the result has isError
	has             []string // parts of the text and the structured content
	lacks           string
}

const (
	strictTool = `"name":"NAME","description":"Repeats a short word of NAME","parameters":{"type":"object",` +
		`"properties":{"message":{"type":"string","minLength":2,"maxLength":9}},"required":["message"]},` +
		`"run":{"upstream":{"server":"demo","tool":"echo"}}`
	checkedTool = `"name":"NAME_checked","parameters":{"type":"object","properties":{"message":{"type":"string"}}},` +
		`"validators":[{"name":"first","expression":".message != \"no\""},{"name":"second","expression":"true"},` +
		`{"name":"third","expression":"(.message | length) > 2"}],"run":{"upstream":{"server":"demo","tool":"echo"}}`
	slowTool = `"name":"NAME_slow","timeout":"300ms","parameters":{"type":"object"},` +
		`"run":{"upstream":{"server":"demo","tool":"wait"}}`
)

// metaRequirements are in the order in which they run: later ones use the tools of earlier ones.
var metaRequirements = []requirement{
	{"TC-MTI-001", []metaCall{{tool: "invoke_tool", arguments: `{"name":"demo__add","arguments":{"a":2,"b":40}}`,
		has: []string{"42"}}}},
	{"TC-MTI-002", []metaCall{{tool: "invoke_tool", arguments: `{"name":"demo__add","arguments":{"a":2}}`,
		failed: true, has: []string{"ValidationError", "missing required: b"}}}},
	{"TC-MTI-003", []metaCall{{tool: "invoke_tool", arguments: `{"name":"demo__add","arguments":{"a":"2","b":1}}`,
		failed: true, has: []string{"TypeError", `"/a"`, `"expected":"number"`, `"received":"string"`}}}},
	{"TC-MTV-001", []metaCall{{tool: "validate_tool", arguments: `{"name":"demo__add","arguments":{"a":2,"b":1}}`,
		has: []string{`"PASS"`, `"errors":[]`}}}},
	{"TC-MTU-001", []metaCall{
		{tool: "register_tool", arguments: `{"tool":{` + strictTool + `}}`, has: []string{"NAME", "registered_at"}},
		{tool: "catalog_list", arguments: `{"filter":"NAME"}`, has: []string{`"NAME"`, `"count":1`}},
		{tool: "invoke_tool", arguments: `{"name":"NAME","arguments":{"message":"abc"}}`, has: []string{"abc"}}}},
	{"TC-MTV-002", []metaCall{{tool: "validate_tool", arguments: `{"name":"NAME","arguments":{"message":"a"}}`,
		has: []string{`"FAIL"`, `"/message"`, "minLength", `"expected"`, `"received"`}}}},
	{"TC-MTV-003", []metaCall{
		{tool: "register_tool", arguments: `{"tool":{` + checkedTool + `}}`, has: []string{"NAME_checked"}},
		{tool: "invoke_tool", arguments: `{"name":"NAME_checked","arguments":{"message":"no"}}`, failed: true,
			has: []string{"ValidationError", "first", "second", "third"}}}},
	{"TC-MTC-001", []metaCall{{tool: "catalog_list", arguments: `{"brief":false,"limit":100}`, has: []string{`"NAME"`,
		`"NAME_checked"`, `"add"`, `"pause"`, `"version"`, `"description"`, `"parameters"`, `"returns"`}}}},
	{"TC-MTC-002", []metaCall{{tool: "catalog_list", arguments: `{"filter":"PEAT_CHECK"}`, has: []string{
		`"NAME_checked"`}, lacks: `"add"`}}},
	{"TC-MTC-003", []metaCall{{tool: "catalog_search", arguments: `{"query":"repeats a word of NAME"}`,
		has: []string{"NAME", "score"}}}},
	{"TC-MTU-002", []metaCall{
		{tool: "update_tool", arguments: `{"version":1,"tool":{` + strings.Replace(strictTool, "Repeats a short word",
			"Says again", 1) + `}}`, has: []string{`"version":2`}},
		{tool: "describe_tool", arguments: `{"name":"NAME"}`, has: []string{"Says again", `"version":2`},
			lacks: "Repeats a short word"}}},
	{"TC-MTU-003", []metaCall{
		{tool: "remove_tool", arguments: `{"name":"NAME"}`},
		{tool: "invoke_tool", arguments: `{"name":"NAME","arguments":{"message":"abc"}}`, failed: true,
			has: []string{"NotFoundError", "NAME"}},
		{tool: "catalog_search", arguments: `{"query":"says again NAME"}`, lacks: "Says again"}}},
	{"TC-MTE-001", []metaCall{
		{tool: "register_tool", arguments: `{"tool":{` + slowTool + `}}`, has: []string{"NAME_slow"}},
		{tool: "invoke_tool", arguments: `{"name":"NAME_slow","arguments":{"milliseconds":5000}}`, failed: true,
			has: []string{"TimeoutError", `"timeout_ms":300`, `"elapsed_ms"`, "NAME_slow"}}}},
	{"TC-MTE-003", []metaCall{{tool: "invoke_tool", arguments: `{"name":"demo__fail","arguments":{"reason":"no paper"}}`,
		failed: true, has: []string{"ToolExecutionError", "no paper", "demo/fail", `"context"`}}}},
}

// TestRequirements runs every case of the specification of the meta-tools with clients of three SDKs in both eras.
func TestRequirements(t *testing.T) {
	ids, err := os.ReadFile("../../internal/gateway/frontend/testdata/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range strings.Fields(string(ids)) {
		if id != cancelled && !slices.ContainsFunc(metaRequirements, func(r requirement) bool { return r.id == id }) {
			t.Errorf("%s has no test", id)
		}
	}
	for _, c := range clients(t) {
		if c.sdk.stateless && c.name != "fastmcp" { // py2, ts2 and go
			t.Run(c.String(), func(t *testing.T) { t.Parallel(); c.requirements(t) })
		}
	}
}

// cancelled is the case of a cancelled call. Its client gets no response, so the status of the gateway has the error.
const cancelled = "TC-MTE-002"

func (c client) requirements(t *testing.T) {
	url := serveMeta(t)
	j := map[string]any{"era": c.era, "url": url, "servers": []string{}, "cancel_through": []string{"invoke_tool", "work"}}
	var calls [][2]any
	for _, r := range metaRequirements {
		for _, call := range r.calls {
			calls = append(calls, [2]any{call.tool, json.RawMessage(strings.ReplaceAll(call.arguments, "NAME", toolName))})
		}
	}
	j["invocations"] = calls
	lines := c.lines(t, j)
	if len(lines) != len(calls)+2 {
		t.Fatalf("%d lines, want those of the connection, of %d calls and of the cancelled one: %+v", len(lines),
			len(calls), lines)
	}
	if era := map[string]string{handshake: "2025-11-25", stateless: "2026-07-28"}[c.era]; lines[0].Got != era {
		t.Errorf("the revision is %s, want %s", lines[0].Got, era)
	}
	n := 1
	for _, r := range metaRequirements {
		for _, call := range r.calls {
			call.check(t, r.id, lines[n])
			n++
		}
	}
	if lines[n].Got != "cancelled" {
		t.Errorf("%s: the state of the call is %q (%s)", cancelled, lines[n].Got, lines[n].Error)
	}
	awaitOutcome(t, url, "pause", "CancellationError")
}

const toolName = "matrix_repeat"

// A wholeLine is a line with a whole result.
type wholeLine struct {
	result
	Failed     bool            `json:"failed"`
	Structured json.RawMessage `json:"structured"`
}

func (m metaCall) check(t *testing.T, id string, got wholeLine) {
	t.Helper()
	// the texts of some results are JSON, and SDKs write structured content with spaces or without
	all := got.Got + strings.ReplaceAll(strings.ReplaceAll(string(got.Structured), `": `, `":`), `, "`, `,"`)
	if got.Op != m.tool || got.Error != "" || got.Failed != m.failed {
		t.Errorf("%s: %s failed: %v (%s), want %s failed: %v: %s", id, got.Op, got.Failed, got.Error, m.tool, m.failed, all)
		return
	}
	for _, part := range m.has {
		if !strings.Contains(all, strings.ReplaceAll(part, "NAME", toolName)) {
			t.Errorf("%s: the result of %s lacks %s: %s", id, m.tool, part, all)
		}
	}
	if m.lacks != "" && strings.Contains(all, m.lacks) {
		t.Errorf("%s: the result of %s has %s: %s", id, m.tool, m.lacks, all)
	}
}

// lines runs the client program and returns what it prints.
func (c client) lines(t *testing.T, j map[string]any) (all []wholeLine) {
	t.Helper()
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(c.client[0], append(c.client[1:len(c.client):len(c.client)], string(text))...)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = in
	exited := start(t, cmd)
	in.Close()
	timer := time.AfterFunc(clientTimeout(job{}), func() { endGroup(cmd, exited) })
	defer timer.Stop()
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		var line wholeLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Errorf("output of the client: %v: %s", err, scanner.Text())
		}
		all = append(all, line)
	}
	return all
}

// serveMeta starts a gateway with the meta-tools, the demo server and a server whose calls can be observed.
func serveMeta(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"demo": map[string]any{"command": built.mcptest, "args": []string{"demo"}},
		"work": map[string]any{"command": built.gosdk, "args": []string{"server"}}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "mcp.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	url := serveGateway(t, file, "memory", "--expose", "both")
	for end := time.Now().Add(startTimeout); ; time.Sleep(50 * time.Millisecond) {
		ready := 0
		for _, s := range status(t, url) {
			if s.Tools > 0 {
				ready++
			}
		}
		if ready == 2 {
			return url
		}
		if time.Now().After(end) {
			t.Fatal("the gateway does not list the tools of both servers")
		}
	}
}

// awaitOutcome waits until the status of the gateway has a call with this outcome.
func awaitOutcome(t *testing.T, url, tool, outcome string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		resp, err := nethttp.Get(strings.TrimSuffix(url, "/mcp") + "/status")
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Recent []struct{ Tool, Outcome string }
		}
		err = json.NewDecoder(resp.Body).Decode(&s)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range s.Recent {
			if call.Tool == tool && call.Outcome == outcome {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("no call of %s with %s in %+v", tool, outcome, s.Recent)
		}
	}
}
