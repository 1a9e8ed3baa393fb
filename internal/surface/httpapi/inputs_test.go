package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
	"github.com/mcptest-dev/mcptest/internal/systrace"
)

// companions are values of other fields that let a route or an operation come far enough to use its inputs.
var companions = map[string]any{
	"name": "echo", "tool": "echo", "kind": "tool", "uri": "demo://welcome", "method": "tools/call", "duration": int64(20_000_000), "rate": "50/s", "cases": 2,
	"within": int64(300_000_000), "rules": []string{"TOOL-001"}, "suite": "tools: [{tool: echo, args: {message: hi}}]", "server": "builtin-demo",
}

// stringInputs are values of a type, each with the value in another string of it. A type that contains itself is followed a
// few levels.
func stringInputs(t reflect.Type, value string) []any { return stringsWithin(t, value, 5) }

func stringsWithin(t reflect.Type, value string, levels int) []any {
	var all []any
	if levels == 0 {
		return nil
	}
	switch t.Kind() {
	case reflect.String:
		return []any{value}
	case reflect.Pointer:
		return stringsWithin(t.Elem(), value, levels-1)
	case reflect.Slice:
		for _, one := range stringsWithin(t.Elem(), value, levels-1) {
			all = append(all, []any{one})
		}
	case reflect.Map:
		for _, one := range stringsWithin(t.Elem(), value, levels-1) {
			all = append(all, map[string]any{"a": one}, map[string]any{value: "a"})
		}
	case reflect.Struct:
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if t.Field(i).Anonymous {
				all = append(all, stringsWithin(t.Field(i).Type, value, levels-1)...)
			}
			if name == "" || name == "-" {
				continue
			}
			for _, one := range stringsWithin(t.Field(i).Type, value, levels-1) {
				in := map[string]any{name: one}
				for j := range t.NumField() {
					other, _, _ := strings.Cut(t.Field(j).Tag.Get("json"), ",")
					if known, ok := companions[other]; ok && other != name && t.Field(j).Type.Kind() == reflect.String {
						in[other] = known
					}
				}
				all = append(all, in)
			}
		}
	}
	return all
}

// configs are texts of a config file with a value in different places.
var configs = []string{
	`{"mcpServers":{"x":{"command":%[1]q}}}`, `{"mcpServers":{"x":{"command":"sh","args":[%[1]q]}}}`, `{"mcpServers":{"x":{"command":"sh","envFile":%[1]q}}}`,
	`{"mcpServers":{"x":{"command":"sh","env":{"LD_PRELOAD":%[1]q}}}}`, `{"mcpServers":{"x":{"url":%[1]q}}}`, `{"mcpServers":{"x":{"url":"http://x.example/","headers":{"X":%[1]q}}}}`,
}

