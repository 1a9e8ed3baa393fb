package frontend

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// envelope is what a request of 2026-07-28 says about its sender.
const envelope = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"`

func TestBoundary(t *testing.T) {
	modernToLegacy, legacyToModern := serve.Boundary{Client: spec.Modern, Server: spec.Legacy}, serve.Boundary{Client: spec.Legacy, Server: spec.Modern}
	for _, step := range []struct{ name, got, want string }{
		{"request to legacy", metaAfter(modernToLegacy,
			`{`+envelope+`,"traceparent":"t","progressToken":1,"com.example/x":2}`),
			`{"com.example/x":2,"progressToken":1,"traceparent":"t"}`},
		{"request to modern", metaAfter(legacyToModern,
			`{"io.modelcontextprotocol/protocolVersion":"2025-11-25","x":1,"io.modelcontextprotocol/related-task":{}}`),
			`{"x":1}`},
		{"request within one era", metaAfter(serve.Boundary{Client: spec.Modern, Server: spec.Modern}, `{`+envelope+`}`),
			string(serve.Object(serve.Members(raw(`{` + envelope + `}`))))},
		{"params to legacy", string(serve.Object(modernToLegacy.Without(serve.RequestParams,
			serve.Members(raw(`{"name":"a","inputResponses":{},"requestState":"s"}`))))), `{"name":"a"}`},
		{"params to modern", string(serve.Object(legacyToModern.Without(serve.RequestParams,
			serve.Members(raw(`{"name":"a","task":{}}`))))), `{"name":"a"}`},
		{"result to legacy", string(legacyToModern.Result("tools/call",
			raw(`{"resultType":"complete","content":[ 1.0 ],"ttlMs":5,"cacheScope":"public",`+
				`"_meta":{"io.modelcontextprotocol/serverInfo":{},"x":1}}`))),
			`{"content":[ 1.0 ],"_meta":{"x":1}}`},
		{"result to legacy, empty _meta", string(legacyToModern.Result("tools/call",
			raw(`{"_meta":{"io.modelcontextprotocol/serverInfo":{}},"content":[]}`))), `{"content":[]}`},
		{"result to modern", string(modernToLegacy.Result("resources/read",
			raw(`{"contents":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"1"}}}`))),
			`{"contents":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`},
		{"result within one era", string(serve.Boundary{Client: spec.Legacy, Server: spec.Legacy}.Result("tools/call",
			raw(`{"resultType":"odd"}`))), `{"resultType":"odd"}`},
		{"notification to legacy", string(legacyToModern.Notification(raw(`{"level":"info",` +
			`"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`))), `{"level":"info"}`},
	} {
		if step.got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, step.got, step.want)
		}
	}
}

func metaAfter(b serve.Boundary, meta string) string {
	return string(serve.Object(b.Without(serve.RequestMeta, serve.Members(raw(meta)))))
}

func TestBoundaryErrors(t *testing.T) {
	modernToLegacy, legacyToModern := serve.Boundary{Client: spec.Modern, Server: spec.Legacy}, serve.Boundary{Client: spec.Legacy, Server: spec.Modern}
	for _, step := range []struct {
		b          serve.Boundary
		method     string
		code, want int64
		data       string
	}{
		{modernToLegacy, "resources/read", -32002, -32602, `{"uri":"a:b"}`},
		{modernToLegacy, "tools/call", -32042, -32603, `{"elicitations":[]}`},
		{modernToLegacy, "tools/call", -32602, -32602, ``},
		{legacyToModern, "resources/read", -32602, -32002, `{"uri":"a:b"}`},
		{legacyToModern, "resources/read", -32602, -32602, ``},
		{legacyToModern, "tools/call", -32602, -32602, `{"uri":"a:b"}`},
		{legacyToModern, "tools/call", -32020, -32603, ``},
		{legacyToModern, "tools/call", -32021, -32600, `{"requiredCapabilities":{}}`},
		{legacyToModern, "tools/call", -32022, -32603, ``},
		{serve.Boundary{Client: spec.Modern, Server: spec.Modern}, "tools/call", -32021, -32021, ``},
	} {
		got := step.b.Failure(step.method, &mcp.RPCError{Code: step.code, Message: "m", Data: raw(step.data)})
		if got.Code != step.want || got.Message != "m" || string(got.Data) != step.data {
			t.Errorf("%v %s: %d became %+v, want %d", step.b, step.method, step.code, got, step.want)
		}
	}
}

// A server of the older era sees nothing of the newer era's envelope, and a client of the newer era gets what its era
// requires; a client of the older one gets nothing that only the newer era defines.
func TestErasThroughTheGateway(t *testing.T) {
	seen := make(chan map[string]json.RawMessage, 10)
	old := &toy{tools: map[string]func(*toyCall) string{"echo": func(c *toyCall) string {
		seen <- c.meta
		c.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"quiet"}}`)
		c.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"loud"}}`)
		return text("hi")
	}}}
	r := newRig(t, All, nil, map[string]wire.Target{"old": inProcess(old), "new": {Serve: builtin(t)}})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{LogLevel: "warning"})
		ex, err := s.Call(t.Context(), "tools/call", raw(`{"name":"old__echo","arguments":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		result := string(ex.Reply.Result)
		var heard []string
		for _, m := range ex.Between {
			heard = append(heard, serve.Text(serve.Members(m.Params)["data"]))
		}
		if protocol == "2026-07-28" && !slices.Equal(heard, []string{"loud"}) {
			t.Errorf("%s: log messages %v, want those of the level that the request asks for", protocol, heard)
		}
		for name := range <-seen {
			if strings.HasPrefix(name, "io.modelcontextprotocol/") {
				t.Errorf("%s: the legacy server got %s", protocol, name)
			}
		}
		if got := strings.Contains(result, `"resultType":"complete"`); got != (protocol == "2026-07-28") {
			t.Errorf("%s: the result of the legacy server is %s", protocol, result)
		}
		result = call(t, s, "new__echo", `{"text":"hi"}`)
		legacy := !slices.ContainsFunc([]string{"resultType", "serverInfo", "ttlMs"},
			func(name string) bool { return strings.Contains(result, name) })
		if legacy != (protocol == "2025-11-25") || !strings.Contains(result, "hi") {
			t.Errorf("%s: the result of the modern server is %s", protocol, result)
		}
		ex, err = s.Call(t.Context(), "resources/read", mcp.Object("uri", "demo://none#gateway=new"))
		want := map[string]int64{"2025-11-25": -32002, "2026-07-28": -32602}[protocol]
		if err != nil || ex.Reply.Error == nil || ex.Reply.Error.Code != want {
			t.Errorf("%s: a resource that is not there: %v %+v, want code %d", protocol, err, ex.Reply, want)
		}
	}
}
