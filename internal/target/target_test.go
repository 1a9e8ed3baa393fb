package target

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// newSystem is a machine with a home and a project under one directory, and the variables that are given.
func newSystem(t *testing.T, env ...string) System {
	t.Helper()
	root := t.TempDir()
	sys := System{
		System:  config.System{GOOS: "linux", Home: filepath.Join(root, "home"), Dir: filepath.Join(root, "project")},
		Environ: env,
		LookPath: func(name string) (string, error) {
			path := filepath.Join(root, "bin", name)
			_, err := os.Stat(path)
			return path, err
		},
	}
	sys.Lookup = func(name string) (string, bool) {
		for _, pair := range env {
			if known, value, _ := strings.Cut(pair, "="); known == name {
				return value, true
			}
		}
		return "", false
	}
	for _, dir := range []string{sys.Home, sys.Dir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return sys
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

var demos = Builtins{"demo": serveNothing, "demo-flawed": serveNothing}

func serveNothing(context.Context, io.Reader, io.Writer) error { return nil }

func resolve(t *testing.T, sys System, spec Spec) *Resolved {
	t.Helper()
	resolved, err := Resolve(sys, spec, demos)
	if err != nil {
		t.Fatalf("Resolve(%+v): %v", spec, err)
	}
	return resolved
}

func TestCommand(t *testing.T) {
	sys := newSystem(t, "PATH=/bin", "LC_ALL=C", "AWS_SECRET_ACCESS_KEY=canary", "LD_PRELOAD=x", "PASS_ME=through")
	if err := os.Mkdir(filepath.Join(sys.Dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := resolve(t, sys, Spec{
		Command: []string{"npx", "-y", "x", "--api-key", "canary-argument"}, Cwd: "sub",
		Env: []string{"B=2", "PASS_ME", "EMPTY=", "A=b=c", "PATH=/mine", "LD_PRELOAD=mine.so"},
	})
	want := wire.Target{
		Command: []string{"npx", "-y", "x", "--api-key", "canary-argument"},
		Dir:     filepath.Join(sys.Dir, "sub"),
		Env:     []string{"PATH=/mine", "LC_ALL=C", "B=2", "PASS_ME=through", "EMPTY=", "A=b=c", "LD_PRELOAD=mine.so"},
	}
	if diff := cmp.Diff(got.Target, want, cmpopts.IgnoreFields(wire.Target{}, "Serve")); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
	if want := []string{"A", "B", "EMPTY", "LD_PRELOAD", "PASS_ME", "PATH"}; !slices.Equal(got.EnvNames, want) {
		t.Errorf("EnvNames %q, want %q", got.EnvNames, want)
	}
	if text := got.Secrets.Exact("said canary-argument"); text != "said [redacted]" {
		t.Errorf("the argument of --api-key is not remembered: %q", text)
	}
}

func TestEnvironmentAllowList(t *testing.T) {
	all := []string{
		"PATH=1", "HOME=1", "LOGNAME=1", "SHELL=1", "TERM=1", "USER=1", "LANG=1", "LC_TIME=1", "TMPDIR=1",
		"GITHUB_TOKEN=canary", "SystemRoot=1",
		"PathExt=1", "APPDATA=1", "LD_LIBRARY_PATH=1", "NODE_OPTIONS=1", "EDITOR=1", "path2=1", "home=1",
	}
	for goos, want := range map[string][]string{
		"linux":   {"PATH=1", "HOME=1", "LOGNAME=1", "SHELL=1", "TERM=1", "USER=1", "LANG=1", "LC_TIME=1", "TMPDIR=1"},
		"windows": {"PATH=1", "LANG=1", "SystemRoot=1", "PathExt=1", "APPDATA=1"},
	} {
		sys := newSystem(t, all...)
		sys.GOOS = goos
		if got := resolve(t, sys, Spec{Command: []string{"x"}}).Target.Env; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", goos, got, want)
		}
	}
	sys := newSystem(t, "Path=old")
	sys.GOOS = "windows"
	if got := resolve(t, sys, Spec{Command: []string{"x"}, Env: []string{"PATH=new"}}).Target.Env; !slices.Equal(got,
		[]string{"PATH=new"}) {
		t.Errorf("on Windows: %q, want one PATH", got)
	}
}

func TestURL(t *testing.T) {
	sys := newSystem(t, "TOKEN=canary-of-the-variable")
	write(t, filepath.Join(sys.Dir, "secret.txt"), "canary-of-the-file\n")
	got := resolve(t, sys, Spec{
		Args: []string{"https://host/mcp?api_key=canary-of-the-query"},
		Header: []string{
			"Authorization: Bearer $TOKEN", "X-A: $TOKEN", "x-b:  ${TOKEN} ", "X-C: @secret.txt", "X-D: $$TOKEN",
			"X-E: a $5 bill", "X-F:", "X-A: two",
			"Accept: text/html", "X-G: user@host",
		},
	})
	want := http.Header{
		"Authorization": {"Bearer canary-of-the-variable"}, "X-A": {"canary-of-the-variable", "two"},
		"X-B": {"canary-of-the-variable"},
		"X-C": {"canary-of-the-file"}, "X-D": {"$TOKEN"}, "X-E": {"a $5 bill"}, "X-F": {""}, "Accept": {"text/html"},
		"X-G": {"user@host"},
	}
	if diff := cmp.Diff(got.Target.Header, want); diff != "" {
		t.Errorf("header (-got +want):\n%s", diff)
	}
	text := got.Secrets.Exact("canary-of-the-variable canary-of-the-file canary-of-the-query text/html")
	if text != "[redacted] [redacted] [redacted] text/html" {
		t.Errorf("scrubbed to %q", text)
	}
}

func TestConfigured(t *testing.T) {
	sys := newSystem(t, "PATH=/bin", "TOKEN=canary-token")
	write(t, filepath.Join(sys.Dir, ".env"), "# comment\nexport FROM_FILE='canary in file'\n\nA=overridden\n")
	write(t, filepath.Join(sys.Dir, "mcp.json"), `{"mcpServers":{
		"files": {"command":"npx","args":["-y","${HOME:-none}"],"env":{"A":"1","API_KEY":"${TOKEN}"},"envFile":".env"},
		"web": {"url":"https://host/${TOKEN}","headers":{"X-Key":"${TOKEN}","Other":"${input:never}"}},
		"old": {"type":"sse","url":"https://host/sse"},
		"off": {"command":"c","disabled":true},
		"demo": {"command":"evil"}}}`)
	write(t, filepath.Join(sys.Home, ".cursor/mcp.json"),
		`{"mcpServers":{"files":{"command":"other"},"mine":{"command":"m"}}}`)
	if _, err := Resolve(sys, Spec{Args: []string{"files"}}, demos); err == nil ||
		!strings.Contains(err.Error(), "mcp.json:files or cursor:files") {
		t.Errorf("a name that the project gives to another server than the user: %v; want the qualified names", err)
	}

	files := resolve(t, sys, Spec{Args: []string{"mcp.json:files"}, Env: []string{"B=2"}})
	want := wire.Target{
		Name: "files", Command: []string{"npx", "-y", "none"}, Dir: sys.Dir,
		Env: []string{"PATH=/bin", "FROM_FILE=canary in file", "A=1", "API_KEY=canary-token", "B=2"},
	}
	if diff := cmp.Diff(files.Target, want, cmpopts.IgnoreFields(wire.Target{}, "Serve")); diff != "" {
		t.Errorf("files (-got +want):\n%s", diff)
	}
	if text := files.Secrets.Exact("canary-token, canary in file"); text != "[redacted], [redacted]" {
		t.Errorf("scrubbed to %q", text)
	}
	if other := resolve(t, sys, Spec{Args: []string{"cursor:files"}}); other.Target.Command[0] != "other" ||
		other.Target.Dir != "" {
		t.Errorf("cursor:files is %+v", other.Target)
	}

	web := resolve(t, sys, Spec{Args: []string{"web"}, Header: []string{"other: mine"}})
	if diff := cmp.Diff(web.Target.Header, http.Header{"X-Key": {"canary-token"}, "Other": {"mine"}}); diff != "" {
		t.Errorf("web (-got +want):\n%s", diff)
	}
	if web.Target.URL != "https://host/canary-token" || web.Target.Kind != "" {
		t.Errorf("web is %+v", web.Target)
	}
	if old := resolve(t, sys, Spec{Args: []string{"old"}}); old.Target.Kind != wire.HTTPWithSSE {
		t.Errorf("old has kind %q", old.Target.Kind)
	}
	if off := resolve(t, sys, Spec{Args: []string{"off"}}); len(off.Notes) != 1 ||
		!strings.Contains(off.Notes[0], "disabled") {
		t.Errorf("notes %q, want one that it is disabled", off.Notes)
	}
	demo := resolve(t, sys, Spec{Args: []string{"demo"}})
	if demo.Target.Serve == nil || len(demo.Target.Command) != 0 || len(demo.Notes) != 1 {
		t.Errorf("demo is %+v with notes %q; want the built-in one and a note", demo.Target, demo.Notes)
	}
	if own := resolve(t, sys, Spec{Args: []string{"mcp.json:demo"}}); own.Target.Command[0] != "evil" {
		t.Errorf("mcp.json:demo is %+v", own.Target)
	}
}

func TestResolveRefuses(t *testing.T) {
	sys := newSystem(t, "TOKEN=a\r\nX-Evil: b", "EMPTY=", "GOOD=canary")
	write(t, filepath.Join(sys.Dir, "mcp.json"),
		`{"mcpServers":{"everything":{"command":"c"},"needs":{"command":"${UNSET_VARIABLE}"},"broken":{"command":1},
		"user":{"url":"https://me:canary@host/"}}}`)
	write(t, filepath.Join(sys.Dir, "two-lines"), "a\nX-Evil: b\n")
	url := []string{"https://host/mcp"}
	tests := []struct {
		name string
		spec Spec
		want string // in the message and hint
	}{
		{"nothing", Spec{}, "no target"},
		{"blank", Spec{Args: []string{""}}, "no target"},
		{"two", Spec{Args: []string{"a", "b"}}, "2 targets"},
		{"both", Spec{Args: []string{"a"}, Command: []string{"b"}}, "mutually exclusive"},
		{"empty command", Spec{Command: []string{""}}, "empty"},
		{"misspelt", Spec{Args: []string{"everythin"}}, "did you mean everything?"},
		{"part of a name", Spec{Args: []string{"flawed"}}, "did you mean demo-flawed?"},
		{"unknown lists", Spec{Args: []string{"zzz"}}, "known names: demo, demo-flawed, everything, needs, user"},
		{"unknown says where", Spec{Args: []string{"zzz"}},
			"searched .mcp.json, mcp.json, .vscode/mcp.json, .cursor/mcp.json, ~/.claude.json, ~/.config/Claude"},
		{"unusable entry", Spec{Args: []string{"broken"}}, `server "broken": command: expected a string, got a number`},
		{"path", Spec{Args: []string{"./server.js"}}, "-- node ./server.js"},
		{"host and port", Spec{Args: []string{"localhost:3000/mcp"}}, "http://localhost:3000/mcp"},
		{"host and path", Spec{Args: []string{"example.com/mcp"}}, "https://example.com/mcp"},
		{"unset variable", Spec{Args: []string{"needs"}}, "UNSET_VARIABLE"},
		{"config missing", Spec{Args: []string{"x"}, Config: "none.json"}, "none.json"},
		{"scheme", Spec{Args: []string{"ftp://host"}}, "expected http or https"},
		{"no host", Spec{Args: []string{"https:///x"}}, "no host"},
		{"bad URL", Spec{Args: []string{"http://a b/%zz"}}, "not a URL"},
		{"fragment", Spec{Args: []string{"https://host/#x"}}, "fragment"},
		{"user in URL", Spec{Args: []string{"https://me:canary@host/"}}, "--header 'Authorization"},
		{"user in the URL of an entry", Spec{Args: []string{"user"}}, "--header 'Authorization"},
		{"header for a command", Spec{Command: []string{"x"}, Header: []string{"A: b"}}, "--env"},
		{"env for a URL", Spec{Args: url, Env: []string{"A=b"}}, "--header"},
		{"env for a built-in", Spec{Args: []string{"demo"}, Env: []string{"A=b"}}, "demo is built in"},
		{"header without colon", Spec{Args: url, Header: []string{"canary"}}, "missing colon"},
		{"header name", Spec{Args: url, Header: []string{"A b: c"}}, `"A b"`},
		{"header name with a break", Spec{Args: url, Header: []string{"A\r\nB: c"}}, "header name"},
		{"header value with a break", Spec{Args: url, Header: []string{"A: b\r\nC: d"}}, "control character"},
		{"header variable with a break", Spec{Args: url, Header: []string{"A: $TOKEN"}}, "control character"},
		{"header file with a break", Spec{Args: url, Header: []string{"A: @two-lines"}}, "control character"},
		{"header file missing", Spec{Args: url, Header: []string{"A: @none"}}, "none"},
		{"header variable unset", Spec{Args: url, Header: []string{"A: Bearer $NOT_SET"}}, "NOT_SET is not set"},
		{"header variable empty", Spec{Args: url, Header: []string{"A: $EMPTY"}}, "EMPTY is not set"},
		{"framing header", Spec{Args: url, Header: []string{"transfer-encoding: chunked"}}, "set by the transport"},
		{"env unset", Spec{Command: []string{"x"}, Env: []string{"NOT_SET"}}, "NOT_SET"},
		{"env without name", Spec{Command: []string{"x"}, Env: []string{"=canary"}}, "no valid name"},
		{"env with NUL", Spec{Command: []string{"x"}, Env: []string{"A=b\x00c"}}, "no valid name"},
		{"cwd missing", Spec{Command: []string{"x"}, Cwd: "none"}, "is not a directory"},
		{"cwd is a file", Spec{Command: []string{"x"}, Cwd: "mcp.json"}, "is not a directory"},
		{"API reads a file", Spec{Args: url, Header: []string{"A: @mcp.json"}, FromAPI: true}, "only the user"},
		{"API reads a variable", Spec{Args: url, Header: []string{"A: Bearer $GOOD"}, FromAPI: true}, "only the user"},
		{"API passes a variable", Spec{Command: []string{"x"}, Env: []string{"GOOD"}, FromAPI: true}, "only the user"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			resolved, err := Resolve(sys, test.spec, demos)
			var wrong *Error
			if !errors.As(err, &wrong) {
				t.Fatalf("got %+v, %v; want an *Error", resolved, err)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q, want %q in it", err, test.want)
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("the error shows a secret: %q", err)
			}
		})
	}
}

func TestAPIEnvironment(t *testing.T) {
	sys := newSystem(t)
	for _, name := range []string{"LD_PRELOAD", "ld_library_path", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS",
		"Node_Options", "PYTHONPATH", "PYTHONSTARTUP", "BASH_ENV", "ENV", "GIT_SSH_COMMAND", "PATH"} {
		_, err := Resolve(sys, Spec{Command: []string{"x"}, Env: []string{name + "=1"}, FromAPI: true}, nil)
		var wrong *Error
		if !errors.As(err, &wrong) {
			t.Errorf("%s from the API: %v, want it refused", name, err)
		}
		if _, err := Resolve(sys, Spec{Command: []string{"x"}, Env: []string{name + "=1"}}, nil); err != nil {
			t.Errorf("%s from the user: %v", name, err)
		}
	}
	if _, err := Resolve(sys, Spec{Command: []string{"x"}, Env: []string{"ENVIRONMENT=1", "LDAP=1"}, FromAPI: true},
		nil); err != nil {
		t.Errorf("harmless names from the API: %v", err)
	}
}

// Of what a config file sets, settings stay readable; what the user gives on the command line is hidden whatever it is.
func TestSecretsOfSettings(t *testing.T) {
	sys := newSystem(t)
	file := write(t, filepath.Join(sys.Dir, "settings.json"),
		`{"mcpServers": {"x": {"command": "x", "env": {"MODE": "production", "LEVEL": "debug",
		"DIR": "/usr/share/x", "PORT": "12345678", "URL": "https://host/x", "API_KEY": "lowercase", "OPAQUE": "a8F3kk29xQ", "DB": "https://u:canary@h"}}}}`)
	got := resolve(t, sys, Spec{Args: []string{"x"}, Config: file, Env: []string{"GIVEN=plainword", "SHORT=on"}})
	text := "production debug /usr/share/x 12345678 https://host/x lowercase a8F3kk29xQ https://u:canary@h plainword on"
	if got, want := got.Secrets.Exact(text), "production debug /usr/share/x 12345678 https://host/x [redacted] "+
		"[redacted] [redacted] [redacted] on"; got != want {
		t.Errorf("scrubbed to %q, want %q", got, want)
	}
}

// Of an environment, only variables with a secret name are secrets.
func TestSecretsOfAnEnvironment(t *testing.T) {
	got := SecretsOf([]string{"API_KEY=hidden", "HOME=/home/ada", "EMPTY"}, []string{"server", "--token", "also"})
	if want := []string{"hidden", "also"}; !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}

// A header's value that was read from elsewhere is a secret under any name.
func TestSecretsOfHeaders(t *testing.T) {
	sys := newSystem(t, "FROM_ENV=plainword")
	got := resolve(t, sys, Spec{Args: []string{"https://host/mcp"},
		Header: []string{"User-Agent: $FROM_ENV", "Accept-Language: someword"}})
	if got, want := got.Secrets.Exact("plainword someword"), "[redacted] someword"; got != want {
		t.Errorf("scrubbed to %q, want %q", got, want)
	}
}
