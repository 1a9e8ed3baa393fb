package hosts

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestRecordedHosts runs the recorded requests of the real hosts.
func TestRecordedHosts(t *testing.T) {
	for host := range hostNames {
		for _, server := range cases {
			t.Run(host+" "+server, func(t *testing.T) {
				t.Parallel()
				checkCase(t, built.players, host, server)
			})
		}
	}
}

// TestTimeLimit starts a host that never exits, with a server of which it starts another process.
func TestTimeLimit(t *testing.T) {
	temp, home := t.TempDir(), t.TempDir()
	begun := time.Now()
	report := runHosts(t, temp, home, "--run", "codex", "--run-from", built.players, "--within", "2s", "demo")
	if report.status != 4 || len(report.Runs) != 1 {
		t.Errorf("exit status %d, %d runs; want 4 and 1", report.status, len(report.Runs))
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	noLeftovers(t, temp)
}

// TestIsolation expects a host that mcptest reports as isolated to have no network interface but loopback.
func TestIsolation(t *testing.T) {
	report := runHosts(t, t.TempDir(), t.TempDir(), "--run", "codex", "--run-from", built.players, "--as", "probe", "echo",
		"--", built.probe, "clean")
	if len(report.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(report.Runs))
	}
	run := report.Runs[0]
	if !run.Isolated && runtime.GOOS == "linux" && os.Getuid() == 0 {
		t.Error("not isolated, but root may create namespaces")
	}
	if got := strings.TrimSpace(run.Output); run.Isolated && got != "interface lo" {
		t.Errorf("interfaces of the host: %q, want lo alone", got)
	}
}

// TestArguments passes arguments that the recorded result does not depend on: the server gets them.
func TestArguments(t *testing.T) {
	report := runHosts(t, t.TempDir(), t.TempDir(), "--run", "codex", "--run-from", built.players, "--as", "probe",
		"--args", `{"text":"other"}`, "echo", "--", built.probe, "clean")
	if len(report.Runs) != 1 || report.Runs[0].Call.Arguments.Text != "other" {
		t.Errorf("call %+v, want the text other", report.Runs)
	}
}

// TestFetch installs a host with an npm that installs player.
func TestFetch(t *testing.T) {
	bin := t.TempDir()
	player, err := os.ReadFile(filepath.Join(built.players, "codex"))
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "npm"), player, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	temp, home := t.TempDir(), t.TempDir()
	args := []string{"--run", "qwen", "--as", "probe", "echo", "--", built.probe, "clean"}
	report := runHosts(t, temp, home, args...)
	if want := "use --fetch to download @qwen-code/qwen-code with npm"; report.status != 2 ||
		!strings.Contains(report.stderr, want) {
		t.Errorf("exit status %d, %q; want 2 and %q", report.status, report.stderr, want)
	}
	report = runHosts(t, temp, home, append([]string{"--fetch"}, args...)...)
	if report.status != 0 || len(report.Runs) != 1 || len(report.Runs[0].Results) != 1 {
		t.Errorf("exit status %d, runs %+v: %s", report.status, report.Runs, report.stderr)
	}
	noLeftovers(t, temp)
}

// TestOneProcessAtATime runs a host with a server that fails to start while another process of it exits, which takes a
// while: the process of mcptest itself must have exited before the host starts one, and none may be left.
func TestOneProcessAtATime(t *testing.T) {
	temp, held := t.TempDir(), filepath.Join(t.TempDir(), "held")
	report := runHosts(t, temp, t.TempDir(), "--run", "codex", "--run-from", built.players, "--as", "probe", "echo", "--",
		"sh", "-c", "mkdir "+held+" || exit 1; "+built.probe+" clean; sleep 0.6; rmdir "+held)
	if report.status != 0 || len(report.Runs) != 1 || report.Runs[0].Lost {
		t.Errorf("exit status %d, runs %+v", report.status, report.Runs)
	}
	noLeftovers(t, temp)
}
