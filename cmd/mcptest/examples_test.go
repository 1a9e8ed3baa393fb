package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// TestExamplesOfCommandsRun runs the examples of every command, as help and docs/reference/cli.md show them, in a
// folder that has the files that they name. None may be wrong; those that show what is found may find it.
func TestExamplesOfCommandsRun(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("left out: there is no sh")
	}
	bin := commandFolder(t)
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			if line := strings.TrimSpace(line); strings.HasPrefix(line, "mcptest") {
				t.Run(line, func(t *testing.T) { t.Parallel(); runExample(t, bin, line) })
			}
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(cli.Commands())
}

// commandFolder holds the program under the name mcptest.
func commandFolder(t *testing.T) string {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(binary, filepath.Join(bin, "mcptest")); err != nil {
		t.Skipf("left out: %v", err)
	}
	return bin
}

// finding are parts of examples that have something to find, or a threshold that a busy machine breaks.
var finding = []string{"demo-flawed", "auth status", "raw --body", "load", "why files", "mcptest skills"}

// desktopConfig is the config of a client with one server.
const desktopConfig = `mkdir -p "${XDG_CONFIG_HOME:-$HOME/.config}/Claude" && ` +
	`echo '{"mcpServers":{"files":{"command":"mcptest","args":["demo"]}}}' > ` +
	`"${XDG_CONFIG_HOME:-$HOME/.config}/Claude/claude_desktop_config.json"`

// before are commands that make what an example needs.
var before = map[string]string{
	"mcptest report run.json": "mcptest run --reporter json=run.json",
	"mcptest report trend":    "mkdir runs; mcptest run --reporter json=runs/1.json; mcptest run --reporter json=runs/2.json",
	"mcptest report merge": "mcptest run --shard 1/2 --reporter json=shard-1.json; mcptest run --shard 2/2 " +
		"--reporter json=shard-2.json",
	"mcptest ready .": `echo '{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",` +
		`"name":"io.github.octocat/weather","description":"Tells the weather","version":"1.2.0"}' > server.json`,
	"mcptest driver":         `echo '{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}}' > requests.jsonl`,
	"mcptest transcript":     "mcptest tools list demo --transcript frames.jsonl",
	"mcptest mock session":   "mcptest tools list demo --transcript session.jsonl",
	"mcptest replay":         "mcptest tools list demo --transcript session.jsonl",
	"mcptest suite from":     "mcptest tools list demo --transcript session.jsonl",
	"mcptest tap install":    desktopConfig,
	"mcptest why":            desktopConfig,
	"mcptest find --all":     desktopConfig,
	"mcptest tap remove":     desktopConfig + " && mcptest tap install claude-desktop files --yes",
	"mcptest tap view":       "mcptest tap -- mcptest demo < /dev/null",
	"mcptest tap export":     "mcptest tap -- mcptest demo < /dev/null",
	"mcptest approve":        "mcptest lock --as demo demo-guide",
	"mcptest catalog show":   "mcptest catalog add tool.json",
	"mcptest catalog update": "mcptest catalog add tool.json",
	"mcptest catalog remove": "mcptest catalog add tool.json",
	"mcptest catalog import": "mcptest catalog add tool.json && mcptest catalog export > all.json",
}

