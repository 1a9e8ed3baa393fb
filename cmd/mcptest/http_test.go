package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/demo"
)

// serveDemo serves a built-in server over HTTP and returns its URL.
func serveDemo(t *testing.T, name string) string {
	t.Helper()
	built, ok := demo.Lookup(name)
	if !ok {
		t.Fatalf("no built-in server %s", name)
	}
	handler, stop := built.Handler()
	server := httptest.NewServer(handler)
	t.Cleanup(func() { stop(); server.Close() })
	return server.URL + "/mcp"
}

// Both eras over HTTP, by the commands that people use.
func TestOverHTTP(t *testing.T) {
	url := serveDemo(t, "demo")
	for _, protocol := range []string{"auto", "2025-03-26", "2025-11-25", "2026-07-28"} {
		for _, c := range []struct {
			args []string
			want string
		}{
			{[]string{"tools", "list"}, "echo(message: string)"},
			{[]string{"tools", "call", "echo", "--arg", "message=hello"}, "hello"},
			{[]string{"resources", "read", "demo://note"}, ""},
			{[]string{"prompts", "get", "greet", "--arg", "name=Ada"}, "Ada"},
		} {
			stdout, stderr, code := runCLI(append(c.args, "--protocol", protocol, url)...)
			if code != 0 || !strings.Contains(stdout, c.want) || stderr != "" {
				t.Errorf("%s %v: exit %d, stdout %q, stderr %q; want exit 0 and %q", protocol, c.args, code, stdout,
					stderr, c.want)
			}
		}
	}
}

// The status and the headers of a response over HTTP are targets of a suite.
func TestSuiteOverHTTP(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.yaml")
	suite := "servers: {s: {url: '" + serveDemo(t, "demo") + `'}}
tools:
  - {name: right, tool: echo, args: {message: hi}, expect: [{target: http.status, exact: 200},
      {target: 'http.headers["content-type"]', regex: "json|event-stream"}, {target: stdout_noise, exact: ""}]}
  - {name: wrong, tool: echo, args: {message: hi}, expect: {target: http.status, exact: 404}}
`
	if err := os.WriteFile(file, []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := runCLI("run", file)
	if code != 1 || !strings.Contains(stdout, "got:  200") || !strings.Contains(stdout, "1 passed, 1 failed") {
		t.Errorf("exit %d, stdout %s, stderr %s; want one test that passes and one that fails with 200", code, stdout, stderr)
	}
}

// A change that one client makes is told to another that listens, in both eras.
func TestListen(t *testing.T) {
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		url := serveDemo(t, "demo")
		type outcome struct {
			stdout, stderr string
			code           int
		}
		heard := make(chan outcome)
		go func() {
			stdout, stderr, code := runCLI("listen", "--resource", "demo://note", "--count", "1", "--for", "20s",
				"--protocol", protocol, url)
			heard <- outcome{stdout, stderr, code}
		}()
		deadline := time.Now().Add(15 * time.Second)
		for done := false; !done; {
			if _, stderr, code := runCLI("tools", "call", "write_note", "--arg", "text=new", "--protocol", protocol,
				url); code != 0 {
				t.Fatalf("write_note: exit %d: %s", code, stderr)
			}
			select {
			case got := <-heard:
				if got.code != 0 || !strings.Contains(got.stdout, "notifications/resources/updated") {
					t.Errorf("%s: exit %d, stdout %q, stderr %q; want an update of demo://note", protocol, got.code,
						got.stdout, got.stderr)
				}
				done = true
			case <-time.After(100 * time.Millisecond): // the listener may not have subscribed yet
				if time.Now().After(deadline) {
					t.Fatalf("%s: nothing was heard", protocol)
				}
			}
		}
	}
}
