//lint:file-ignore SA1019 logging, sampling and roots are deprecated and served all the same, as every revision so far asks for them

package demo

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"image/png"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// helpful is a client that answers everything that a server may ask.
func helpful() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			RootsV2:  &mcp.RootCapabilities{},
			Sampling: &mcp.SamplingCapabilities{},
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{},
				URL: &mcp.URLElicitationCapabilities{}},
		},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if req.Params.Mode == "url" {
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada", "color": "green"}}, nil
		},
		CreateMessageHandler: func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			text := req.Params.Messages[0].Content.(*mcp.TextContent).Text
			return &mcp.CreateMessageResult{Model: "m", Role: "assistant",
				Content: &mcp.TextContent{Text: "re: " + text}}, nil
		},
	}
}

func TestToolsThroughSDKClient(t *testing.T) {
	for _, revision := range serve.Revisions() {
		t.Run(revision, func(t *testing.T) {
			s := session(t, "demo", revision, helpful())
			asked, visited := "Hello, Ada, who likes green.", "The user agreed to visit the page."
			if revision < spec.June2025 {
				asked = `the client does not declare a capability that this tool requires: {"elicitation":{"form":{}}}`
			}
			if revision < spec.November2025 {
				visited = `the client does not declare a capability that this tool requires: {"elicitation":{"url":{}}}`
			}
			for _, c := range []struct{ tool, arguments, want string }{
				{"echo", `{"message":"a\u2028<b>\"\\"}`, "a\u2028<b>\"\\"},
				{"echo", `{"message":""}`, ""},
				{"add", `{"a":2,"b":3.5}`, `{"sum":5.5}`},
				{"text_statistics", `{"text":"one two\nthree"}`, `{"characters":13,"words":3,"lines":2}`},
				{"price_order", `{"items":[{"article":"lamp","quantity":2.0},{"article":"pencil","quantity":1}],` +
					`"coupon":null}`,
					`{"currency":"EUR","pieces":3,"total":79.2}`},
				{"wait", `{"milliseconds":20,"steps":1e0}`, "Waited 20 milliseconds in 1 steps."},
				{"fail", `{"reason":"rain"}`, "Failed as requested: rain"},
				{"log", `{"level":"info","text":"x"}`, "Logged with level info."},
				{"ask_user", `{"question":"Who?"}`, asked},
				{"visit_page", `{"topic":"payment"}`, visited},
				{"ask_model", `{"prompt":"hi"}`, "m responded: re: hi"},
				{"list_roots", `{}`, "The client has 0 roots."},
				{"write_note", `{"text":"n"}`, "The note was saved."},
				{"flash_tool", `{"milliseconds":50}`, "The tool was added and removed."},
			} {
				res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool,
					Arguments: json.RawMessage(c.arguments)})
				if err != nil {
					t.Errorf("%s: %v", c.tool, err)
					continue
				}
				if got := res.Content[0].(*mcp.TextContent).Text; got != c.want ||
					res.IsError != (c.tool == "fail" || strings.Contains(c.want, "does not declare")) {
					t.Errorf("%s %s = %q, isError %v; want %q", c.tool, c.arguments, got, res.IsError, c.want)
				}
			}
		})
	}
}

func TestListsArePagedAndSorted(t *testing.T) {
	for _, revision := range serve.Revisions() {
		s := session(t, "demo", revision, nil)
		var tools, resources, prompts []string
		for v, err := range s.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			tools = append(tools, v.Name)
		}
		for v := range s.Resources(t.Context(), nil) {
			resources = append(resources, v.URI)
		}
		for v := range s.Prompts(t.Context(), nil) {
			prompts = append(prompts, v.Name)
		}
		for _, names := range [][]string{tools, resources, prompts} {
			if len(names) <= pageSize || !slices.IsSorted(names) {
				t.Errorf("%s: list %v; want it sorted and longer than a page of %d", revision, names, pageSize)
			}
		}
	}
}

// TestSchemasAreTight keeps to what our own lint asks for, in every object of every schema.
func TestSchemasAreTight(t *testing.T) {
	s := session(t, "demo", spec.November2025, nil)
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.Title == "" || len(tool.Description) < 20 || tool.Annotations == nil {
			t.Errorf("%s: want title, description and annotations", tool.Name)
		}
		tight(t, tool.Name, tool.InputSchema.(map[string]any), true)
		if tool.OutputSchema != nil {
			tight(t, tool.Name+" output", tool.OutputSchema.(map[string]any), false)
		}
	}
}

