package demo

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

func TestRulesOverHTTP(t *testing.T) {
	url := listen(t, "demo")
	for _, revision := range serve.Revisions() {
		t.Run(revision, func(t *testing.T) {
			var headers []string
			if revision != spec.July2026 {
				headers = openHTTP(t, url, revision)
			}
			for _, r := range rules() {
				want, line, headers := r.legacy, `{"jsonrpc":"2.0","id":5,"method":"`+r.method+`","params":{`+
					strings.TrimSuffix(r.params, ",")+`}}`, headers
				if revision == spec.July2026 {
					want, line, headers = r.modern, modernRequest("5", r.method, r.params, "{}"),
						modernHeaders(r.method, r.params)
				}
				a := do(t, "POST", url, line, headers...)
				checkReply(t, r.name, revision, a.reply, want)
				status := 200
				switch {
				case r.name == "second initialize" && revision != spec.July2026:
					status = 400
				case want == serve.CodeInvalidRequest:
					status = 400
				case revision == spec.July2026 && want == serve.CodeMethodNotFound:
					status = 404
				case revision == spec.July2026 && want != 0:
					status = 400
				}
				if a.status != status {
					t.Errorf("%s: status %d; want %d\n%s", r.name, a.status, status, a.body)
				}
			}
		})
	}
}

