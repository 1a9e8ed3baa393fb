// Package runners tests the plugins of test runners: the same scenarios as a YAML suite, in go test, pytest and Vitest.
package runners

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/matrix"
)

// The folder of the repository, and the built programs.
var root, program, server string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if beParent() {
		return 0
	}
	dir, err := os.MkdirTemp("", "mcptest-runners")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if root, err = filepath.Abs("../.."); err != nil {
		panic(err)
	}
	program, server = filepath.Join(dir, "mcptest"), filepath.Join(dir, "server")
	for file, from := range map[string]string{program: "./cmd/mcptest", server: "./testservers/runners/server"} {
		cmd := exec.Command("go", "build", "-o", file, from)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			panic(fmt.Sprintf("go build %s: %v\n%s", from, err, out))
		}
	}
	return m.Run()
}

// need returns the folder of an installed runner, or skips the test.
func need(t *testing.T, name string) string {
	t.Helper()
	dir, err := matrix.Environment(root, name)
	if err != nil && os.Getenv("MCPTEST_REQUIRE_MATRIX") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	return dir
}

// command is one with the built programs in its environment.
func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MCPTEST="+program, "SCENARIO_SERVER="+server, "CI=", "PYTHONDONTWRITEBYTECODE=1",
		"PYTHONPATH="+filepath.Join(root, "plugins", "pytest", "src"))
	return cmd
}
