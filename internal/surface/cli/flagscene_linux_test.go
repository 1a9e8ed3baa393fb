package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A scene is where a proof is tried: files, servers, and what they received.
type scene struct {
	t      *testing.T
	dir    string
	plain  *recorder
	lazy   *recorder
	names  *strings.Replacer
	record string // of the process

	terminal bool   // commands write to a terminal
	typed    string // what the user types there
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, dir: t.TempDir(), plain: &recorder{}}
	slow := &recorder{slow: 700 * time.Millisecond}
	s.lazy = &recorder{lazy: 700 * time.Millisecond}
	mute := &recorder{lazy: 4 * time.Second}
	url, lazy := startHTTP(t, s.plain, false), startHTTP(t, s.lazy, false)
	remote := startRemote(t, s.plain)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s.record = filepath.Join(s.dir, "received")
	s.names = strings.NewReplacer("{dir}", s.dir, "{url}", url, "{tls}", startHTTP(t, s.plain, true), "{slow}",
		startHTTP(t, slow, false),
		"{recorder}", self+" "+asRecorder+" "+s.record, "{origin}", strings.TrimSuffix(url, "/mcp"), "{remote}", remote,
		"{lazy}", lazy,
		"{mute}", startHTTP(t, mute, false), "{port}", callbackPort)
	for name, text := range map[string]string{
		"servers.json": `{"mcpServers":{"probe":{"url":"` + url + `"}}}`,
		"process.json": `{"mcpServers":{"process":{"command":"` + self + `","args":["` + asRecorder + `","` +
			s.record + `"]}}}`,
		"tools.json":   `{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`,
		"answers.json": `{"roots":[{"uri":"file:///probe-root"}]}`,
		"suite.yaml": "servers: {main: {url: '" + url +
			"'}}\ntools:\n  - {name: first, tool: echo, args: {message: hi}}\n  - {name: second, tool: echo, args: " +
			"{message: hi}, tags: [quick]}\n",
		"named.yaml":  "servers: {main: probe}\ntools: [{tool: echo, args: {message: hi}}]\n",
		"faults.yaml": "faults: ['tools/list:20%:cut']\n",
		"tea.json": `{"name":"brew_tea","server":"kitchen","description":"Brews tea.",` +
			`"parameters":{"type":"object"},"tags":["drinks"],"run":{"func":"brew"}}`,
		"coffee.json": `{"name":"brew_coffee","server":"kitchen","description":"Brews coffee or tea.",` +
			`"parameters":{"type":"object"},"run":{"func":"brew"}}`,
		"secret.yaml": "servers: {main: {url: '" + url +
			"', headers: {X-Api-Key: hunter2hunter2}}}\ntools: [{tool: echo, args: {message: hi}}]\n",
		"secret.json": `{"mcpServers":{"probe":{"url":"` + url + `","headers":{"X-Api-Key":"hunter2hunter2"}}}}`,
		"failing.yaml": "servers: {main: {url: '" + url + "'}}\ntools:\n" +
			strings.Repeat("  - {tool: echo, args: {message: hi}, expect: {exact: 1}}\n", 2),
		"old.yaml": "servers: {main: demo}\ntools:\n  - tool: echo\n    args: {message: hi}\n    answers: " +
			"{roots: [{uri: 'file:///x'}]}\n",
		"folder/x": "",
		"publish/server.json": `{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json",` +
			`"name":"io.github.a/b","description":"x","version":"1.0.0","remotes":[{"type":"streamable-http","url":"` +
			strings.TrimSuffix(url, "mcp") + `{path}","variables":{"path":{}}}]}`,
		"approved.lock": `{"lockfile":1,"servers":{"probe":{"name":"before"}}}`,
		"assertion":     "probe-assertion",
		"unsafe.yaml": "servers: {main: {url: '" + url +
			"'}}\nfuzz: [{name: f, with: {tool: [change], cases: 2}}]\nperformance: [{name: p, with: {tool: change, " +
			"duration: 50ms, rate: 20/s}}]\n",
		"remote.yaml": "servers: {main: {url: '" + remote +
			"'}}\nperformance: [{name: p, with: {tool: echo, duration: 50ms, rate: 20/s}}]\n",
		"lazy.yaml": "run_options: {parallel: auto}\nservers: {main: {url: '" + lazy +
			"'}}\ntools:\n  - {name: first, tool: echo, args: {message: hi}}\n  - {name: second, tool: echo, args: " +
			"{message: hi}}\n" +
			"  - {name: third, tool: echo, args: {message: hi}}\n  - {name: fourth, tool: echo, args: {message: hi}}\n",
	} {
		file := filepath.Join(s.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// callbackPort is a port that is free on most machines.
const callbackPort = "48213"

// startRemote serves the recorder under an address that is not that of localhost, and returns its URL.
func startRemote(t *testing.T, r *recorder) string {
	t.Helper()
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: r}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	addresses, _ := net.InterfaceAddrs()
	for _, address := range addresses {
		if ip, _, err := net.ParseCIDR(address.String()); err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			return "http://" + net.JoinHostPort(ip.String(), port) + "/mcp"
		}
	}
	return "no-address-besides-localhost"
}

