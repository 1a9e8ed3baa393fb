// Package matrix runs clients and servers of the MCP SDKs against each other, directly and through the gateway.
package matrix

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// An environment is one pinned SDK, test runner or editor: a virtual environment for Python, or a folder with node_modules.
type environment struct {
	name string
	pins string // the file that pins every package, relative to this folder
	kind environmentKind
}

type environmentKind int

const (
	pythonEnvironment environmentKind = iota
	nodeEnvironment
)

var environments = []environment{
	{"py1", "python/py1.txt", pythonEnvironment},
	{"py2", "python/py2.txt", pythonEnvironment},
	{"fastmcp", "python/fastmcp.txt", pythonEnvironment},
	{"ts1", "node/ts1/package-lock.json", nodeEnvironment},
	{"ts2", "node/ts2/package-lock.json", nodeEnvironment},
}

// runners are the test runners of testservers/runners.
var runners = []environment{
	{"pytest", "python/pytest.txt", pythonEnvironment},
	{"vitest", "node/vitest/package-lock.json", nodeEnvironment},
}

// fullRunners are those that only .ci/run --full tries.
var fullRunners = []environment{
	{"jest", "node/jest/package-lock.json", nodeEnvironment},
}

// editors are clients that are not SDKs.
var editors = []environment{
	{"vscode", "node/vscode/package-lock.json", nodeEnvironment},
}

// Install installs the SDKs, test runners and editors that are not installed yet in the user's cache folder; with full, also
// those that only .ci/run --full needs.
func Install(log io.Writer, full bool) error {
	all := slices.Concat(environments, runners, editors)
	if full {
		all = append(all, fullRunners...)
	}
	for _, e := range all {
		dir, err := e.dir()
		if err != nil {
			return err
		}
		if e.installed(dir) {
			fmt.Fprintf(log, "%s: installed in %s\n", e.name, dir)
			continue
		}
		if err := e.install(dir, log); err != nil {
			return fmt.Errorf("install %s: %w", e.name, err)
		}
	}
	return nil
}

// missing returns an error that lists the missing dependencies of the tests.
func missing() error {
	var problems []string
	for _, program := range []string{"python3", "node"} {
		if _, err := exec.LookPath(program); err != nil {
			problems = append(problems, program+" is not in PATH")
		}
	}
	for _, e := range slices.Concat(environments, editors) {
		if dir, err := e.dir(); err != nil || !e.installed(dir) {
			problems = append(problems, e.name+" is not installed")
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, ", "))
}

// here is this folder, relative to itself (in tests) or to the root of the repository.
func here() string {
	if _, err := os.Stat("gosdk"); err == nil {
		return "."
	}
	return filepath.Join("testservers", "matrix")
}

// Environment returns the folder of an installed SDK or test runner, for tests outside this package. Root is that of the
// repository.
func Environment(root, name string) (string, error) {
	for _, e := range slices.Concat(environments, runners, fullRunners, editors) {
		if e.name != name {
			continue
		}
		dir, err := e.dirFrom(filepath.Join(root, "testservers", "matrix"))
		if err != nil {
			return "", err
		}
		if !e.installed(dir) {
			return "", fmt.Errorf("%s is not installed; run: go run ./testservers/matrix/install -full", name)
		}
		return dir, nil
	}
	return "", fmt.Errorf("unknown environment %s", name)
}

// dir is where an environment is installed.
func (e environment) dir() (string, error) { return e.dirFrom(here()) }

// dirFrom is the same, with the pins in a folder. Its name contains the pins, so that other pins get another folder.
func (e environment) dirFrom(folder string) (string, error) {
	pins, err := os.ReadFile(filepath.Join(folder, e.pins))
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(pins)
	return filepath.Join(cache, "mcptest-ci", "matrix", e.name+"-"+hex.EncodeToString(sum[:6])), nil
}

const complete = "complete" // the file that an installation ends with

func (e environment) installed(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, complete)); err != nil {
		return false
	}
	if e.kind == pythonEnvironment {
		_, err := os.Stat(python(dir)) // a link to an interpreter that may have been removed
		return err == nil
	}
	return true
}

// python is the interpreter of a virtual environment.
func python(dir string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(dir, "Scripts", "python.exe")
	}
	return filepath.Join(dir, "bin", "python")
}

func (e environment) install(dir string, log io.Writer) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	pins, err := filepath.Abs(filepath.Join(here(), e.pins))
	if err != nil {
		return err
	}
	var commands [][]string
	switch e.kind {
	case pythonEnvironment:
		commands = [][]string{
			{"python3", "-m", "venv", dir},
			{python(dir), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", pins},
		}
	case nodeEnvironment:
		for _, name := range []string{"package.json", "package-lock.json"} {
			if err := copyFile(filepath.Join(filepath.Dir(pins), name), filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		commands = [][]string{{"npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"}}
	}
	for _, command := range commands {
		fmt.Fprintln(log, e.name+":", strings.Join(command, " "))
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", command[0], err)
		}
	}
	return os.WriteFile(filepath.Join(dir, complete), nil, 0o644)
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
