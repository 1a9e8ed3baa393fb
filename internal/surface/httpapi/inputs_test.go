package httpapi_test

import (
	"bufio"
	"context"
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

	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
	"github.com/mcptest-dev/mcptest/internal/systrace"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// companions are values of other fields that let a route or an operation come far enough to use its inputs.
var companions = map[string]any{
	"name": "echo", "tool": "echo", "kind": "tool", "uri": "demo://welcome", "method": "tools/call",
	"duration": int64(20_000_000), "rate": "50/s", "cases": 2,
	"within": int64(300_000_000), "rules": []string{"TOOL-001"}, "suite": "tools: [{tool: echo, args: {message: hi}}]",
	"server": "builtin-demo",
}

// stringInputs are values of a type, each with the value in another string of it. A type that contains itself is
// followed a few levels.
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
	`{"mcpServers":{"x":{"command":%[1]q}}}`, `{"mcpServers":{"x":{"command":"sh","args":[%[1]q]}}}`,
	`{"mcpServers":{"x":{"command":"sh","envFile":%[1]q}}}`,
	`{"mcpServers":{"x":{"command":"sh","env":{"LD_PRELOAD":%[1]q}}}}`, `{"mcpServers":{"x":{"url":%[1]q}}}`,
	`{"mcpServers":{"x":{"url":"http://x.example/","headers":{"X":%[1]q}}}}`,
}

// A pageCase is a request of the page with a hostile value in one string.
type pageCase struct {
	method string
	with   func(w *watched, value string) (path string, body any)
	number int // of the value; see watched.values
}

// pageCases are the requests with every hostile value in every string of every route, operation and config text. A page
// reaches a gateway by the URL that the user typed; that field is not given an address here.
func pageCases(t *testing.T, operations []view.Operation) []pageCase {
	t.Helper()
	var all []pageCase
	values := (&watched{private: "http://"}).values(0)
	add := func(method string, with func(w *watched, value string) (string, any), unless ...string) {
		for number, value := range values {
			if len(unless) == 0 || !strings.HasPrefix(value, unless[0]) {
				all = append(all, pageCase{method, with, number})
			}
		}
	}
	varies := regexp.MustCompile(`\{[^}]+\}`)
	for _, r := range httpapi.Routes() {
		method, pattern, _ := strings.Cut(r.Pattern, " ")
		if pattern == "/api/events" || strings.HasPrefix(pattern, "/api/run/") {
			continue // the first has no input and does not end, the second is below
		}
		if strings.Contains(pattern, "{") {
			add(method, func(_ *watched, value string) (string, any) {
				return varies.ReplaceAllStringFunc(pattern, func(string) string { return url.PathEscape(value) }),
					map[string]any{}
			})
		}
		if r.In == nil {
			continue
		}
		var unless []string
		if strings.HasPrefix(pattern, "/api/gateway") {
			unless = []string{"http://"}
		}
		for m := range stringInputs(r.In, "") {
			add(method, func(w *watched, value string) (string, any) {
				return varies.ReplaceAllString(strings.ReplaceAll(pattern, "{link}", w.link), "1"),
					stringInputs(r.In, value)[m]
			}, unless...)
		}
	}
	for _, config := range configs {
		add("POST", func(_ *watched, value string) (string, any) {
			return "/api/servers/import", httpapi.ImportInput{Text: fmt.Sprintf(config, value)}
		})
	}
	for _, op := range operations {
		for _, field := range op.Fields {
			if field.Type != "text" && field.Type != "list" {
				continue
			}
			add("POST", func(w *watched, value string) (string, any) {
				return "/api/run/" + op.Path, view.RunInput{Link: w.link,
					InputJSON: encode(t, operationInput(op, field, value))}
			})
		}
	}
	return all
}

// operationInput is an input of an operation with a value in one field, and companions in the others.
func operationInput(op view.Operation, field view.OperationField, value string) map[string]any {
	in := map[string]any{}
	for _, other := range op.Fields {
		if known, ok := companions[other.Name]; ok {
			in[other.Name] = known
			if _, list := known.([]string); other.Type == "list" && !list {
				in[other.Name] = []any{known}
			}
		}
	}
	in[field.Name] = value
	if field.Type == "list" {
		in[field.Name] = []any{value}
	}
	return in
}

// A watched is a process of inspect whose system calls are recorded.
type watched struct {
	*page
	home    string
	link    string // an open connection to the demo
	private string // an address that nobody allowed
	reached atomic.Int32
	made    []string // the number of a request is part of each path in it
}

// values are whatever could name a file, a variable, the standard input or an address. Each path contains the number.
func (w *watched) values(number int) []string {
	name := fmt.Sprintf("canary-path-%d-", number)
	path := filepath.Join(w.home, "elsewhere", name)
	return []string{"@" + path, path, "~/" + name, name, "-", "@-", "file://" + path, "$CANARY_VARIABLE",
		"${CANARY_VARIABLE}",
		w.private + "/mcp", "message=@" + path}
}