func TestHTTPTransportRules(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":5,"method":"ping"}`
	list := modernRequest("5", "tools/list", "", "{}")
	call := modernRequest("5", "tools/call", `"name":"echo","arguments":{"message":"x"},`, "{}")
	modernTo := func(method string) []string {
		return []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
	}
	for _, name := range []string{"demo", "demo-guide"} {
		url := listen(t, name)
		session := openHTTP(t, url, spec.November2025)
		for _, c := range []struct {
			name, method, body string
			headers            []string
			status, code       int
		}{
			{"foreign host", "POST", ping, append([]string{"Host: evil.example"}, session...), 403, 0},
			{"foreign host with our port", "POST", list,
				append([]string{"Host: evil.example:80"}, modernTo("tools/list")...), 403, 0},
			{"foreign origin", "POST", ping, append([]string{"Origin: https://evil.example"}, session...), 403, 0},
			{"null origin", "POST", ping, append([]string{"Origin: null"}, session...), 403, 0},
			{"origin like ours", "POST", ping, append([]string{"Origin: http://localhost.evil.example"}, session...),
				403, 0},
			{"local origin", "POST", ping, append([]string{"Origin: http://localhost:5173"}, session...), 200, 0},
			{"localhost", "POST", ping, append([]string{"Host: localhost:99"}, session...), 200, 0},
			{"IPv6", "POST", ping, append([]string{"Host: [::1]:99"}, session...), 200, 0},
			{"not JSON", "POST", `{`, session, 400, serve.CodeParse},
			{"empty", "POST", ``, session, 400, serve.CodeParse},
			{"no jsonrpc", "POST", `{"id":5,"method":"ping"}`, session, 400, serve.CodeInvalidRequest},
			{"id null", "POST", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, session, 400, serve.CodeInvalidRequest},
			{"batch", "POST", `[` + ping + `]`, session, 400, serve.CodeInvalidRequest},
			{"batch without version header", "POST", `[` + ping + `]`,
				append([]string{"MCP-Protocol-Version: "}, session[1:]...), 400, serve.CodeInvalidRequest},
			{"modern batch", "POST", `[` + list + `]`, modernTo("tools/list"), 400, serve.CodeInvalidRequest},
			{"text", "POST", ping, append([]string{"Content-Type: text/plain"}, session...), 415, 0},
			{"accepts JSON alone", "POST", ping, append([]string{"Accept: application/json"}, session...), 406, 0},
			{"unknown old version", "POST", ping, []string{"MCP-Protocol-Version: 1900-01-01"}, 400,
				serve.CodeUnsupportedVersion},
			{"unknown version between", "POST", ping, []string{"MCP-Protocol-Version: 2026-07-27"}, 400,
				serve.CodeUnsupportedVersion},
			{"unknown new version", "POST", strings.Replace(list, spec.July2026, "2099-01-01", 1),
				[]string{"MCP-Protocol-Version: 2099-01-01", "Mcp-Method: tools/list"}, 400,
				serve.CodeUnsupportedVersion},
			{"unknown version that the body contradicts", "POST", list,
				[]string{"MCP-Protocol-Version: 2025-01-01", "Mcp-Method: tools/list"}, 400, serve.CodeHeaderMismatch},
			{"version that an unknown one in the body contradicts", "POST",
				strings.Replace(list, spec.July2026, "2099-01-01", 1),
				modernTo("tools/list"), 400, serve.CodeHeaderMismatch},
			{"unknown version to GET", "GET", ``, []string{"MCP-Protocol-Version: 1900-01-01"},
				map[string]int{"demo": 400, "demo-guide": 405}[name],
				map[string]int{"demo": serve.CodeUnsupportedVersion}[name]},
			{"unknown notification", "POST", `{"jsonrpc":"2.0","method":"notifications/odd"}`, session, 202, 0},
			{"modern notification", "POST", `{"jsonrpc":"2.0","method":"notifications/odd"}`,
				modernTo("notifications/odd"), 202, 0},
			{"modern GET", "GET", ``, modernTo(""), 405, 0},
			{"modern DELETE", "DELETE", ``, modernTo(""), 405, 0},
			{"PUT", "PUT", ping, session, 405, 0},
			{"modern", "POST", list, modernTo("tools/list"), 200, 0},
			{"modern without header", "POST", list, nil, 400, serve.CodeHeaderMismatch},
			{"modern with legacy header", "POST", list,
				[]string{"MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/list"}, 400, serve.CodeHeaderMismatch},
			{"modern without method header", "POST", list, []string{"MCP-Protocol-Version: 2026-07-28"}, 400,
				serve.CodeHeaderMismatch},
			{"modern with wrong method", "POST", list, modernTo("tools/call"), 400, serve.CodeHeaderMismatch},
			{"modern without name", "POST", call, modernTo("tools/call"), 400, serve.CodeHeaderMismatch},
			{"modern with wrong name", "POST", call, append([]string{"Mcp-Name: add"}, modernTo("tools/call")...), 400,
				serve.CodeHeaderMismatch},
			{"modern without _meta", "POST", `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, modernTo("tools/list"),
				400, serve.CodeInvalidParams},
			{"modern ping without _meta", "POST", ping, modernTo("ping"), 400, serve.CodeInvalidParams},
			{"modern unknown method", "POST", modernRequest("5", "no/such", "", "{}"), modernTo("no/such"), 404,
				serve.CodeMethodNotFound},
		} {
			if a := do(t, c.method, url, c.body, c.headers...); a.status != c.status || a.code() != c.code {
				t.Errorf("%s: %s: %d %.300s; want %d with code %d", name, c.name, a.status, a.body, c.status, c.code)
			}
		}
	}
}

func TestHTTPSessionLife(t *testing.T) {
	url := listen(t, "demo")
	list := `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	if a := do(t, "POST", url, list); a.status != 400 || a.code() != serve.CodeInvalidRequest {
		t.Errorf("without a session: %d %s", a.status, a.body)
	}
	if a := do(t, "GET", url, ""); a.status != 400 && a.status != 405 {
		t.Errorf("GET without a session: %d", a.status)
	}
	headers := openHTTP(t, url, spec.June2025)
	if a := do(t, "POST", url, list, headers...); a.status != 200 || a.code() != 0 {
		t.Errorf("in the session: %d %s", a.status, a.body)
	}
	if a := do(t, "DELETE", url, "", headers...); a.status/100 != 2 {
		t.Errorf("DELETE: %d", a.status)
	}
	for _, c := range []struct{ method, body string }{{"POST", list}, {"GET", ""}, {"DELETE", ""},
		{"POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`}} {
		if a := do(t, c.method, url, c.body, headers...); a.status != 404 {
			t.Errorf("%s after the end: %d %s; want 404", c.method, a.status, a.body)
		}
	}
}

func TestHTTPThroughSDKClient(t *testing.T) {
	for _, revision := range []string{spec.July2026, spec.November2025} {
		t.Run(revision, func(t *testing.T) {
			url := listen(t, "demo")
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, helpful())
			s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url},
				&mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for tool, want := range map[string]string{"visit_page": "The user agreed to visit the page.",
				"ask_user": "Hello, Ada, who likes green.", "ask_model": "m responded: re: hi",
				"list_roots": "The client has 0 roots."} {
				arguments := map[string]map[string]any{"ask_user": {"question": "?"}, "ask_model": {"prompt": "hi"},
					"list_roots": {}, "visit_page": {"topic": "payment"}}[tool]
				res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
				if err != nil {
					t.Errorf("%s: %v", tool, err)
					continue
				}
				if got := res.Content[0].(*mcp.TextContent).Text; got != want {
					t.Errorf("%s = %q; want %q", tool, got, want)
				}
			}
		})
	}
}