func tight(t *testing.T, where string, schema map[string]any, input bool) {
	t.Helper()
	kinds := []any{schema["type"]}
	if list, ok := schema["type"].([]any); ok {
		kinds = list
	}
	_, limited := schema["enum"]
	for _, kind := range kinds {
		switch {
		case kind == nil:
			t.Errorf("%s: no type", where)
		case kind == "object" && schema["additionalProperties"] != false:
			t.Errorf("%s: open object", where)
		case kind == "object" && schema["properties"] != nil && schema["required"] == nil:
			t.Errorf("%s: nothing required", where)
		case kind == "string" && input && !limited && schema["maxLength"] == nil:
			t.Errorf("%s: unbounded string", where)
		case kind == "array" && schema["maxItems"] == nil:
			t.Errorf("%s: unbounded array", where)
		case (kind == "integer" || kind == "number") && input && (schema["minimum"] == nil || schema["maximum"] == nil):
			t.Errorf("%s: unbounded number", where)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		if p.(map[string]any)["description"] == nil {
			t.Errorf("%s/%s: no description", where, name)
		}
		tight(t, where+"/"+name, p.(map[string]any), input)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		tight(t, where+"/items", items, input)
	}
}

func TestMediaIsWhatItSays(t *testing.T) {
	s := session(t, "demo", spec.November2025, nil)
	call := func(name, arguments string) *mcp.CallToolResult {
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
		if err != nil || res.IsError {
			t.Fatalf("%s: %v %+v", name, err, res)
		}
		return res
	}
	image := call("image", `{"color":"red"}`).Content[0].(*mcp.ImageContent)
	if m, err := png.Decode(bytes.NewReader(image.Data)); err != nil || m.Bounds().Dx() != 32 ||
		image.MIMEType != "image/png" {
		t.Errorf("image: %v, type %s", err, image.MIMEType)
	}
	for _, ms := range []string{"11", "200"} {
		wav := call("audio", `{"hertz":440,"milliseconds":`+ms+`}`).Content[0].(*mcp.AudioContent).Data
		if size := binary.LittleEndian.Uint32(wav[4:]); string(wav[:4]) != "RIFF" || int(size) != len(wav)-8 ||
			len(wav)%2 != 0 {
			t.Errorf("audio of %s ms: RIFF size %d in %d bytes", ms, size, len(wav))
		}
	}
	embedded := call("embed", `{"name":"square"}`).Content[0].(*mcp.EmbeddedResource).Resource
	read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: embedded.URI})
	if err != nil || !bytes.Equal(read.Contents[0].Blob, embedded.Blob) || len(embedded.Blob) == 0 {
		t.Errorf("embedded bytes are not those of %s (%v)", embedded.URI, err)
	}
	link := call("link", `{"name":"planets"}`).Content[0].(*mcp.ResourceLink)
	if read, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: link.URI}); err != nil ||
		read.Contents[0].MIMEType != link.MIMEType {
		t.Errorf("link to %s: %v", link.URI, err)
	}
}

func TestOldRevisionsGetWhatTheyKnow(t *testing.T) {
	for revision, want := range map[string]struct{ audio, link, tools string }{
		spec.November2024: {`"type":"resource"`, `"type":"text"`, "name,description,inputSchema"},
		spec.March2025:    {`"type":"audio"`, `"type":"text"`, "annotations,name,description,inputSchema"},
		spec.June2025: {`"type":"audio"`, `"type":"resource_link"`,
			"annotations,name,description,inputSchema,outputSchema,title"},
	} {
		w := dial(t, "demo")
		w.open(revision)
		if got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"audio",` +
			`"arguments":{"hertz":440}}}`); !strings.Contains(got.raw, want.audio) {
			t.Errorf("%s: audio = %.200s; want %s", revision, got.raw, want.audio)
		}
		if got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"link",` +
			`"arguments":{"name":"square"}}}`); !strings.Contains(got.raw, want.link) {
			t.Errorf("%s: link = %.200s; want %s", revision, got.raw, want.link)
		}
		got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}`)
		if has := strings.Contains(got.raw, "structuredContent"); has != (revision >= spec.June2025) {
			t.Errorf("%s: add = %s", revision, got.raw)
		}
		var page struct{ Tools []map[string]json.RawMessage }
		json.Unmarshal(w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).Result, &page)
		for name := range page.Tools[0] {
			if !slices.Contains(strings.Split(want.tools, ","), name) {
				t.Errorf("%s: a tool has %s", revision, name)
			}
		}
	}
}

func TestProgressAndCancel(t *testing.T) {
	for _, revision := range []string{spec.November2025, spec.July2026} {
		t.Run(revision, func(t *testing.T) {
			w := dial(t, "demo")
			if revision != spec.July2026 {
				w.open(revision)
			}
			call := func(id, ms string) string {
				line := modernRequest(id, "tools/call", `"name":"wait","arguments":{"milliseconds":`+ms+`,"steps":3},`,
					"{}")
				if revision != spec.July2026 {
					line = strings.Replace(line, `"`+serve.MetaVersion+`":"`+spec.July2026+`",`, "", 1)
				}
				return strings.Replace(line, `"_meta":{`, `"_meta":{"progressToken":"p`+id+`",`, 1)
			}
			w.send(call("1", "30"))
			for _, want := range []string{`"progress":0`, `"progress":1`, `"progress":2`, `"progress":3`} {
				if got := w.recv(); !strings.Contains(got, want) || !strings.Contains(got, `"progressToken":"p1"`) {
					t.Errorf("progress = %s; want %s", got, want)
				}
			}
			if got := readReply(t, w.recv()); got.text() == "" {
				t.Errorf("after the progress: %s; want the result", got.raw)
			}
			w.send(strings.Replace(call("2", "5000"), `"progressToken":"p2",`, "", 1))
			w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"enough"}}`)
			if got := w.ask(call("3", "0")); !strings.Contains(got.raw, `"p3"`) {
				t.Errorf("after the cancelled call: %s; want no answer to it", got.raw)
			}
		})
	}
}

