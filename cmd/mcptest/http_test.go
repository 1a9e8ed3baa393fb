package main

import (
	"net/http/httptest"
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
