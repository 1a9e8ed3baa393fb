package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// standIn is the variable that makes this test program the program that the launcher starts.
const standIn = "MCPTEST_PACKAGES_STAND_IN"

// beStandIn does what the tests of the launcher need, and returns an exit status.
func beStandIn(mode string) int {
	switch mode {
	case "arguments":
		_ = json.NewEncoder(os.Stdout).Encode(os.Args[1:])
	case "copy":
		_, _ = io.Copy(os.Stdout, os.Stdin)
		fmt.Fprintln(os.Stderr, "copied")
	case "exit":
		status, _ := strconv.Atoi(os.Args[1])
		return status
	case "killed":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	case "signals":
		got := make(chan os.Signal, 10)
		signal.Notify(got, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		fmt.Println("ready", os.Getpid())
		for {
			s := <-got
			fmt.Println(s)
			if s == syscall.SIGTERM {
				return 5
			}
		}
	}
	return 0
}

// layout installs the launcher with this test program as the binary of a platform, in a folder with a space in its
// name.
func layout(t *testing.T, p platform) (script string) {
	t.Helper()
	needInstall(t, "node")
	modules := filepath.Join(t.TempDir(), "my project", "node_modules")
	r := release{name: "@some-team/mcp-test", version: "1.2.3"}
	a, err := r.npmLauncher()
	if err != nil {
		t.Fatal(err)
	}
	unpack(t, a, filepath.Join(modules, r.name))
	if a, err = r.npmPlatform(p, nil); err != nil {
		t.Fatal(err)
	}
	unpack(t, a, filepath.Join(modules, r.npmName(p)))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(modules, r.npmName(p), "bin", p.executable())
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, binary); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(modules, r.name, "bin", "mcptest.js")
}

func unpack(t *testing.T, a archive, dir string) {
	t.Helper()
	for name, f := range tarFiles(t, a) {
		path := filepath.Join(dir, strings.TrimPrefix(name, "package/"))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.text), f.mode); err != nil {
			t.Fatal(err)
		}
	}
}

func launch(mode, script string, args ...string) *exec.Cmd {
	cmd := exec.Command("node", append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), standIn+"="+mode)
	return cmd
}

func TestLauncherPassesArguments(t *testing.T) {
	script := layout(t, here(t))
	args := []string{"run", "two words", `"quoted"`, "it's", `back\slash\`, "", "*", "$HOME", "-v", "--", "--x=ä\n☃"}
	out, err := launch("arguments", script, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil || !slices.Equal(got, args) {
		t.Errorf("arguments: expected %q, got %q, %v", args, got, err)
	}
}

func TestLauncherPassesInputAndOutput(t *testing.T) {
	script := layout(t, here(t))
	cmd := launch("copy", script)
	text := strings.Repeat("line\x00\xff\n", 200_000)
	var out, problems strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if out.String() != text || problems.String() != "copied\n" {
		t.Errorf("expected %d bytes on stdout, got %d; stderr %q", len(text), out.Len(), problems.String())
	}
}

func TestLauncherPassesExitStatus(t *testing.T) {
	script := layout(t, here(t))
	for _, want := range []int{0, 1, 3, 70, 130, 255} {
		cmd := launch("exit", script, strconv.Itoa(want))
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("exit status: expected %d, got %d", want, got)
		}
	}
	cmd := launch("killed", script)
	_ = cmd.Run()
	if got := cmd.ProcessState.String(); got != "signal: killed" {
		t.Errorf("after a kill: expected the same signal, got %s", got)
	}
}

// A signal for the launcher alone reaches the binary, and the launcher stays until the binary has ended.
func TestLauncherPassesSignals(t *testing.T) {
	script := layout(t, here(t))
	cmd := launch("signals", script)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(pipe)
	lines.Scan()
	pid, err := strconv.Atoi(strings.TrimPrefix(lines.Text(), "ready "))
	if err != nil {
		_ = cmd.Process.Kill()
		t.Fatal(err)
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	killBoth := func() { _, _ = cmd.Process.Kill(), child.Kill() }
	t.Cleanup(killBoth)
	stuck := time.AfterFunc(30*time.Second, killBoth)
	defer stuck.Stop()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM} {
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || lines.Text() != s.String() {
			t.Fatalf("signal: expected %s, got %q", s, lines.Text())
		}
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 5 {
		t.Errorf("exit status: expected 5, got %s", cmd.ProcessState)
	}
}

// pretend makes Node believe that it runs on another platform.
func pretend(t *testing.T, os_, cpu string) (option string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "platform.js")
	text := fmt.Sprintf("Object.defineProperty(process, 'platform', {value: %q})\nObject.defineProperty(process, "+
		"'arch', {value: %q})\n", os_, cpu)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "--require=" + file
}

func TestLauncherOnOtherPlatforms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the stand-in is a symbolic link")
	}
	script := layout(t, windows(t))
	for _, c := range []struct {
		os, cpu string
		status  int
		said    []string
	}{
		{"win32", "x64", 7, nil}, // mcptest.exe is found
		{"win32", "arm64", 127, []string{"mcptest: package @some-team/mcp-test-win32-arm64 is not installed: ",
			"npm install @some-team/mcp-test-win32-arm64@1.2.3\n"}},
		{"freebsd", "x64", 127, []string{"mcptest: no binary for freebsd-x64: expected one of darwin-arm64, " +
			"darwin-x64, linux-arm64,"}},
	} {
		cmd := launch("exit", script, "7")
		cmd.Env = append(cmd.Env, "NODE_OPTIONS="+pretend(t, c.os, c.cpu))
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != c.status {
			t.Errorf("%s %s: expected exit status %d, got %d\n%s", c.os, c.cpu, c.status, got, out)
		}
		for _, want := range c.said {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s %s: expected %q, got\n%s", c.os, c.cpu, want, out)
			}
		}
	}
}

// A binary that was damaged is an error that names it, not a stack trace.
func TestLauncherWithoutAnExecutable(t *testing.T) {
	script := layout(t, here(t))
	binary, err := filepath.Glob(filepath.Join(filepath.Dir(script), "..", "..", "mcp-test-*", "bin", "mcptest"))
	if err != nil || len(binary) != 1 {
		t.Fatal(binary, err)
	}
	for mode, want := range map[os.FileMode]int{0o644: 126, 0: 127} {
		_ = os.Remove(binary[0])
		if mode != 0 {
			if err := os.WriteFile(binary[0], nil, mode); err != nil {
				t.Fatal(err)
			}
		}
		cmd := launch("exit", script, "0")
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want || !strings.HasPrefix(string(out), "mcptest: cannot run ") {
			t.Errorf("expected exit status %d and a message, got %d\n%s", want, got, out)
		}
	}
}
