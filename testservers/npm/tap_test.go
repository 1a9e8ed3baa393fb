package npm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/mock"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/replay"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/tap"
)

// tapCommand is the first argument that makes this binary a tap: the folder of the recording and the command follow.
const tapCommand = "tap"

// asTap runs a command through tap.
func asTap(dir string, command []string) int {
	self, err := os.Executable()
	if err != nil {
		return 70
	}
	exit, err := tap.Stdio(tap.Options{Dir: dir}, wire.Target{Command: command, Env: os.Environ(),
		Supervisor: []string{self, supervise.Command}}, tap.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	return exit.Code
}

// tourRequests are what the recorded client sends: ten tools, resources, prompts, completion, and errors.
var tourRequests = []struct{ method, params string }{
	{"tools/list", `{}`}, {"resources/list", `{}`}, {"resources/templates/list", `{}`}, {"prompts/list", `{}`},
	{"tools/call", `{"name":"echo","arguments":{"message":"hello"}}`},
	{"tools/call", `{"name":"echo","arguments":{"message":"hello again"}}`},
	{"tools/call", `{"name":"get-sum","arguments":{"a":1,"b":2}}`},
	{"tools/call", `{"arguments":{"b":2,"a":40},"name":"get-sum"}`},
	{"tools/call", `{"name":"get-tiny-image"}`},
	{"tools/call", `{"name":"get-annotated-message","arguments":{"messageType":"error","includeImage":true}}`},
	{"tools/call", `{"name":"get-structured-content","arguments":{"location":"Chicago"}}`},
	{"tools/call", `{"name":"get-resource-links","arguments":{"count":3}}`},
	{"tools/call", `{"name":"get-resource-reference","arguments":{"resourceType":"Text","resourceId":1}}`},
	{"tools/call", `{"name":"trigger-long-running-operation","arguments":{"duration":0.3,"steps":3}}`},
	{"tools/call", `{"name":"trigger-elicitation-request","arguments":{}}`},
	{"tools/call", `{"name":"trigger-sampling-request","arguments":{"prompt":"Say something","maxTokens":10}}`},
	{"tools/call", `{"name":"no-such-tool","arguments":{}}`},
	{"tools/call", `{"name":"get-sum","arguments":{"a":"one","b":2}}`},
	{"resources/read", `{"uri":"demo://resource/dynamic/text/1"}`},
	{"resources/read", `{"uri":"demo://resource/dynamic/blob/2"}`},
	{"resources/read", `{"uri":"demo://resource/unknown"}`},
	{"prompts/get", `{"name":"simple-prompt"}`},
	{"prompts/get", `{"name":"args-prompt","arguments":{"city":"Graz"}}`},
	{"prompts/get", `{"name":"no-such-prompt"}`},
	{"completion/complete", `{"ref":{"type":"ref/prompt","name":"completable-prompt"},` +
		`"argument":{"name":"department","value":"E"}}`},
}

// A tour is what a client got: one line for each response, progress notification and request of the server.
type tour struct {
	mu    sync.Mutex
	lines []string
}

func (r *tour) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

// take runs the client against a server.
func takeTour(t *testing.T, target wire.Target, protocol string) []string {
	t.Helper()
	r := &tour{}
	who := &person{}
	elicit := func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		r.add("asked %s", recording.Canonical(params))
		return who.elicit(ctx, params)
	}
	sample := func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		r.add("asked %s", recording.Canonical(params))
		return who.sample(ctx, params)
	}
	s := connect(t, target, nil, &mcp.Options{Protocol: protocol, Roots: who.roots, Elicitation: elicit,
		Sampling: sample, OnNotification: func(mcp.Message) {}})
	if s.Version != protocol {
		t.Fatalf("the session uses %s, want %s", s.Version, protocol)
	}
	for _, q := range tourRequests {
		ex, err := s.Do(deadline(t), mcp.Request{Method: q.method, Params: json.RawMessage(q.params), Alone: true,
			OnProgress: func(p mcp.Progress) { r.add("progress %v of %v", p.Done, p.Total) }})
		if err != nil {
			t.Fatalf("%s %s: %v", q.method, q.params, err)
		}
		between := serve.Boundary{Client: spec.Legacy, Server: s.Era}
		if failure := between.Failure(q.method, ex.Reply.Error); failure != nil {
			r.add("%s: error %d %s %s", q.method, failure.Code, failure.Message, failure.Data)
			continue
		}
		r.add("%s: %s", q.method, between.Result(q.method, ex.Reply.Result))
	}
	return r.lines
}

