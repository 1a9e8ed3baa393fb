package hosts

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A hostRun is a run in the JSON of mcptest hosts --run.
type hostRun struct {
	Host, Version, Exit string
	Output              string
	Isolated, Lost      bool
	Bridged             bool
	Missing, Differs    []string
	Tools               []struct{ Name, Namespace string }
	Results             []struct{ Text string }
	Call                struct{ Arguments struct{ Text string } }
	Session             struct {
		Client string
		Calls  int
	}
}

// hostNames are the hosts that are started, by the name of their executable.
var hostNames = map[string]string{"claude": "claude-code", "cline": "cline", "cn": "continue", "codex": "codex",
	"copilot": "copilot-cli", "gemini": "gemini-cli", "kilo": "kilo", "opencode": "opencode", "qwen": "qwen-code"}

// loses has the servers that each host loses, or of which it drops a tool.
var loses = map[string]map[string]string{
	"null-annotation": {"claude": "server", "cn": "server", "gemini": "server", "kilo": "server", "opencode": "server",
		"qwen": "server"},
	"root-oneof": {"claude": "merge"},
	"noise":      {"cline": "server", "gemini": "server"},
	"banner":     {"cline": "server"},
}

var cases = []string{"clean", "null-annotation", "root-oneof", "noise", "banner"}

// checkCase runs a host with a server and checks the report.
func checkCase(t *testing.T, folder, host, server string) {
	t.Helper()
	temp, home := t.TempDir(), t.TempDir()
	report := runHosts(t, temp, home, "--run", host, "--run-from", folder, "--within", runLimit.String(), "--as",
		"probe", "echo", "--", built.probe, server)
	if len(report.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(report.Runs))
	}
	r, lost := report.Runs[0], loses[server][host]
	if r.Host != hostNames[host] || r.Version == "" || r.Session.Client == "" {
		t.Errorf("host %q %q, client %q", r.Host, r.Version, r.Session.Client)
	}
	if r.Lost != (lost == "server") {
		t.Errorf("lost %v, want %q; tools %v", r.Lost, lost, r.Tools)
	}
	if lost == "merge" != slices.Equal(r.Missing, []string{"merge"}) {
		t.Errorf("missing %q, want %q", r.Missing, lost)
	}
	if len(r.Differs) > 0 {
		t.Errorf("differs from the profile: %q", r.Differs)
	}
	if lost == "server" {
		if len(r.Results) > 0 || r.Session.Calls > 0 {
			t.Errorf("results %v and %d calls of a lost server", r.Results, r.Session.Calls)
		}
	} else if len(r.Results) != 1 || !strings.Contains(r.Results[0].Text, "echo: xx") || r.Session.Calls != 1 {
		t.Errorf("results %v, %d calls; want the text of echo", r.Results, r.Session.Calls)
	}
	if want := map[bool]int{true: 1}[lost != ""]; report.status != want {
		t.Errorf("exit status %d, want %d", report.status, want)
	}
	noLeftovers(t, temp)
	if entries, _ := os.ReadDir(home); len(entries) > 0 {
		t.Errorf("%s in the home directory of the user", entries[0].Name())
	}
}

// A hostReport is the output of mcptest hosts --run.
type hostReport struct {
	Runs   []hostRun
	status int
	stderr string
}

// runHosts runs mcptest hosts with a home and a temporary folder.
func runHosts(t *testing.T, temp, home string, args ...string) hostReport {
	t.Helper()
	cmd := exec.Command(built.mcptest, append([]string{"hosts", "--json"}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "none"),
		"XDG_STATE_HOME="+filepath.Join(home, "none"), "API_TOKEN=secret-of-the-user")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	report := hostReport{status: cmd.ProcessState.ExitCode(), stderr: stderr.String()}
	if stdout.Len() > 0 {
		if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
			t.Fatalf("%v\n%s\n%s", err, &stdout, &stderr)
		}
	}
	if t.Failed() || report.status > 1 {
		t.Logf("stdout %s\nstderr %s", &stdout, &stderr)
	}
	return report
}
