package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// exactArguments is what must come back byte for byte.
func exactArguments() []string {
	values := []string{
		`1`, `1.0`, `-0`, `-0.0`, `1e400`, `1E+2`, `0.1000`, `9007199254740993`, `123456789012345678901234567890`,
		`1e-400`,
		`""`, `"é"`, `"\u00e9"`, `"\/"`, `"/"`, `"<>&"`, `"\u003c"`, `"\ud800"`, `"\udc00x"`, `"\ud83d\ude00"`, `"😀"`,
		`"\u0000"`, `"\u2028"`,
		"\"\u2028\"", `"\\"`, `"\b\f\n\r\t"`, `null`, `true`, `[]`, `{}`, `[ 1 ,2 ]`, `[[[[]]]]`, `{"":1}`,
		`{"a":1,"a":2}`, `{"b":1,"a":2}`,
		`{ "x" : { } }`, `{"__proto__":1}`,
	}
	arguments := []string{`{}`, `{ }`, `[1,2]`, `7`, `null`, `"text"`, `{"a":1,"a":2}`, `{"z":1,"a":{"y":1,"b":2}}`}
	for _, v := range values {
		arguments = append(arguments, `{"v":`+v+`}`, `{"v" : `+v+` , "w":[`+v+`]}`)
	}
	for i := range 200 {
		arguments = append(arguments, fmt.Sprintf(`{"v":%d.%03d,"k%d":"%c\u%04x"}`, i*7919, i, i, rune(0x100+i),
			0xd7f0+i))
	}
	return arguments
}

func TestGuideEchoesBytes(t *testing.T) {
	for _, revision := range []string{spec.November2025, spec.July2026} {
		w := dial(t, "demo-guide")
		if revision != spec.July2026 {
			w.open(revision)
		}
		corpus := exactArguments()
		if len(corpus) < 250 {
			t.Fatalf("%d arguments; want a corpus", len(corpus))
		}
		for _, arguments := range corpus {
			line := modernRequest("1", "tools/call", `"name":"extra_any","arguments":`+arguments+`,`, "{}")
			if revision != spec.July2026 {
				line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"extra_any","arguments":` +
					arguments + `}}`
			}
			if got := w.ask(line).text(); got != arguments {
				t.Errorf("%s: echo of %s = %s", revision, arguments, got)
			}
		}
		got := w.ask(modernRequest("1", "tools/call", `"name":"extra_any",`, "{}")).text()
		if got != noArguments {
			t.Errorf("echo without arguments = %q", got)
		}
	}
}

func TestGuideHasEveryRow(t *testing.T) {
	rows := GuideRows()
	if len(rows) != 28 {
		t.Errorf("%d rows; the guide has 28", len(rows))
	}
	w := dial(t, "demo-guide")
	w.open(spec.November2025)
	var page struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
	}
	json.Unmarshal(w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).Result, &page)
	listed := map[string]string{}
	for _, tool := range page.Tools {
		listed[tool.Name] = string(tool.InputSchema)
	}
	if len(listed) != len(page.Tools) {
		t.Errorf("%d tools, %d names", len(page.Tools), len(listed))
	}
	for _, row := range append(rows, GuideExtras()...) {
		if listed[row.Tool] != string(row.Schema) {
			t.Errorf("%s: listed schema %s; want %s", row.Tool, listed[row.Tool], row.Schema)
		}
		if v := newValidator(string(row.Schema)); v == nil {
			t.Errorf("%s: bad schema", row.Tool)
		}
	}
}

func TestGuideRefuses(t *testing.T) {
	w := dial(t, "demo-guide")
	for _, c := range []struct {
		method, params string
		code           int
	}{
		{"tools/call", `"name":"nobody",`, serve.CodeInvalidParams},
		{"tools/call", ``, serve.CodeInvalidParams},
		{"tools/list", `"cursor":"x",`, serve.CodeInvalidParams},
		{"tools/list", `"cursor":"",`, serve.CodeInvalidParams},
		{"resources/list", ``, serve.CodeMethodNotFound},
		{"ping", ``, serve.CodeMethodNotFound},
		{"server/discover", ``, 0},
	} {
		got := w.ask(modernRequest("5", c.method, c.params, "{}"))
		checkReply(t, c.method, spec.July2026, got, c.code)
		if c.code == 0 && !strings.Contains(got.raw, `"supportedVersions":["2026-07-28",`) {
			t.Errorf("discover = %s", got.raw)
		}
	}
}

func TestGuideOverHTTP(t *testing.T) {
	url := listen(t, "demo-guide")
	for _, arguments := range exactArguments()[:60] {
		params := `"name":"extra_any","arguments":` + arguments + `,`
		if a := do(t, "POST", url, modernRequest("1", "tools/call", params, "{}"), "MCP-Protocol-Version: 2026-07-28",
			"Mcp-Method: tools/call", "Mcp-Name: extra_any"); a.text() != arguments {
			t.Errorf("modern echo of %s: %d %s", arguments, a.status, a.body)
		}
		if a := do(t, "POST", url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+
			strings.TrimSuffix(params, ",")+`}}`); a.text() != arguments {
			t.Errorf("legacy echo of %s: %d %s", arguments, a.status, a.body)
		}
	}
}

func TestGuideThroughSDKClient(t *testing.T) {
	for _, revision := range serve.Revisions() {
		s := session(t, "demo-guide", revision, nil)
		count := 0
		for _, err := range s.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatalf("%s: %v", revision, err)
			}
			count++
		}
		if want := len(GuideRows()) + len(GuideExtras()); count != want {
			t.Errorf("%s: %d tools; want %d", revision, count, want)
		}
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "basic_integer",
			Arguments: json.RawMessage(`{"v":1.0}`)})
		if err != nil || res.Content[0].(*mcp.TextContent).Text != `{"v":1.0}` {
			t.Errorf("%s: call = %+v, %v", revision, res, err)
		}
	}
}
