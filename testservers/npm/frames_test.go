package npm

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/conformanceserver"
)

var update = flag.Bool("update", false, "write goldens anew")

var record = flag.Bool("record", false, "record what servers say, for the tests of the protocol's tables")

// A recorded is a message of a server.
type recorded struct {
	Server   string          `json:"server"`
	Revision string          `json:"revision"`
	Answers  string          `json:"answers,omitempty"` // the method of the request, for an answer
	Message  json.RawMessage `json:"message"`
}

// TestRecord writes internal/protocol/spec/testdata/frames.jsonl: messages of real servers, each once.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("only with -record")
	}
	builtIn, _ := demo.Lookup("demo")
	targets := map[string]wire.Target{
		"everything": stdio(t, "server-everything"), "filesystem": stdio(t, "server-filesystem", t.TempDir()),
		"memory": stdio(t, "server-memory"), "sequential-thinking": stdio(t, "server-sequential-thinking"),
		"demo": {Name: "demo", Serve: builtIn.Serve}, "fixtures": {Name: "fixtures", Serve: conformanceserver.Serve},
	}
	var out bytes.Buffer
	for _, name := range []string{"everything", "filesystem", "memory", "sequential-thinking", "demo", "fixtures"} {
		for _, revision := range spec.IDs() {
			local := name == "demo" || name == "fixtures"
			if !local && (revision == "2026-07-28" || name != "everything" && revision != "2025-11-25") {
				continue
			}
			for _, r := range converse(t, name, revision, targets[name]) {
				line, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				out.Write(append(line, '\n'))
			}
		}
	}
	file := filepath.Join("..", "..", "internal", "protocol", "spec", "testdata", "frames.jsonl")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// converse uses what a server has and returns what it said.
func converse(t *testing.T, name, revision string, target wire.Target) []recorded {
	t.Helper()
	p := &person{}
	opts := p.options()
	opts.Protocol, opts.Timeout = revision, 0
	log := wire.NewTranscript(nil)
	s := connect(t, target, log, opts)
	for _, list := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		_, _ = s.List(deadline(t), list)
	}
	for _, ask := range questions[name] {
		_, _ = s.Do(deadline(t), mcp.Request{Method: ask.method, Params: json.RawMessage(ask.params), Task: ask.task,
			OnProgress: func(mcp.Progress) {}})
	}
	if sub, err := s.Listen(deadline(t), mcp.Filter{Tools: true}); err == nil {
		sub.Close()
	}
	return said(log, name, revision)
}

// A question is a request that brings something to see.
type question struct {
	method, params string
	task           bool
}