// quarantine makes a catalog in which a definition waits for an approval.
func (s *scene) quarantine(file string) {
	s.t.Helper()
	shelf, err := store.Open(s.t.Context(), file)
	if err != nil {
		s.t.Fatal(err)
	}
	tools, err := catalog.Open(s.t.Context(), shelf, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	definition := []byte(`{"name":"brew_tea","inputSchema":{"type":"object"}}`)
	err = tools.Propose(s.t.Context(), []catalog.Proposal{{
		ID:        catalog.ReviewID{Server: "kitchen", Kind: quarantine.Tool, Name: "brew_tea"},
		Candidate: &catalog.Candidate{Hash: change.Hash(definition), Reason: catalog.ReasonNew, Definition: definition},
	}})
	if err := errors.Join(err, tools.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// prepare makes what a command line needs besides the files of every scene.
func (s *scene) prepare(line string) {
	s.t.Helper()
	if strings.Contains(line, "c.db") {
		s.run("catalog add {dir}/tea.json --store {dir}/c.db", nil)
	}
	if strings.Contains(line, "waiting.db") {
		s.quarantine(filepath.Join(s.dir, "waiting.db"))
	}
	if strings.Contains(line, "two.db") {
		s.run("catalog add {dir}/tea.json --store {dir}/two.db", nil)
		s.run("catalog add {dir}/coffee.json --store {dir}/two.db", nil)
	}
	if strings.Contains(line, "all.json") {
		out := s.run("catalog export --store {dir}/c.db", nil)
		_, rest, _ := strings.Cut(out, "stdout: ")
		rest, _, _ = strings.Cut(rest, "\nstderr:")
		_ = os.WriteFile(filepath.Join(s.dir, "all.json"), []byte(rest), 0o600)
	}
	if strings.Contains(line, "changed.json") {
		out := s.run("catalog export --store {dir}/c.db", nil)
		_, rest, _ := strings.Cut(out, "stdout: ")
		rest, _, _ = strings.Cut(rest, "\nstderr:")
		_ = os.WriteFile(filepath.Join(s.dir, "changed.json"),
			[]byte(strings.ReplaceAll(rest, "Brews tea.", "Brews strong tea.")), 0o600)
	}
	if strings.Contains(line, "accepted.json") {
		s.run("lint {dir}/old.yaml --write-baseline --baseline {dir}/accepted.json", nil)
	}
	if strings.Contains(line, "timings.json") {
		s.run("run {dir}/lazy.yaml --reporter json={dir}/timings.json", nil)
		file := filepath.Join(s.dir, "timings.json")
		text, _ := os.ReadFile(file)
		took := regexp.MustCompile(`(/(first|second|third|fourth)",\s*"elapsed_ns": ?)\d+`).ReplaceAll(text,
			[]byte("${1}1"))
		took = regexp.MustCompile(`(/first",\s*"elapsed_ns": ?)1`).ReplaceAll(took, []byte("${1}9000000000"))
		_ = os.WriteFile(file, took, 0o600)
	}
	if strings.Contains(line, "report.json") {
		s.run("run {dir}/failing.yaml --reporter json={dir}/report.json", nil)
	}
	if strings.HasPrefix(line, "tap install") || strings.HasPrefix(line, "tap remove") {
		_ = os.MkdirAll(filepath.Join(s.dir, ".cursor"), 0o700)
		_ = os.WriteFile(filepath.Join(s.dir, ".cursor", "mcp.json"),
			[]byte(`{"mcpServers":{"probe":{"command":"true"}}}`), 0o600)
	}
	if strings.HasPrefix(line, "tap remove") {
		s.run("tap install cursor probe --yes", nil)
	}
	if strings.HasPrefix(line, "tap view") || strings.HasPrefix(line, "tap export") {
		s.run(`tap -- echo '{"jsonrpc":"2.0","method":"notifications/probe"}'`, nil)
	}
	if strings.Contains(line, "called.jsonl") {
		s.run("tools call write_note --arg text=x demo --transcript {dir}/called.jsonl", nil)
	}
	if strings.Contains(line, "frames.jsonl") {
		s.run("tools list {url} --header 'X-Api-Key: hunter2hunter2' --no-redact --transcript {dir}/frames.jsonl", nil)
	}
}

// words splits a command line at spaces, except within single quotes.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// A buffer is written by a command while the test reads it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// mockInput is what a client of a mock sends.
const mockInput = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"x"}}}` + "\n"

// driverRequests are what a client of mcptest driver sends: it fuzzes a remote server.
const driverRequests = `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}}
{"jsonrpc":"2.0","id":2,"method":"start","params":{"name":"s","server":{"url":"{remote}"}}}
{"jsonrpc":"2.0","id":3,"method":"fuzz","params":{"server":"s","with":{"cases":2,"wire":true}}}
{"jsonrpc":"2.0","id":4,"method":"shutdown"}
`

// run runs a command line, and returns all that it did: exit status, output, files, and what servers received. A
// command that does not end is stopped when the outcome is enough, or after a while.
func (s *scene) run(line string, enough func(string) bool) string {
	s.t.Helper()
	before := s.files()
	received := s.received()
	var stdout, stderr buffer
	system := target.System{Environ: os.Environ()}
	system.GOOS, system.Home, system.Dir = "linux", s.dir, s.dir
	system.Lookup = func(name string) (string, bool) { return "", false }
	system.LookPath = func(name string) (string, error) { return name, nil }
	env := &cli.Env{Args: words(s.names.Replace(line)), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" }, System: system}
	drain := func() {}
	if strings.HasPrefix(line, "driver") {
		env.Stdin = strings.NewReader(s.names.Replace(driverRequests))
	}
	if strings.HasPrefix(line, "mock {dir}/frames.jsonl") {
		env.Stdin = strings.NewReader(mockInput)
	}
	if strings.HasPrefix(line, "gateway") {
		waits, end := io.Pipe()
		defer end.Close()
		env.Stdin = waits
	}
	if s.terminal {
		var screen *os.File
		screen, drain = openTerminal(s.t, &stdout, s.typed)
		env.Stdout, env.Stderr = screen, screen
		if s.typed != "" {
			env.Stdin = screen
		}
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	done := make(chan int, 1)
	go func() { done <- cli.Run(ctx, env) }()
	probed := ""
	outcome := func(code string) string {
		if now := s.probes(stdout.String() + stderr.String()); now != "" {
			probed = now // the last, before the command ended
		}
		text := fmt.Sprintf("exit %s\nstdout: %s\nstderr: %s\n%s", code, stdout.String(), stderr.String(),
			strings.TrimPrefix(s.received(), received)) + probed
		for name, content := range s.files() {
			if before[name] != content {
				text += fmt.Sprintf("file %s: %s\n", name, content)
			}
		}
		return text
	}
	serves := slices.ContainsFunc([]string{"inspect", "gateway", "demo", "serve --listen", "tap {url}", "mock --from"},
		func(name string) bool { return strings.HasPrefix(line, name) }) ||
		strings.Contains(line, "--watch") || strings.HasPrefix(line, "auth {origin}")
	var stop <-chan time.Time
	if serves {
		stop = time.After(3 * time.Second)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case code := <-done:
			drain()
			return outcome(fmt.Sprint(code))
		case <-stop:
			cancel()
		case <-tick.C:
			if serves && enough != nil && enough(outcome("")) {
				stop = nil
				cancel()
			}
		}
	}
}

var served = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/(?:#token=(\S+)|mcp)`)