// recordTour runs the client against server-everything through tap and returns the recording.
func recordTour(t *testing.T) (file string, lines []string) {
	t.Helper()
	target := stdio(t, "server-everything", "stdio")
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	target.Command = append([]string{self, tapCommand, dir}, target.Command...)
	t.Run("record", func(t *testing.T) { lines = takeTour(t, target, spec.NewestLegacy) }) // it ends with the subtest
	sessions, err := tap.List(dir)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("recorded sessions: %v, %v", sessions, err)
	}
	return tap.FramesFile(dir, sessions[0].ID), lines
}

func TestMockRepeatsTheSession(t *testing.T) {
	t.Parallel()
	file, want := recordTour(t)
	recorded, err := recording.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(want, func(line string) bool { return strings.HasPrefix(line, "progress 3") }) ||
		strings.Count(strings.Join(want, "\n"), "asked ") != 2 {
		t.Fatalf("the recorded run has no progress or no requests of the server:\n%s", strings.Join(want, "\n"))
	}
	for _, protocol := range []string{spec.NewestLegacy, spec.NewestModern} {
		for _, transport := range []string{"stdio", "http"} {
			t.Run(protocol+" over "+transport, func(t *testing.T) {
				server := mock.New(mock.Options{Session: recorded, Log: func(line string) { t.Error(line) }})
				t.Cleanup(server.Close)
				endpoint := serve.NewEndpoint(server, nil)
				target := wire.Target{Name: "mock", Serve: endpoint.ServeLines}
				if transport == "http" {
					listener := httptest.NewServer(endpoint)
					t.Cleanup(listener.Close)
					target = wire.Target{URL: listener.URL}
				}
				got := takeTour(t, target, protocol)
				for i := range max(len(got), len(want)) {
					g, w := "nothing", "nothing"
					if i < len(got) {
						g = got[i]
					}
					if i < len(want) {
						w = want[i]
					}
					if g != w {
						t.Fatalf("line %d:\ngot  %.600s\nwant %.600s", i, g, w)
					}
				}
			})
		}
	}
}

// changedCommand is the first argument that makes this binary pass a server's output on with planted changes: the
// command follows.
const changedCommand = "changed"

// planted are changes of a new version of server-everything.
var planted = []string{
	`"Echo: `, `"Echoed: `, // the text of a result
	`"Returns the sum of two numbers"`, `"Adds two numbers"`, // a description
	`"humidity":82}`, `"humidity":"82"}`, // the type of a field in structured content
	`\"humidity\":82}`, `\"humidity\":\"82\"}`, // and in its text
}

// asChanged runs a server with planted changes in its output.
func asChanged(command []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil || plant(os.Stdout, out) != nil {
		return 70
	}
	_ = cmd.Wait()
	return 0
}

// plant copies lines with the planted changes.
func plant(to io.Writer, from io.Reader) error {
	changes := strings.NewReplacer(planted...)
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if _, err := changes.WriteString(to, lines.Text()+"\n"); err != nil {
			return err
		}
	}
	return lines.Err()
}

// replayOn replays a recording on a server and returns the differences as lines.
func replayOn(t *testing.T, recorded *recording.Session, target wire.Target) []string {
	t.Helper()
	options := replay.Client(recorded)
	s, err := mcp.Connect(deadline(t), target, nil, &options)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	found, err := replay.Run(deadline(t), s, recorded, replay.Options{Permit: safety.Permit{All: true}})
	if err != nil {
		t.Fatal(err)
	}
	if found.Sent != len(tourRequests) || len(found.Skipped) > 0 {
		t.Fatalf("%d requests sent, want %d; skipped: %v", found.Sent, len(tourRequests), found.Skipped)
	}
	var lines []string
	for _, d := range found.Differences {
		lines = append(lines, fmt.Sprintf("%s %s %s: %s -> %s", d.Subject, d.Kind, d.Path, d.Old, d.New))
	}
	return lines
}

func TestReplayFindsPlantedChanges(t *testing.T) {
	t.Parallel()
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		file, _ := recordTour(t)
		server := stdio(t, "server-everything", "stdio")
		testReplay(t, file, server, changedServer(t, server))
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		base := listening(t, "streamableHttp")
		testReplay(t, recordTourHTTP(t, base), wire.Target{URL: base + "/mcp"},
			wire.Target{URL: changedHTTP(t, base) + "/mcp"})
	})
}

// changedServer returns a stdio server with the planted changes.
func changedServer(t *testing.T, server wire.Target) wire.Target {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server.Command = slices.Concat([]string{self, changedCommand}, server.Command)
	return server
}

