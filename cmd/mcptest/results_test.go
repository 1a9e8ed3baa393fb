package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// resultsServer is a server of the older era that gives each method the result of the table. It echoes nothing else.
func resultsServer(t *testing.T, results map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := mcp.Read(wire.Frame{Body: body})
		result, known := results[m.Method]
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case len(m.ID) == 0:
			w.WriteHeader(http.StatusAccepted)
			return
		case !known && m.Method == "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true},` +
				`"prompts":{},"logging":{}},"serverInfo":{"name":"table","version":"1"}}`
		case !known:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const oneTool = `{"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object",` +
	`"properties":{"n":{"type":"integer"}}}}]}`

// What makes a call a failure is told in either form of output, and the exit status says the same.
func TestCallFailures(t *testing.T) {
	for _, c := range []struct{ name, list, result, want string }{
		{"output schema", oneTool, `{"content":[],"structuredContent":{"n":"x"}}`, "✗ output schema: "},
		{"no content", `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`, `{}`,
			"✗ content: found nothing, expected an array"},
		{"content is no list", `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`, `{"content":"hi"}`,
			`✗ content: found "hi", expected an array`},
		{"isError is no boolean", `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
			`{"content":[],"isError":"yes"}`, `✗ isError: found "yes", expected a boolean`},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := resultsServer(t, map[string]string{"tools/list": c.list, "tools/call": c.result})
			stdout, stderr, code := runCLI("tools", "call", "t", url, "--protocol", "2025-11-25")
			if code != 1 || !strings.Contains(stdout, c.want) {
				t.Errorf("exit %d, stdout %q, stderr %q; want exit 1 and %q", code, stdout, stderr, c.want)
			}
			stdout, stderr, code = runCLI("tools", "call", "t", url, "--json", "--protocol", "2025-11-25")
			if code != 1 || stdout != c.result+"\n" || !strings.Contains(stderr, c.want) {
				t.Errorf("--json: exit %d, stdout %q, stderr %q; want exit 1, the result, and %q on stderr", code,
					stdout, stderr, c.want)
			}
		})
	}
}

// An output schema that cannot be used is told, too.
func TestUncheckedOutputIsTold(t *testing.T) {
	url := resultsServer(t, map[string]string{"tools/list": `{"tools":[{"name":"t","inputSchema":{"type":"object"},` +
		`"outputSchema":{"type":7}}]}`,
		"tools/call": `{"content":[],"structuredContent":{}}`})
	_, stderr, _ := runCLI("tools", "call", "t", url, "--json", "--protocol", "2025-11-25")
	if !strings.Contains(stderr, "invalid output schema") {
		t.Errorf("stderr %q; want that the output schema cannot be used", stderr)
	}
}

// Entries that cannot be used are no tools, and a list that has some is a failure.
func TestUnusableEntries(t *testing.T) {
	url := resultsServer(t, map[string]string{"tools/list": `{"tools":[{"name":"good",` +
		`"inputSchema":{"type":"object"}},{"title":"nameless"},7]}`})
	stdout, _, code := runCLI("tools", "list", url, "--protocol", "2025-11-25")
	if code != 1 || !strings.Contains(stdout, "1 tool;") || strings.Count(stdout, "✗ unusable entry") != 2 {
		t.Errorf("exit %d, stdout %q; want exit 1, one tool and two unusable entries", code, stdout)
	}
	_, stderr, code := runCLI("tools", "list", url, "--json", "--protocol", "2025-11-25")
	if code != 1 || strings.Count(stderr, "✗ unusable entry") != 2 {
		t.Errorf("--json: exit %d, stderr %q; want exit 1 and two unusable entries", code, stderr)
	}
}

// Results of the other methods that lack what they are for are failures as well.
func TestEmptyResults(t *testing.T) {
	url := resultsServer(t, map[string]string{"resources/read": `{}`, "prompts/get": `{}`, "completion/complete": `{}`})
	for _, args := range [][]string{{"resources", "read", "x:y"}, {"prompts", "get", "p"},
		{"complete", "--prompt", "p", "--arg", "a="}} {
		stdout, stderr, code := runCLI(append(args, url, "--protocol", "2025-11-25")...)
		if code != 1 || !strings.Contains(stdout, ": found nothing, expected an array") {
			t.Errorf("%v: exit %d, stdout %q, stderr %q; want exit 1 and what is missing", args, code, stdout, stderr)
		}
	}
}

// Content is saved in either form of output.
func TestSaveWithJSON(t *testing.T) {
	dir := t.TempDir()
	_, stderr, code := runCLI("tools", "call", "image", "demo", "--arg", "color=red", "--save", dir, "--json")
	files, _ := os.ReadDir(dir)
	if code != 0 || len(files) != 1 || !strings.Contains(stderr, "saved as "+dir) {
		t.Errorf("exit %d, %d files, stderr %q; want exit 0, one file, and its path", code, len(files), stderr)
	}
}

// Lists are counted in words that people use.
func TestListNouns(t *testing.T) {
	stdout, _, _ := runCLI("resources", "templates", "demo")
	if !strings.Contains(stdout, "2 resource templates;") {
		t.Errorf("stdout %q; want 2 resource templates", stdout)
	}
}

// A line break of Windows is a line break.
func TestCRLF(t *testing.T) {
	url := resultsServer(t, map[string]string{"tools/list": `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		"tools/call": `{"content":[{"type":"text","text":"one\r\ntwo\rthree"}]}`})
	stdout, _, _ := runCLI("tools", "call", "t", url, "--protocol", "2025-11-25")
	if want := "one\ntwo\\rthree\n"; stdout != want {
		t.Errorf("stdout %q, want %q", stdout, want)
	}
}

// The version can be read by programs.
func TestVersionJSON(t *testing.T) {
	stdout, _, code := runCLI("version", "--json")
	if code != 0 || !strings.Contains(stdout, `"version": "`) {
		t.Errorf("exit %d, stdout %q; want a JSON object with a version", code, stdout)
	}
}