// probes sends requests to a server that a command serves, and returns what it responds: to another name of the host,
// to a page of another origin, and the connections of the inspector.
func (s *scene) probes(output string) string {
	m := served.FindStringSubmatch(output)
	if m == nil {
		return ""
	}
	ask := func(what, path string, with func(*http.Request)) string {
		req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, m[1]+path, nil)
		if err != nil {
			return ""
		}
		with(req)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return ""
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(res.Body, 10000))
		if m[2] == "" {
			text = fmt.Append(nil, res.StatusCode)
		}
		return fmt.Sprintf("probe of the %s: %s\n", what, text)
	}
	if m[2] != "" {
		return ask("links", "/api/links", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+m[2]) })
	}
	return ask("host", "/mcp", func(r *http.Request) { r.Host = "tunnel.example:443" }) +
		ask("origin", "/mcp", func(r *http.Request) { r.Header.Set("Origin", "https://page.example") })
}

// received is what the servers of the scene received so far.
func (s *scene) received() string {
	lines, _ := os.ReadFile(s.record)
	return string(lines) + s.plain.seen() + s.lazy.seen()
}

// files are the small files of the scene with their content.
func (s *scene) files() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && path != s.record && !strings.Contains(path, ".db") {
			text, _ := os.ReadFile(path)
			name, _ := filepath.Rel(s.dir, path)
			all[name] = string(text)
		}
		return nil
	})
	return all
}