// try sends the request of a case.
func (w *watched) try(one pageCase) {
	w.t.Helper()
	for _, dir := range []string{w.home, filepath.Join(w.home, "elsewhere")} {
		file := filepath.Join(dir, fmt.Sprintf("canary-path-%d-", len(w.made)))
		if err := os.WriteFile(file, []byte(`{"message":"canary-content"}`), 0o700); err != nil {
			w.t.Fatal(err)
		}
	}
	path, body := one.with(w, w.values(len(w.made))[one.number])
	w.send(one.method, path, body)
}

// send sends a request, and expects nothing of the user in the answer.
func (w *watched) send(method, path string, in any) {
	w.t.Helper()
	body := encode(w.t, in)
	made := method + " " + path + " " + body
	w.made = append(w.made, made)
	ctx, cancel := context.WithTimeout(w.t.Context(), hang)
	defer cancel()
	res := w.open(ctx, method, path, body, nil)
	text, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if strings.Contains(string(text), "canary-content") || strings.Contains(string(text), "canary-value") {
		w.t.Errorf("%s: the file or the variable is in the answer: %.500s", made, text)
	}
	if w.reached.Swap(0) > 0 {
		w.t.Errorf("%s: a private address was reached", made)
	}
}

// connectImported tries to connect to each program that was imported, and nobody approved. It returns how many there
// are.
func (w *watched) connectImported() (programs int) {
	w.t.Helper()
	for _, server := range ask[view.Servers](w.page, "GET", "/api/servers", nil).Servers {
		if server.Kind == "command" {
			w.send("POST", "/api/links", view.NewLink{Server: server.ID})
			programs++
		}
	}
	return programs
}

// untouched expects that the process opened no file of the cases, started nothing and reached nothing.
func (w *watched) untouched(trace *systrace.Trace) {
	w.t.Helper()
	starts := 0
	for _, call := range trace.Calls() {
		if _, rest, found := strings.Cut(call.Text, "canary-path-"); found && (call.Opens() || call.Starts()) {
			var number int
			_, _ = fmt.Sscanf(rest, "%d", &number)
			w.t.Errorf("%s%s: by %s", call.Name, call.Text, w.made[number])
		}
		if call.Starts() {
			starts++
		}
		if call.Reaches() {
			w.t.Errorf("an address was reached: %s%s", call.Name, call.Text)
		}
	}
	if starts != 1 {
		w.t.Errorf("%d programs were started; expected mcptest alone", starts)
	}
}

// TestStringInputs puts whatever could name a file, a variable, the standard input or an address into every string that
// the page can send, routes and operations alike, and watches the system calls of mcptest inspect: no file is opened,
// nothing is started, nothing is reached, no variable is read. Several processes share the requests.
func TestStringInputs(t *testing.T) {
	var next, imported atomic.Int32
	t.Run("processes", func(t *testing.T) {
		for process := range 4 {
			t.Run(fmt.Sprint(process), func(t *testing.T) {
				t.Parallel()
				imported.Add(int32(watchInputs(t, func() int { return int(next.Add(1)) - 1 })))
			})
		}
	})
	if imported.Load() == 0 {
		t.Error("no program was imported; expected those of the config texts")
	}
}

// watchInputs starts a process and sends the cases that next returns. It returns how many programs were imported.
func watchInputs(t *testing.T, next func() int) (programs int) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{home: t.TempDir()}
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { w.reached.Add(1) }))
	defer private.Close()
	w.private = private.URL
	if err := os.Mkdir(filepath.Join(w.home, "elsewhere"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "inspect", "--listen", "127.0.0.1:0")
	cmd.Env = []string{asMcptest + "=1", "HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "CANARY_VARIABLE=canary-value"}
	cmd.Dir = w.home
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
	started, stop := inspecting(t, cmd, trace)
	w.page = started
	w.link = w.connect(view.NewLink{Server: "builtin-demo"}).ID
	cases := pageCases(t, ask[view.Hello](w.page, "GET", "/api/hello", nil).Operations)
	if len(cases) < 1800 {
		t.Errorf("there are %d cases; expected every string of every route and operation", len(cases))
	}
	for n := next(); n < len(cases); n = next() {
		w.try(cases[n])
	}
	programs = w.connectImported()
	if state := ask[view.Link](w.page, "GET", "/api/links/"+w.link, nil).State; state != view.Open {
		t.Errorf("the connection is %s; expected it open, so that operations get far enough", state)
	}
	stop()
	w.untouched(trace)
	left := make([]byte, 64)
	if n, _ := input.Read(left); string(left[:n]) != "canary-stdin\n" {
		t.Errorf("the standard input was read: %q is left", left[:n])
	}
	t.Logf("%d of %d requests", len(w.made), len(cases))
	return programs
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
