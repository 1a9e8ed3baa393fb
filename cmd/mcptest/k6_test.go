package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// k6Version is the k6 that scripts are tried with in the full run; .ci/run builds it beforehand.
const k6Version = "v1.8.1"

// k6Secret must be in no script.
const k6Secret = "s3cr3t-of-a-header"

// A k6Outcome is what came of a script in the shim of testdata/k6.
type k6Outcome struct {
	Options struct {
		Scenarios  map[string]map[string]any
		Thresholds map[string][]string
	}
	Checks   map[string]struct{ Passed, Failed int }
	Metrics  map[string]float64
	Requests []struct {
		URL, Body string
		Headers   map[string]string
		Tags      map[string]string
	}
}

// The script for k6 speaks both eras to a real server: with a handshake and a session, or with headers and without.
func TestK6Script(t *testing.T) {
	node := needNode(t)
	address := listeningDemo(t)
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(protocol, func(t *testing.T) {
			script := writtenScript(t, "--protocol", protocol, "--rate", "30/m", "--duration", "20s", "--ramp", "5s",
				"--threshold", "p99<50ms", "--threshold", "errors<2%", "--mix", mixFile(t), address)
			if out, err := exec.Command(node, "--check", script).CombinedOutput(); err != nil {
				t.Fatalf("node --check: %v\n%s", err, out)
			}
			got := runScript(t, node, script, "MCPTEST_X_KEY="+k6Secret)
			for _, name := range []string{"response has the id of its call", "response is not an error",
				"response has the nonce of its call"} {
				if c := got.Checks[name]; c.Passed == 0 || c.Failed > 0 {
					t.Errorf("check %q: %+v, want it passed", name, c)
				}
			}
			if got.Metrics["mcp_errors"]+got.Metrics["mcp_mixed_up"]+got.Metrics["mcp_failed"] > 0 {
				t.Errorf("metrics %v, want no error", got.Metrics)
			}
			scenario := got.Options.Scenarios["load"]
			if scenario["executor"] != "ramping-arrival-rate" || scenario["timeUnit"] != "1h" {
				t.Errorf("scenario %v, want a rate of 1800 an hour with a ramp", scenario)
			}
			if limits := got.Options.Thresholds; strings.Join(limits["http_req_duration{kind:call}"],
				" ") != "p(99)<50" || strings.Join(limits["mcp_failed"], " ") != "rate<0.02" {
				t.Errorf("thresholds %v, want those that were given", limits)
			}
			checkRequests(t, got, protocol == "2025-11-25")
		})
	}
}

// checkRequests holds what a script sent against its era, and counts the turns of a mix.
func checkRequests(t *testing.T, got *k6Outcome, legacy bool) {
	t.Helper()
	calls := map[string]int{}
	opened := 0
	for _, r := range got.Requests {
		if r.Headers["X-Key"] != k6Secret {
			t.Errorf("headers %v; want the one from the environment", r.Headers)
		}
		if r.Tags["kind"] == "open" {
			opened++
			continue
		}
		switch {
		case legacy && (r.Headers["Mcp-Session-Id"] == "" || r.Headers["Mcp-Protocol-Version"] != "2025-11-25"):
			t.Errorf("headers %v; want a session", r.Headers)
		case !legacy && (r.Headers["Mcp-Method"] != "tools/call" || r.Headers["Mcp-Name"] == "" ||
			!strings.Contains(r.Body, "io.modelcontextprotocol/protocolVersion")):
			t.Errorf("headers %v, body %s; want those of the newer era", r.Headers, r.Body)
		}
		var body struct{ Params struct{ Name string } }
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
			t.Errorf("%v in %s", err, r.Body)
		}
		calls[body.Params.Name]++
	}
	if want := map[bool]int{true: 2, false: 0}[legacy]; opened != want {
		t.Errorf("%d requests to open sessions, want %d: one handshake for all calls", opened, want)
	}
	if calls["echo"] != 3 || calls["add"] != 1 {
		t.Errorf("calls %v, want echo three times and add once", calls)
	}
}

// The checks of a script fail on answers that are not those of its calls.
func TestK6ScriptSeesWrongAnswers(t *testing.T) {
	node := needNode(t)
	script := writtenScript(t, "--protocol", "2026-07-28", "--tool", "echo", "--args", `{"message":"{{nonce}} {{id}}"}`,
		listeningDemo(t))
	for _, c := range []struct {
		name, answer, check, metric string
	}{
		{"another id", `{"jsonrpc":"2.0","id":77,"result":{"content":[]}}`, "response has the id of its call",
			"mcp_errors"},
		{"an error", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no"}}`, "response is not an error",
			"mcp_errors"},
		{"isError", `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"isError":true}}`, "response is not an error",
			"mcp_failed"},
		{"another nonce", `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text",` +
			`"text":"mcptest0123456789abcdef"}]}}`, "response has the nonce of its call", "mcp_mixed_up"},
		{"a page", `<html></html>`, "response has the id of its call", "mcp_errors"},
	} {
		liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var asked struct{ ID json.RawMessage }
			body, _ := io.ReadAll(r.Body)
			if err := json.Unmarshal(body, &asked); err != nil || !strings.Contains(string(body), "{{id}}") {
				t.Errorf("the script sent %s (%v); want the arguments as they were given", body, err)
			}
			_, _ = io.WriteString(w, strings.ReplaceAll(c.answer, "ID", string(asked.ID)))
		}))
		got := runScript(t, node, script, "MCPTEST_X_KEY="+k6Secret, "MCPTEST_URL="+liar.URL)
		liar.Close()
		if got.Checks[c.check].Failed != 4 || got.Metrics[c.metric] != 4 {
			t.Errorf("%s: checks %v, metrics %v; want %q failed and %s counted, four times each", c.name, got.Checks,
				got.Metrics, c.check, c.metric)
		}
	}
	cmd := k6Command(t, node, script)
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "MCPTEST_X_KEY is not set") {
		t.Errorf("without its variable: %v\n%s\nwant to be told which", err, out)
	}
}

