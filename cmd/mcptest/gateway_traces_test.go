package main

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A receiver takes traces over OTLP, as a collector does.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	spans    []*otlp.Span
	services []string
	raw      []byte
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/v1/traces" || req.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s with %s was sent; want protobuf to /v1/traces", req.URL.Path, req.Header.Get("Content-Type"))
		}
		var body io.Reader = req.Body
		if req.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(req.Body)
		}
		raw, _ := io.ReadAll(body)
		var sent collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(raw, &sent); err != nil {
			t.Errorf("what was sent is no trace: %v", err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.raw = append(r.raw, raw...)
		for _, resource := range sent.ResourceSpans {
			for _, a := range resource.Resource.Attributes {
				if a.Key == "service.name" {
					r.services = append(r.services, a.Value.GetStringValue())
				}
			}
			for _, scope := range resource.ScopeSpans {
				r.spans = append(r.spans, scope.Spans...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(r.Close)
	return r
}

// find returns the only span of a kind that has the attribute.
func (r *receiver) find(t *testing.T, kind otlp.Span_SpanKind, name, key, value string) *otlp.Span {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []*otlp.Span
	for _, s := range r.spans {
		if s.Kind == kind && s.Name == name && attributes(s)[key] == value {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d spans %v %q with %s %q, want one of %d", len(found), kind, name, key, value, len(r.spans))
	}
	return found[0]
}

// below returns the spans whose parent is the span.
func (r *receiver) below(parent *otlp.Span) (found []*otlp.Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.spans {
		if string(s.ParentSpanId) == string(parent.SpanId) {
			found = append(found, s)
		}
	}
	return found
}

func attributes(s *otlp.Span) map[string]string {
	all := map[string]string{}
	for _, a := range s.Attributes {
		text := a.Value.GetStringValue()
		if n := a.Value.GetIntValue(); n != 0 {
			text = fmt.Sprint(n)
		}
		all[a.Key] = text
	}
	return all
}

// hearing is a server behind the gateway that notes the metadata which it is sent. Its tool fails if it is told to.
func hearing(t *testing.T, heard func(id, meta json.RawMessage)) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Meta      json.RawMessage `json:"_meta"`
				Arguments json.RawMessage
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		result := `{"resultType":"complete","content":[]}`
		switch m.Method {
		case "server/discover":
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
				`"ttlMs":0,"cacheScope":"private"}`
		case "tools/list":
			result = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"echo",` +
				`"inputSchema":{"type":"object"}}]}`
		case "tools/call":
			heard(m.ID, m.Params.Meta)
			if strings.Contains(string(m.Params.Arguments), "fail") {
				result = `{"resultType":"complete","isError":true,"content":[]}`
			} else {
				result = `{"resultType":"complete","content":[{"type":"text","text":"hi"}]}`
			}
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	t.Cleanup(server.Close)
	return server
}

// post sends a message to the gateway and returns the response.
func (g *gateway) post(t *testing.T, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, g.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+g.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	return resp, string(answer)
}

const (
	ourTrace = "0af7651916cd43dd8448eb211c80319c"
	ourSpan  = "b7ad6b7169203331"
)

// callTraced calls a tool as part of our trace.
func (g *gateway) callTraced(t *testing.T, id, tool, arguments string) string {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"` + tool + `","arguments":` +
		arguments +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{},"traceparent":"00-` + ourTrace + "-" + ourSpan +
		`-01","tracestate":"vendor=1"}}}`
	_, answer := g.post(t, body, http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"},
		"Mcp-Name": {tool}})
	return answer
}

// A request is a server span in the client's trace, the request to the server behind a client span below it, which that
// server is told of; nothing of arguments, results and tokens is in them.
func TestGatewayTraces(t *testing.T) {
	traces := newReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", traces.URL)
	var mu sync.Mutex
	metas, ids := []string{}, []string{}
	up := hearing(t, func(id, meta json.RawMessage) {
		mu.Lock()
		defer mu.Unlock()
		metas, ids = append(metas, string(meta)), append(ids, strings.Trim(string(id), `"`))
	})
	g := startGateway(t, `{"mcpServers":{"up":{"type":"http","url":"`+up.URL+
		`"},"demo":{"command":"MCPTEST","args":["demo"]}}}`)
	g.ready(t, g.token, "up__echo")
	g.ready(t, g.token, "demo__echo")
	mu.Lock()
	metas, ids = nil, nil
	mu.Unlock()
	for id, arguments := range map[string]string{"good": `{"message":"canary-argument"}`,
		"bad": `{"message":"fail canary-argument"}`} {
		g.callTraced(t, id, "up__echo", arguments)
	}
	g.callTraced(t, "unknown", "up__nothing", `{}`)
	g.callTraced(t, "pipe", "demo__echo", `{"message":"canary-argument"}`)
	resp, _ := g.post(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, http.Header{})
	session := resp.Header.Get("Mcp-Session-Id")
	g.post(t, `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`,
		http.Header{"Mcp-Session-Id": {session}, "Mcp-Protocol-Version": {"2025-11-25"},
			"Traceparent": {"00-" + ourTrace + "-" + ourSpan + "-01"}})
	g.stop(t)

	const server, client = otlp.Span_SPAN_KIND_SERVER, otlp.Span_SPAN_KIND_CLIENT
	in := traces.find(t, server, "tools/call up__echo", "jsonrpc.request.id", "good")
	for key, want := range map[string]string{"mcp.method.name": "tools/call", "gen_ai.tool.name": "up__echo",
		"gen_ai.operation.name": "execute_tool",
		"mcp.protocol.version":  "2026-07-28", "network.transport": "tcp", "network.protocol.name": "http",
		"error.type": ""} {
		if got := attributes(in)[key]; got != want {
			t.Errorf("server span: %s is %q, want %q", key, got, want)
		}
	}
	if hex.EncodeToString(in.TraceId) != ourTrace || hex.EncodeToString(in.ParentSpanId) != ourSpan ||
		in.TraceState != "vendor=1" {
		t.Errorf("server span: trace %x, parent %x, state %q; want ours", in.TraceId, in.ParentSpanId, in.TraceState)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(ids) != 2 {
		t.Fatalf("%d calls reached the server, want 2", len(ids))
	}
	for i, id := range ids {
		out := traces.find(t, client, "tools/call echo", "jsonrpc.request.id", id)
		if a := attributes(out); a["gen_ai.tool.name"] != "echo" || a["mcptest.gateway.server"] != "up" ||
			a["server.address"] != "127.0.0.1" || a["server.port"] == "" || a["mcp.protocol.version"] != "2026-07-28" {
			t.Errorf("client span: %v", a)
		}
		if want := fmt.Sprintf(`"traceparent":"00-%s-%x-01"`, ourTrace, out.SpanId); !strings.Contains(metas[i],
			want) || !strings.Contains(metas[i], `"tracestate":"vendor=1"`) {
			t.Errorf("the server was told %s, want %s", metas[i], want)
		}
	}
	if below := traces.below(in); len(below) != 1 || below[0].Kind != client ||
		attributes(below[0])["error.type"] != "" {
		t.Errorf("below the good call are %v, want one client span without an error", below)
	}
	for id, want := range map[string]string{"bad": "tool_error", "unknown": "-32602"} {
		name := map[string]string{"bad": "tools/call up__echo", "unknown": "tools/call up__nothing"}[id]
		s := traces.find(t, server, name, "jsonrpc.request.id", id)
		if got := attributes(s)["error.type"]; got != want || s.Status.GetCode() != otlp.Status_STATUS_CODE_ERROR ||
			s.Status.Message != "" {
			t.Errorf("%s: error.type %q, status %v; want %q, an error without a message", id, got, s.Status, want)
		}
	}
	piped := traces.find(t, server, "tools/call demo__echo", "jsonrpc.request.id", "pipe")
	if below := traces.below(piped); len(below) != 1 || attributes(below[0])["network.transport"] != "pipe" ||
		string(below[0].TraceId) != string(piped.TraceId) {
		t.Errorf("below the call of the process are %v, want one span of a pipe", below)
	}
	if s := traces.find(t, server, "initialize", "mcp.protocol.version", "2025-11-25"); len(s.ParentSpanId) != 0 {
		t.Errorf("initialize has the parent %x, want none", s.ParentSpanId)
	}
	if s := traces.find(t, server, "resources/list", "mcp.session.id",
		session); hex.EncodeToString(s.TraceId) != ourTrace || session == "" {
		t.Errorf("a request of a session: trace %x, want that of its header", s.TraceId)
	}
	for _, secret := range []string{"canary-argument", g.token} {
		if strings.Contains(string(traces.raw), secret) {
			t.Errorf("%q is in a trace", secret)
		}
	}
	if len(traces.services) == 0 || traces.services[0] != "mcptest-gateway" {
		t.Errorf("services %v, want mcptest-gateway", traces.services)
	}
	if !strings.Contains(g.log.String(), `"trace":"`+ourTrace+`"`) {
		t.Errorf("the log does not name the trace:\n%s", g.log)
	}
}

// A collector that is not there costs the callers nothing, and is told in the log.
func TestGatewayTracesAreLost(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", gone.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "200")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	g.await(t, "traces are being dropped")
	start := time.Now()
	g.stop(t)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v to end", took)
	}
}

// What OpenTelemetry's variables ask for and this program does not have is refused, not ignored.
func TestGatewayTracesUsage(t *testing.T) {
	config := toolFile(t, `{"mcpServers":{}}`)
	for name, value := range map[string]string{"OTEL_TRACES_EXPORTER": "zipkin",
		"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
			t.Setenv(name, value)
			if _, stderr, code := runCLI("gateway", "--config", config, "--store", "memory"); code != 2 ||
				!strings.Contains(stderr, name+" is") {
				t.Errorf("%s=%s: exit %d, %s; want it refused", name, value, code, stderr)
			}
		})
	}
}