var questions = map[string][]question{
	"everything": {
		{method: "tools/call", params: `{"name":"get-tiny-image","arguments":{}}`},
		{method: "tools/call", params: `{"name":"get-structured-content","arguments":{"location":"Chicago"}}`},
		{method: "tools/call", params: `{"name":"get-resource-links","arguments":{"count":2}}`},
		{method: "tools/call", params: `{"name":"get-resource-reference","arguments":{"resourceType":"Text",` +
			`"resourceId":1}}`},
		{method: "tools/call", params: `{"name":"get-annotated-message","arguments":{"messageType":"success",` +
			`"includeImage":false}}`},
		{method: "tools/call", params: `{"name":"trigger-elicitation-request","arguments":{}}`},
		{method: "tools/call", params: `{"name":"trigger-sampling-request","arguments":{"prompt":"hi"}}`},
		{method: "tools/call", params: `{"name":"trigger-url-elicitation","arguments":{"url":"https://example.com/x",` +
			`"errorPath":true}}`},
		{method: "tools/call", params: `{"name":"trigger-long-running-operation","arguments":{"duration":0.1,` +
			`"steps":2}}`},
		{method: "tools/call", params: `{"name":"simulate-research-query","arguments":{"topic":"x"}}`, task: true},
		{method: "tools/call", params: `{"name":"nobody","arguments":{}}`},
		{method: "resources/read", params: `{"uri":"demo://resource/dynamic/blob/1"}`},
		{method: "resources/read", params: `{"uri":"demo://nothing"}`},
		{method: "prompts/get", params: `{"name":"resource-prompt","arguments":{"resourceType":"Text",` +
			`"resourceId":"1"}}`},
		{method: "completion/complete", params: `{"ref":{"type":"ref/prompt","name":"completable-prompt"},` +
			`"argument":{"name":"department","value":"E"}}`},
		{method: "tasks/list"}, {method: "no/such"}, {method: "ping"},
	},
	"demo": {
		{method: "tools/call", params: `{"name":"mixed","arguments":{}}`},
		{method: "tools/call", params: `{"name":"add","arguments":{"a":1,"b":2}}`},
		{method: "tools/call", params: `{"name":"ask_user","arguments":{"question":"?"}}`},
		{method: "tools/call", params: `{"name":"link","arguments":{}}`},
		{method: "tools/call", params: `{"name":"visit_page","arguments":{"topic":"payment"}}`},
		{method: "tools/call", params: `{"name":"nobody"}`},
		{method: "tools/call", params: `{"name":"log","arguments":{"level":"error","message":"m"}}`},
		{method: "prompts/get", params: `{"name":"describe_planet","arguments":{"planet":"Mars"}}`},
		{method: "resources/read", params: `{"uri":"demo://bytes"}`},
		{method: "resources/read", params: `{"uri":"demo://nothing"}`},
		{method: "completion/complete", params: `{"ref":{"type":"ref/prompt","name":"greet"},` +
			`"argument":{"name":"tone","value":"f"}}`},
	},
	"fixtures": {
		{method: "tools/call", params: `{"name":"test_multiple_content_types"}`},
		{method: "tools/call", params: `{"name":"test_audio_content"}`},
		{method: "tools/call", params: `{"name":"test_elicitation_sep1330_enums"}`},
		{method: "tools/call", params: `{"name":"test_elicitation_sep1034_defaults"}`},
		{method: "tools/call", params: `{"name":"test_input_required_result_multiple_inputs"}`},
		{method: "tools/call", params: `{"name":"test_error_handling"}`},
		{method: "tools/call", params: `{"name":"test_tool_with_progress"}`},
		{method: "prompts/get", params: `{"name":"test_prompt_with_image"}`},
	},
	"memory": {{method: "resources/read", params: `{"uri":"memory://knowledge-graph"}`},
		{method: "tools/call", params: `{"name":"read_graph","arguments":{}}`}},
	"sequential-thinking": {{method: "tools/call",
		params: `{"name":"sequentialthinking","arguments":{"thought":"a","nextThoughtNeeded":false,"thoughtNumber":1,` +
			`"totalThoughts":1}}`}},
}

// said lists what the server said, each kind of thing not too often and nothing too long.
func said(log *wire.Transcript, name, revision string) []recorded {
	asked, seen := map[string]string{}, map[string]int{}
	var all []recorded
	for _, f := range log.Since(0) {
		m := mcp.Read(f)
		if f.From == wire.Client {
			if m.Method != "" && m.ID != nil {
				asked[string(m.ID)] = m.Method
			}
			continue
		}
		r := recorded{Server: name, Revision: revision, Message: bytes.TrimSpace(f.Body)}
		if m.Method == "" {
			r.Answers = asked[string(m.ID)]
		}
		key := r.Answers + " " + m.Method
		seen[key]++
		often := slices.Contains([]string{"notifications/progress", "notifications/message",
			"notifications/tools/list_changed", "notifications/tasks/status", "tasks/get"}, m.Method+r.Answers)
		if len(r.Message) == 0 || len(r.Message) > 12_000 || often && seen[key] > 1 ||
			(m.Method == "" && r.Answers == "") {
			continue
		}
		all = append(all, r)
	}
	return all
}