func TestEndOfInput(t *testing.T) {
	wait := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"milliseconds":5000}}}`
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	var out bytes.Buffer
	began := time.Now()
	if err := serveClean(t.Context(), strings.NewReader(initialize(spec.June2025, "{}")+"\n"+wait+"\n"+list),
		&out); err != nil {
		t.Errorf("Serve = %v; want nil at the end of input", err)
	}
	if took := time.Since(began); took >= 5*time.Second {
		t.Errorf("Serve took %v; want it not to wait for the call after the end of input", took)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 || !strings.Contains(out.String(), `"nextCursor"`) {
		t.Errorf("%d lines; want the answers to initialize and tools/list:\n%.400s", lines, out.String())
	}
}

func TestContextEndsServe(t *testing.T) {
	for _, server := range All() {
		ctx, cancel := context.WithCancel(t.Context())
		in, feed := io.Pipe()
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := server.Serve(ctx, in, &bytes.Buffer{}); err != context.Canceled {
				t.Errorf("%s: Serve = %v; want context.Canceled", server.Name, err)
			}
		})
		feed.Write([]byte(initialize(spec.June2025, "{}") + "\n"))
		cancel()
		wg.Wait()
	}
}

func TestBatches(t *testing.T) {
	w := dial(t, "demo")
	w.open(spec.March2025)
	w.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7,` +
		`{"jsonrpc":"2.0","id":2,"method":"no/such"},{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}]`)
	var replies []reply
	if err := json.Unmarshal([]byte(w.recv()), &replies); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, r := range replies {
		got[string(r.ID)] = r.code()
	}
	if len(replies) != 4 || got["1"] != 0 || got["null"] != serve.CodeInvalidRequest ||
		got["2"] != serve.CodeMethodNotFound || got["3"] != serve.CodeInvalidRequest {
		t.Errorf("replies %v", got)
	}
	w.send(`[{"jsonrpc":"2.0","method":"notifications/x"}]`)
	if got := w.ask(`{"jsonrpc":"2.0","id":9,"method":"ping"}`); string(got.ID) != "9" {
		t.Errorf("after a batch of notifications: %s; want no answer to it", got.raw)
	}
}

func TestIDs(t *testing.T) {
	w := dial(t, "demo")
	w.ask(initialize(spec.November2025, elicits))
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for _, id := range []string{`0`, `-1`, `9007199254740991`, `""`, `"1"`, `"é"`, `"a\"b"`} {
		if got := w.ask(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`); string(got.ID) != id || got.code() != 0 {
			t.Errorf("id %s: answer %s", id, got.raw)
		}
	}
	asked := w.ask(`{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"ask_user",` +
		`"arguments":{"question":"?"}}}`)
	if got := w.ask(`{"jsonrpc":"2.0","id":"w","method":"ping"}`); got.code() != serve.CodeInvalidRequest ||
		string(got.ID) != "null" {
		t.Errorf("id in use: answer %s", got.raw)
	}
	if got := w.ask(`{"jsonrpc":"2.0","id":` + string(asked.ID) +
		`,"result":{"action":"decline"}}`); string(got.ID) != `"w"` || got.text() == "" {
		t.Errorf("the call whose id was taken: %s; want its result", got.raw)
	}
}

func TestDocNamesEveryTool(t *testing.T) {
	for _, group := range [][]tool{plainTools(), dataTools(), mediaTools(), inputTools(), changingTools()} {
		for _, tool := range group {
			if !strings.Contains(cleanDoc, tool.name) {
				t.Errorf("the Doc says nothing of %s", tool.name)
			}
		}
	}
}
