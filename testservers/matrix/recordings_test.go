package matrix

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// plantedChanges are changes of the FastMCP server: old and new code.
var plantedChanges = []string{
	"    return text\n", "    return text.upper()\n",
	`return "a note"`, `return "another note"`,
	`f"Hello, {name}"`, `f"Hi, {name}"`,
}

// TestRecordings records a FastMCP client and server in both eras and on both transports, and replays the recording:
// the same server has no differences, a changed one exactly those that were made. The part that every change runs has each
// era and each transport once.
func TestRecordings(t *testing.T) {
	all := sdks(t)
	s := all[slices.IndexFunc(all, func(s sdk) bool { return s.name == "fastmcp" })]
	changed := server{s, stdio, ""}
	changed.server = changedServer(t, s.server)
	url := listen(t, func(port int) []string { return slices.Concat(s.server, []string{"--http", strconv.Itoa(port)}) })
	for _, on := range []server{{s, stdio, ""}, {s, http, url}} {
		for _, era := range []string{handshake, stateless} {
			if !full() && (era == handshake) != (on.transport == http) {
				continue
			}
			t.Run(era+"/"+on.transport, func(t *testing.T) {
				t.Parallel()
				testRecording(t, client{s, era}, on, changed)
			})
		}
	}
}

func testRecording(t *testing.T, c client, s, changed server) {
	state := t.TempDir()
	record(t, state, c, s)
	runs := 1
	if full() {
		runs = 10
	}
	for run := range runs {
		if out, status := mcptest(t, state, replayOf(s)...); status != 0 || !strings.Contains(out, "no differences") {
			t.Fatalf("replay %d on the same server: status %d\n%s", run+1, status, out)
		}
	}
	out, status := mcptest(t, state, replayOf(changed)...)
	var found []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "  - ") || strings.HasPrefix(line, "  + ") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	slices.Sort(found)
	want := []string{"+ GRÜN 1", "+ Hi, Ada", "+ another note", "- Hello, Ada", "- a note", "- grün 1"}
	if status != 1 || !slices.Equal(found, want) || !strings.Contains(out, ": 3 differences") {
		t.Errorf("replay on the changed server: status %d, want 1 and %q\n%s", status, want, out)
	}
}

// record runs a client through tap. The cancelled call of the client has no response that could be compared.
func record(t *testing.T, state string, c client, s server) {
	t.Helper()
	j := directJob(s)
	j.Skip = []string{"/cancel"}
	stop := func() {}
	if s.transport == http {
		j.URL, stop = tapHTTP(t, state, s.url)
	} else {
		j.Command = slices.Concat([]string{"env", "XDG_STATE_HOME=" + state, built.mcptest, "tap", "--name", "fastmcp",
			"--"}, s.server)
	}
	for key, r := range runClient(t, c, j) {
		if want := expected[key[1]]; want != "" && r.Got != want {
			t.Errorf("%s through tap: %v, want %s", key[1], r, want)
		}
	}
	stop()
}

// tapHTTP starts a tap in front of a server. stop ends it when everything is recorded.
func tapHTTP(t *testing.T, state, url string, flags ...string) (own string, stop func()) {
	t.Helper()
	return serving(t, state, slices.Concat([]string{"tap", "--name", "fastmcp", "--listen", "127.0.0.1:0"}, flags,
		[]string{url})...)
}

// serving starts an mcptest command that prints its URL and serves it until stop is called.
func serving(t *testing.T, state string, args ...string) (url string, stop func()) {
	t.Helper()
	cmd := exec.Command(built.mcptest, args...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = in
	exited := start(t, cmd)
	in.Close()
	t.Cleanup(func() { out.Close() })
	line, err := bufio.NewReader(out).ReadString('\n')
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "http://") })
	if err != nil || at < 0 {
		t.Fatalf("mcptest %v: it printed no URL: %q, %v", args, line, err)
	}
	return words[at], func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-exited
	}
}

// replayOf returns the arguments of a replay on a server.
func replayOf(s server) []string {
	args := []string{"replay", "fastmcp", "--allow-destructive"}
	if s.transport == http {
		return append(args, s.url)
	}
	return append(append(args, "--"), s.server...)
}

// mcptest runs a command and returns its output and its status.
func mcptest(t *testing.T, state string, args ...string) (out string, status int) {
	t.Helper()
	cmd := exec.Command(built.mcptest, args...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
	both, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(both), cmd.ProcessState.ExitCode()
}

// changedServer returns the command of a FastMCP server with the planted changes.
func changedServer(t *testing.T, command []string) []string {
	t.Helper()
	source := command[len(command)-1]
	code, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(plantedChanges); i += 2 {
		if strings.Count(string(code), plantedChanges[i]) != 1 {
			t.Fatalf("%s has changed: no %q", source, plantedChanges[i])
		}
	}
	file := filepath.Join(t.TempDir(), "changed_server.py")
	if err := os.WriteFile(file, []byte(strings.NewReplacer(plantedChanges...).Replace(string(code))),
		0o600); err != nil {
		t.Fatal(err)
	}
	path := "PYTHONPATH=" + filepath.Dir(source)
	return slices.Concat([]string{"env", path}, command[:len(command)-1], []string{file})
}
