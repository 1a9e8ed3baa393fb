package hosts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// built are the programs that the tests build.
var built struct{ mcptest, probe, players string }

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hosts")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	built.mcptest, built.probe, built.players = filepath.Join(dir, "mcptest"), filepath.Join(dir, "probe"),
		filepath.Join(dir, "players")
	player := filepath.Join(built.players, "codex")
	for output, pkg := range map[string]string{built.mcptest: "../../cmd/mcptest", built.probe: "./probe",
		player: "./player"} {
		if out, err := exec.Command("go", "build", "-o", output, pkg).CombinedOutput(); err != nil {
			fmt.Printf("go build %s: %v\n%s", pkg, err, out)
			return 1
		}
	}
	text, err := os.ReadFile(player)
	for name := range hostNames {
		if err == nil {
			err = os.WriteFile(filepath.Join(built.players, name), text, 0o755)
		}
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return m.Run()
}

// real returns the folder of the pinned hosts. The test is skipped unless all tests are to run.
func real(t *testing.T) string {
	t.Helper()
	if os.Getenv("MCPTEST_FULL") == "" {
		t.Skip("skipped: the hosts from npm are large; MCPTEST_FULL runs them")
	}
	dir, installed, err := Dir()
	if err == nil && !installed {
		err = fmt.Errorf("the hosts are not installed; run: go run ./testservers/hosts/install")
	}
	if err != nil && os.Getenv("MCPTEST_REQUIRE_HOSTS") == "" {
		t.Skip("skipped:", err)
	} else if err != nil {
		t.Fatal(err)
	}
	return dir
}

// noLeftovers fails if a process is running whose variables contain the temporary folder, or if the folder is not empty.
func noLeftovers(t *testing.T, temp string) {
	t.Helper()
	processes, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range processes {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), temp) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			t.Errorf("still running: %q", command)
		}
	}
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("left behind: %s", e.Name())
	}
}