// TestStringInputs puts whatever could name a file, a variable, the standard input or an address into every string that the page
// can send, routes and operations alike, and watches the system calls of mcptest inspect: no file is opened, nothing is
// started, nothing is reached, no variable is read. A page reaches a gateway by the URL that the user typed; that field is not
// given an address here.
func TestStringInputs(t *testing.T) {
	var reached atomic.Int32
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer private.Close()
	home := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "inspect", "--listen", "127.0.0.1:0")
	cmd.Env = []string{asMcptest + "=1", "HOME=" + home, "PATH=" + os.Getenv("PATH"), "CANARY_VARIABLE=canary-value"}
	cmd.Dir = home
	trace := systrace.Wrap(t, cmd)
	input, keep, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close()
	if _, err := keep.WriteString("canary-stdin\n"); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = input
	p, stop := inspecting(t, cmd, trace)
	var made []string // the number of a request is part of each path in it
	values := func() []string {
		name := fmt.Sprintf("canary-path-%d-", len(made))
		for _, dir := range []string{home, filepath.Join(home, "elsewhere")} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(`{"message":"canary-content"}`), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(home, "elsewhere", name)
		return []string{"@" + path, path, "~/" + name, name, "-", "@-", "file://" + path, "$CANARY_VARIABLE", "${CANARY_VARIABLE}", private.URL + "/mcp", "message=@" + path}
	}
	try := func(method, path string, in any) {
		t.Helper()
		body := encode(t, in)
		made = append(made, method+" "+path+" "+body)
		ctx, cancel := context.WithTimeout(t.Context(), hang)
		defer cancel()
		res := p.open(ctx, method, path, body, nil)
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if strings.Contains(string(text), "canary-content") || strings.Contains(string(text), "canary-value") {
			t.Errorf("%s: the file or the variable is in the answer: %.500s", made[len(made)-1], text)
		}
		if reached.Swap(0) > 0 {
			t.Errorf("%s: a private address was reached", made[len(made)-1])
		}
	}
	link := p.connect(inspector.NewLink{Server: "builtin-demo"}).ID
	varies := regexp.MustCompile(`\{[^}]+\}`)
	for _, r := range httpapi.Routes() {
		method, pattern, _ := strings.Cut(r.Pattern, " ")
		if pattern == "/api/events" || strings.HasPrefix(pattern, "/api/run/") {
			continue // the first has no input and does not end, the second is below
		}
		path := varies.ReplaceAllString(strings.ReplaceAll(pattern, "{link}", link), "1")
		for n := range values() {
			if strings.Contains(pattern, "{") {
				try(method, varies.ReplaceAllStringFunc(pattern, func(string) string { return url.PathEscape(values()[n]) }), map[string]any{})
			}
			if r.In == nil {
				continue
			}
			for m := range stringInputs(r.In, "") {
				if value := values()[n]; pattern != "/api/gateway" || !strings.HasPrefix(value, "http://") {
					try(method, path, stringInputs(r.In, value)[m])
				}
			}
		}
	}
	for _, config := range configs {
		for n := range values() {
			try("POST", "/api/servers/import", httpapi.ImportInput{Text: fmt.Sprintf(config, values()[n])})
		}
	}
	unapproved := 0
	for _, server := range ask[inspector.Servers](p, "GET", "/api/servers", nil).Servers {
		if server.Kind == "command" {
			try("POST", "/api/links", inspector.NewLink{Server: server.ID})
			unapproved++
		}
	}
	if unapproved == 0 {
		t.Error("no server was added; expected those of the config texts")
	}
	operations := 0
	for _, op := range ask[inspector.Hello](p, "GET", "/api/hello", nil).Operations {
		for _, field := range op.Fields {
			if field.Type != "text" && field.Type != "list" {
				continue
			}
			for n := range values() {
				in := map[string]any{}
				for _, other := range op.Fields {
					if known, ok := companions[other.Name]; ok {
						in[other.Name] = known
						if _, list := known.([]string); other.Type == "list" && !list {
							in[other.Name] = []any{known}
						}
					}
				}
				var value any = values()[n]
				if field.Type == "list" {
					value = []any{value}
				}
				in[field.Name] = value
				text, err := json.Marshal(in)
				if err != nil {
					t.Fatal(err)
				}
				try("POST", "/api/run/"+op.Path, inspector.RunInput{Link: link, InputJSON: string(text)})
				operations++
			}
		}
	}
	if operations < 100 || len(made) < 500 {
		t.Errorf("%d requests, %d of operations; expected every string of every route and operation", len(made), operations)
	}
	if state := ask[inspector.Link](p, "GET", "/api/links/"+link, nil).State; state != inspector.Open {
		t.Errorf("the connection is %s; expected it open, so that operations get far enough", state)
	}
	stop()
	starts := 0
	for _, call := range trace.Calls() {
		if _, rest, found := strings.Cut(call.Text, "canary-path-"); found && (call.Opens() || call.Starts()) {
			var number int
			_, _ = fmt.Sscanf(rest, "%d", &number)
			t.Errorf("%s%s: by %s", call.Name, call.Text, made[number])
		}
		if call.Starts() {
			starts++
		}
		if call.Reaches() {
			t.Errorf("an address was reached: %s%s", call.Name, call.Text)
		}
	}
	if starts != 1 {
		t.Errorf("%d programs were started; expected mcptest alone", starts)
	}
	left := make([]byte, 64)
	if n, _ := input.Read(left); string(left[:n]) != "canary-stdin\n" {
		t.Errorf("the standard input was read: %q is left", left[:n])
	}
	t.Logf("%d requests, %d of operations", len(made), operations)
}

// inspecting starts mcptest inspect, and returns its page and what ends it.
func inspecting(t *testing.T, cmd *exec.Cmd, trace *systrace.Trace) (*page, func()) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			trace.Interrupt()
			kill := time.AfterFunc(hang, func() { _ = cmd.Process.Kill() })
			_ = cmd.Wait()
			kill.Stop()
		}
	}
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, token, _ := strings.Cut(strings.TrimSpace(line), "/#token=")
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	return &page{t: t, url: address, token: token, client: client}, stop
}
