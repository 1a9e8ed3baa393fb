package matrix

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// A scenario is what a client does while tap injects one fault, and what the report must say about it.
type scenario struct {
	Name    string   `json:"name"`
	URL     string   `json:"url,omitempty"`
	Command []string `json:"command,omitempty"`
	Steps   []string `json:"steps"`

	transport string
	fault     string
	results   string            // of the steps: + for a result, - for an error, ? for either, . for none
	want      string            // the beginning of what the report says
	of        map[string]string // the same, of SDKs that differ
	state     string            // where tap records it
}

// scenarios are the same for all SDKs. "call a 5000" calls a tool with a time limit of 5 s.
var scenarios = []scenario{
	{Name: "error, called again", transport: stdio, fault: "tools/call:#1:error", Steps: []string{"call a", "call a", "close"},
		results: "-++", want: "retried"},
	{Name: "error, another call", transport: stdio, fault: "tools/call:#1:error", Steps: []string{"call a", "call b", "close"},
		results: "-++", want: "continued"},
	{Name: "drop, called again", transport: stdio, fault: "tools/call:#1:drop",
		Steps: []string{"call a 5000", "call a", "close"}, results: "-++", want: "retried"},
	{Name: "drop, another call", transport: stdio, fault: "tools/call:#1:drop",
		Steps: []string{"call a 5000", "call b", "close"}, results: "-++", want: "continued"},
	{Name: "drop of the request, given up", transport: stdio, fault: "tools/call:from=client:#1:drop",
		Steps: []string{"call a 5000", "close"}, results: "-+", want: "aborted"},
	{Name: "wrong ID, given up", transport: stdio, fault: "tools/call:#1:wrong-id", Steps: []string{"call a 5000", "close"},
		results: "-+", want: "aborted"},
	{Name: "duplicate, the same call", transport: stdio, fault: "tools/call:#1:duplicate",
		Steps: []string{"call a", "call a", "close"}, results: "+++", want: "continued"},
	{Name: "delay, the same call", transport: stdio, fault: "tools/call:#1:delay=100ms",
		Steps: []string{"call a", "call a", "close"}, results: "+++", want: "continued"},
	{Name: "garbage, another call", transport: stdio, fault: "tools/call:#1:garbage",
		Steps: []string{"call a", "call b", "close"}, results: "+++", want: "continued"},
	{Name: "exit, started again", transport: stdio, fault: "tools/call:#1:exit",
		Steps: []string{"call a", "close", "connect", "call b", "close"}, results: "-??-?", want: "reconnected"},
	{Name: "close, given up", transport: stdio, fault: "tools/call:#1:close", Steps: []string{"call a 5000", "close"},
		results: "-?", want: "aborted"},
	{Name: "drop, no time limit", transport: stdio, fault: "tools/call:#1:drop", Steps: []string{"call a", "close"},
		results: "..", want: "hung"},

	{Name: "503, called again", transport: http, fault: "tools/call:#1:http=503", Steps: []string{"call a", "call a", "close"},
		results: "-+?", want: "retried"},
	{Name: "503, another call", transport: http, fault: "tools/call:#1:http=503", Steps: []string{"call a", "call b", "close"},
		results: "-+?", want: "continued",
		of: map[string]string{"py1": "reconnected"}}, // it ends the session
	{Name: "closed connection, called again", transport: http, fault: "tools/call:#1:close",
		Steps: []string{"call a 5000", "call a", "close"}, results: "-+?", want: "retried"},
	{Name: "hang, given up", transport: http, fault: "tools/call:#1:hang", Steps: []string{"call a 5000", "close"},
		results: "-?", want: "aborted"},
	{Name: "expired session, new one", transport: http, fault: "tools/call:#1:expired-session",
		Steps: []string{"call a", "close", "connect", "call b", "close"}, results: "-??+?", want: "reconnected"},
}

// hangs reports whether the client waits until it is killed.
func (s *scenario) hangs() bool { return s.want == "hung" }

// silence is longer than a client must do nothing to hang.
const silence = 10200 * time.Millisecond

// TestResilience runs clients of the SDKs through tap with faults, and checks what the report says that they did. All
// scenarios of an SDK run in one process, which is killed at the end: one call never ends.
func TestResilience(t *testing.T) {
	url, _ := serving(t, t.TempDir(), "demo", "--listen", "127.0.0.1:0")
	resumable := everything(t)
	for _, s := range sdks(t) {
		switch s.name {
		case "ts1", "py1":
		case "ts2", "py2":
			if !full() {
				continue
			}
		default:
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			testResilience(t, s, url, resumable)
		})
	}
}

// resumed is a scenario of a server whose streams can be resumed. The SDKs do that without the program.
var resumed = scenario{Name: "cut stream, resumed", transport: http, fault: "tools/call:#1:cut-sse",
	Steps: []string{"call a", "call b", "close"}, results: "++?", want: "reconnected"}