func runExample(t *testing.T, bin, line string) {
	if line == "mcptest gateway login github --config mcp.json" {
		return // it needs an authorization server; testdata/auth/gateway_login.txtar has one
	}
	if line == "mcptest auth https://mcp.example.com/mcp" || strings.HasPrefix(line, "mcptest auth --as ") {
		t.Skip("left out: it needs an authorization server; auth_test.go has one")
	}
	if strings.HasPrefix(line, "mcptest hosts record") {
		t.Skip("left out: it needs installed hosts; testservers/hosts has recorded ones")
	}
	if strings.HasPrefix(line, "mcptest app ") {
		t.Skip("left out: it needs a server with a view; engine/render has views")
	}
	dir := exampleFolder(t)
	for prefix, command := range before {
		if strings.HasPrefix(line, prefix) {
			if out, err := shell(t, bin, dir, command); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
		}
	}
	if serves(line) {
		line = freePort.Replace(line)
	}
	out, err := shell(t, bin, dir, line)
	var exit *exec.ExitError
	wanted := []int{0}
	if slices.ContainsFunc(finding, func(part string) bool { return strings.Contains(line, part) }) {
		wanted = []int{0, 1}
	}
	if strings.HasPrefix(line, "mcptest approve ") {
		wanted = []int{0, 4} // other changes are left
	}
	if serves(line) {
		wanted = []int{0, 130} // the gateway lets calls end and says that all is well
	}
	status := 0
	if errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(wanted, status) || strings.TrimSpace(out) == "" && strings.Contains(line, "--listen") {
		t.Errorf("%s: exit status %d, want %v\n%s", line, status, wanted, out)
	}
}

// serves reports whether a command serves until it is stopped.
func serves(line string) bool {
	return strings.HasPrefix(line, "mcptest inspect") || strings.Contains(line, "--listen ")
}

// freePort keeps tests that run at once out of each other's way, and pages out of browsers.
var freePort = strings.NewReplacer("127.0.0.1:6280", "127.0.0.1:0", "127.0.0.1:6281", "127.0.0.1:0", "127.0.0.1:8080",
	"127.0.0.1:0",
	"mcptest inspect --open", "mcptest inspect --listen 127.0.0.1:0", "mcptest inspect demo",
	"mcptest inspect --listen 127.0.0.1:0 demo")

// shell runs a line with nothing on its standard input. One that serves is interrupted once it has said something.
func shell(t *testing.T, bin, dir, line string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // a guard against one that hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	if serves(line) {
		cmd = exec.CommandContext(ctx, "sh", "-c", "exec "+line)
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "CI=", "HOME="+dir,
		"XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir)
	out := &said{first: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	if serves(line) {
		select {
		case <-out.first:
		case <-ctx.Done():
		}
		_ = cmd.Process.Signal(os.Interrupt)
	}
	err := cmd.Wait()
	return out.text.String(), err
}

// said is what a process wrote, and that it has written anything.
type said struct {
	text  bytes.Buffer
	first chan struct{}
}

// Write is called by one goroutine: both outputs are the same writer.
func (s *said) Write(p []byte) (int, error) {
	if s.text.Len() == 0 {
		close(s.first)
	}
	return s.text.Write(p)
}

// exampleFolder has the files that examples name.
func exampleFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, source := range map[string]string{"mcptest.yaml": "../../examples/suite/mcptest.yaml",
		"tools.json": "../../examples/tool-schema-lint/tools.json"} {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"mcp.json": `{"mcpServers": {"mine": {"command": "mcptest", "args": ["demo"]}}}`,
		"tool.json": `{"name": "brew_tea", "server": "kitchen", "description": "Brews a hot drink from leaves.", ` +
			`"parameters": {"type": "object"}, "run": {"http": {"method": "POST", "url": ` +
			`"https://kitchen.example.com/tea"}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSuitesOfTheReferenceRun runs every suite that docs/reference/suite.md shows.
func TestSuitesOfTheReferenceRun(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/suite.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, m := range block.FindAllStringSubmatch(string(page), -1) {
		if m[1] != "yaml" {
			continue
		}
		count++
		dir := t.TempDir()
		file := filepath.Join(dir, "suite.yaml")
		if err := os.WriteFile(file, []byte(m[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(m[2], "\nlocked:") {
			if out, err := mcptest(t, dir, "lock", "demo"); err != nil {
				t.Fatalf("lock: %v\n%s", err, out)
			}
		}
		if out, err := mcptest(t, dir, "run", file); err != nil {
			t.Errorf("%v\n%s\n%s", err, out, m[2])
		}
	}
	if count < 10 {
		t.Errorf("the reference shows %d suites; want one for each kind of tests", count)
	}
}