// Real k6 takes the script, in both eras and in all paces.
func TestK6Itself(t *testing.T) {
	if os.Getenv("MCPTEST_FULL") == "" {
		t.Skip("left out: k6 takes minutes to build; MCPTEST_FULL=1 does it")
	}
	k6 := buildK6(t)
	address := listeningDemo(t)
	for name, args := range map[string][]string{
		"legacy":      {"--protocol", "2025-11-25", "--concurrency", "3"},
		"legacy ramp": {"--protocol", "2025-11-25", "--concurrency", "3", "--ramp", "1s"},
		"modern":      {"--rate", "20/s", "--ramp", "1s"},
		"modern slow": {"--rate", "90/m", "--threshold", "p99.9<1h", "--threshold", "errors<1"},
	} {
		script := writtenScript(t, append(args, "--duration", "2s", "--tool", "echo", address)...)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		out, err := exec.CommandContext(ctx, k6, "run", "-e", "MCPTEST_X_KEY="+k6Secret, script).CombinedOutput()
		cancel()
		if err != nil || !strings.Contains(string(out), "response has the nonce of its call") ||
			strings.Contains(string(out), "level=warning") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// buildK6 builds k6 once, where .ci/run has it too.
func buildK6(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "mcptest-ci", "k6-"+k6Version)
	binary := filepath.Join(dir, "k6")
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	cmd := exec.Command("go", "install", "go.k6.io/k6@"+k6Version)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOBIN="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	return binary
}

// needNode finds Node.js; without it the test is left out, or fails where it is known to be there.
func needNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	switch {
	case err == nil:
	case os.Getenv("MCPTEST_REQUIRE_NPM") != "":
		t.Fatal(err)
	default:
		t.Skip("left out: there is no node to run scripts with")
	}
	return node
}

// listeningDemo starts mcptest demo --listen and returns its address.
func listeningDemo(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "demo", "--listen", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "MCPTEST_AS_COMMAND=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	at := strings.Index(line, "http://")
	if err != nil || at < 0 {
		t.Fatalf("demo --listen printed %q (%v)", line, err)
	}
	return strings.TrimSpace(line[at:])
}

// writtenScript has mcptest load write a script, and wants no secret in it.
func writtenScript(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "script.mjs")
	t.Setenv("X_KEY_OF_TEST", k6Secret)
	out, err := mcptest(t, dir, append([]string{"load", "--k6", script, "--header", "X-Key: $X_KEY_OF_TEST"},
		args...)...)
	if err != nil || !strings.Contains(out, "k6 run -e MCPTEST_X_KEY=…") {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(script)
	if err != nil || strings.Contains(string(text), k6Secret) {
		t.Fatalf("%v; the script holds the secret: %s", err, text)
	}
	return script
}

func mixFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mix.yaml")
	if err := os.WriteFile(file, []byte("- {tool: echo, args: {message: \"hi {{nonce}}\"}, weight: 3}\n- {tool: add, "+
		"args: {a: 1, b: 2}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// k6Command is the shim of testdata/k6 with a script, for four iterations.
func k6Command(t *testing.T, node, script string, variables ...string) *exec.Cmd {
	t.Helper()
	dir := filepath.Dir(script)
	module := filepath.Join(dir, "node_modules", "k6")
	err := errors.Join(os.MkdirAll(filepath.Dir(module), 0o755), os.RemoveAll(module),
		os.CopyFS(module, os.DirFS(filepath.Join("testdata", "k6"))))
	runner, readErr := os.ReadFile(filepath.Join("testdata", "k6", "run.mjs"))
	if err := errors.Join(err, readErr, os.WriteFile(filepath.Join(dir, "run.mjs"), runner, 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "run.mjs", script, "4")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), variables...)
	return cmd
}

func runScript(t *testing.T, node, script string, variables ...string) *k6Outcome {
	t.Helper()
	cmd := k6Command(t, node, script, variables...)
	var notes strings.Builder
	cmd.Stderr = &notes
	out, err := cmd.Output()
	got := &k6Outcome{}
	if err != nil || json.Unmarshal(out, got) != nil {
		t.Fatalf("%v\n%s\n%s", err, out, notes.String())
	}
	return got
}