// everything starts server-everything over HTTP and returns its URL; empty if it is not installed.
func everything(t *testing.T) string {
	t.Helper()
	in, found := npm.Find()
	if !found {
		if os.Getenv("MCPTEST_REQUIRE_NPM") != "" {
			t.Fatal("requires `npm ci` in testservers/npm")
		}
		return ""
	}
	return listen(t, func(port int) []string {
		return []string{"env", fmt.Sprintf("PORT=%d", port), in.Node, in.Script("server-everything"), "streamableHttp"}
	})
}

func testResilience(t *testing.T, s sdk, url, resumable string) {
	all := slices.Clone(scenarios)
	if resumable != "" && s.name != "ts2" && s.name != "py2" {
		all = append(all, resumed)
	}
	var stops []func()
	for i := range all {
		c := &all[i]
		c.state = t.TempDir()
		if c.transport == http {
			var stop func()
			server := url
			if c.Name == resumed.Name {
				server = resumable
			}
			c.URL, stop = tapHTTP(t, c.state, server, "--fault", c.fault)
			stops = append(stops, stop)
		} else {
			c.Command = []string{"env", "XDG_STATE_HOME=" + c.state, built.mcptest, "tap", "--name", "demo", "--fault", c.fault,
				"--", built.mcptest, "demo"}
		}
	}
	results := runScenarios(t, s, all)
	for _, stop := range stops {
		stop()
	}
	for _, c := range all {
		if got := outcomes(results[c.Name], len(c.Steps)); !matches(got, c.results) {
			t.Errorf("%s: the steps %q have the results %s, want %s: %v", c.Name, c.Steps, got, c.results, results[c.Name])
		}
		want := cmp.Or(c.of[s.name], c.want)
		if got := verdict(t, c.state); !strings.HasPrefix(got, want) {
			t.Errorf("%s: the report says %q, want %s", c.Name, got, want)
		}
	}
}

// runScenarios runs the client program and returns the results of each scenario. It kills the program when all others
// have ended and the call without an end is silent for long enough.
func runScenarios(t *testing.T, s sdk, all []scenario) map[string][]result {
	t.Helper()
	text, err := json.Marshal(map[string]any{"scenarios": all})
	if err != nil {
		t.Fatal(err)
	}
	program := slices.Clone(s.client)
	last := len(program) - 1
	program[last] = strings.Replace(program[last], "_client.", "_resilience.", 1)
	cmd := exec.Command(program[0], append(program[1:], string(text))...)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = in
	exited := start(t, cmd)
	in.Close()
	timer := time.AfterFunc(time.Minute, func() { endGroup(cmd, exited) })
	defer timer.Stop()
	want := 0
	for _, c := range all {
		if !c.hangs() {
			want += len(c.Steps)
		}
	}
	results := map[string][]result{}
	for lines := bufio.NewScanner(out); want > 0 && lines.Scan(); want-- {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("output of the client: %v: %s", err, lines.Text())
		}
		results[r.Server] = append(results[r.Server], r)
	}
	for _, c := range all {
		if c.hangs() {
			time.Sleep(time.Until(injected(t, c.state).Add(silence)))
		}
	}
	_ = cmd.Process.Kill()
	<-exited
	return results
}

// injected waits for the fault of a session, and returns when it was injected.
func injected(t *testing.T, state string) time.Time {
	t.Helper()
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if _, at := faulty(state); !at.IsZero() {
			return at
		}
	}
	t.Fatal("no fault was injected")
	return time.Time{}
}

// faulty returns the ID of the first session in a state folder with a fault, and when it was injected. Some clients
// start a server twice.
func faulty(state string) (id string, at time.Time) {
	files, _ := filepath.Glob(filepath.Join(state, "mcptest", "tap", "*.json"))
	for _, file := range files {
		var session struct {
			Faults struct{ Injected []struct{ Time time.Time } }
		}
		text, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(text, &session) != nil || len(session.Faults.Injected) == 0 {
			continue
		}
		if first := session.Faults.Injected[0].Time; at.IsZero() || first.Before(at) {
			id, at = strings.TrimSuffix(filepath.Base(file), ".json"), first
		}
	}
	return id, at
}

// outcomes returns one character per step.
func outcomes(results []result, steps int) string {
	out := ""
	for _, r := range results {
		if r.Error != "" {
			out += "-"
		} else {
			out += "+"
		}
	}
	return out + strings.Repeat(".", max(0, steps-len(results)))
}

func matches(got, want string) bool {
	for i := range want {
		if i >= len(got) || want[i] != '?' && want[i] != got[i] {
			return false
		}
	}
	return len(got) == len(want)
}

// verdict returns what the report of a session says about its only fault.
func verdict(t *testing.T, state string) string {
	t.Helper()
	id, _ := faulty(state)
	if id == "" {
		return "no fault was injected"
	}
	out, status := mcptest(t, state, "tap", "view", id)
	_, report, found := strings.Cut(out, "\nfaults: 1 injected (seed 1)\n")
	_, what, _ := strings.Cut(report, "): ")
	if status != 0 || !found {
		return out
	}
	return strings.TrimSpace(what)
}