// changedHTTP starts a proxy that plants the changes in the responses of a server, and returns its base URL.
func changedHTTP(t *testing.T, base string) string {
	t.Helper()
	server, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(server)
			body, _ := io.ReadAll(r.In.Body) // read to its end before the response begins
			r.Out.Body = io.NopCloser(bytes.NewReader(body))
		},
		FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			body, out := r.Body, (*io.PipeWriter)(nil)
			r.Header.Del("Content-Length")
			r.ContentLength = -1
			r.Body, out = io.Pipe()
			go func() { _ = out.CloseWithError(plant(out, body)) }()
			return nil
		}})
	t.Cleanup(front.Close)
	return front.URL
}

// recordTourHTTP runs the client against a server on HTTP through tap and returns the recording.
func recordTourHTTP(t *testing.T, base string) string {
	t.Helper()
	server, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- tap.HTTP(ctx, tap.Options{Dir: dir}, listener, server) }()
	t.Run("record", func(t *testing.T) {
		takeTour(t, wire.Target{URL: "http://" + listener.Addr().String() + "/mcp"}, spec.NewestLegacy)
	})
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	sessions, err := tap.List(dir)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("recorded sessions: %v, %v", sessions, err)
	}
	return tap.FramesFile(dir, sessions[0].ID)
}

// testReplay replays a recording ten times on the same version and once on the changed one.
func testReplay(t *testing.T, file string, same, changed wire.Target) {
	t.Helper()
	recorded, err := recording.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for run := range 10 {
		if found := replayOn(t, recorded, same); len(found) > 0 {
			t.Fatalf("run %d on the same version: %s", run+1, strings.Join(found, "\n"))
		}
	}
	got := strings.Join(replayOn(t, recorded, changed), "\n")
	want := strings.Join([]string{
		`tools/list value /tools/get-sum/description: "Returns the sum of two numbers" -> "Adds two numbers"`,
		`tools/call echo value /content/*/text: "Echo: hello" -> "Echoed: hello"`,
		`tools/call get-structured-content type /structuredContent/humidity: 82 -> "82"`}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestSuiteFromRecording makes a suite from the recorded session: it passes on the same server, and fails on each
// planted change.
func TestSuiteFromRecording(t *testing.T) {
	t.Parallel()
	file, _ := recordTour(t)
	binary := filepath.Join(t.TempDir(), "mcptest")
	build(t, filepath.Join("..", ".."), binary, "./cmd/mcptest")
	server := stdio(t, "server-everything", "stdio")
	if failed := runSuiteFrom(t, binary, file, server); len(failed) > 0 {
		t.Fatalf("failed on the same server: %q", failed)
	}
	got := runSuiteFrom(t, binary, file, changedServer(t, server))
	want := []string{`raw/tools/list`, `tools/echo {"message":"hello again"}`, `tools/echo {"message":"hello"}`,
		`tools/get-structured-content {"location":"Chicago"}`}
	if !slices.Equal(got, want) {
		t.Errorf("failed on the changed server: %q, want %q", got, want)
	}
}

// runSuiteFrom makes a suite for a server from a recording, runs it and returns the names of the tests that fail.
func runSuiteFrom(t *testing.T, binary, file string, server wire.Target) []string {
	t.Helper()
	dir := t.TempDir()
	mcptest := func(args ...string) []byte {
		cmd := exec.Command(binary, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), mark)
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
			return out
		} else if err != nil {
			t.Fatalf("mcptest %v: %v\n%s", args, err, out)
		}
		return out
	}
	made := mcptest(slices.Concat([]string{"suite", "from", file, "--"}, server.Command)...)
	if want := fmt.Sprintf("has %d tests", len(tourRequests)); !strings.Contains(string(made), want) {
		t.Errorf("got %q, want %q", made, want)
	}
	var report struct {
		Results []struct {
			Name     string
			Findings []any
			Broken   string
		}
	}
	if out := mcptest("run", "--json"); json.Unmarshal(out, &report) != nil || len(report.Results) == 0 {
		t.Fatalf("no report: %s", out)
	}
	var failed []string
	for _, r := range report.Results {
		if r.Broken != "" {
			t.Errorf("%s: %s", r.Name, r.Broken)
		}
		if len(r.Findings) > 0 {
			failed = append(failed, strings.TrimPrefix(r.Name, "mcptest.yaml/"))
		}
	}
	slices.Sort(failed)
	return failed
}
