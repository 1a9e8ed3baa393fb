package hosts

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/testservers/oauth"
	"github.com/mcptest-dev/mcptest/testservers/oauth/stops"
)

// TestAuthorization compares where Claude Code and Codex stop with what mcptest auth --as predicts.
func TestAuthorization(t *testing.T) {
	folder := filepath.Join(real(t), "node_modules", ".bin")
	for client, program := range map[string]string{"claude-code": "claude", "codex": "codex"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			server := oauth.Start(t)
			home := homeWithServers(t, server)
			for i, fault := range stops.Servers {
				stops.Check(t, server, fault, client, logIn(t, home, filepath.Join(folder, program), serverName(i)))
			}
		})
	}
}

// serverName is the name of a server in the settings of a host, without words that errors are recognized by.
func serverName(i int) string { return fmt.Sprintf("s%d", i) }

// homeWithServers returns a home folder with all servers in the settings of both hosts.
func homeWithServers(t *testing.T, server *oauth.Server) string {
	t.Helper()
	home := t.TempDir()
	claude, codex := map[string]any{}, ""
	for i, fault := range stops.Servers {
		claude[serverName(i)] = map[string]string{"type": "http", "url": server.URL(fault)}
		codex += fmt.Sprintf("[mcp_servers.%s]\nurl = %q\n", serverName(i), server.URL(fault))
	}
	text, err := json.Marshal(map[string]any{"mcpServers": claude})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".claude.json": string(text), "config.toml": codex} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// page is the URL that a host asks the user to open, with what follows it, so that no part of it is missing.
var page = regexp.MustCompile(`(http://127\.0\.0\.1:[0-9]+/[^\s\x07\x1b]*authorize\?[^\s\x07\x1b]+)[\s\x07\x1b]`)

// logIn starts a sign-in on a terminal, which Claude Code requires, and ends it when the host shows the page to open.
func logIn(t *testing.T, home, program, name string) stops.Result {
	t.Helper()
	ours, theirs := openTerminal(t)
	defer ours.Close()
	cmd := exec.CommandContext(t.Context(), program, "mcp", "login", "--no-browser", name)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "CODEX_HOME=" + home,
		"CLAUDE_CONFIG_DIR=" + home, "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	defer func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}()
	late := time.AfterFunc(time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer late.Stop()
	var screen strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := ours.Read(buffer)
		screen.Write(buffer[:n])
		if found := page.FindStringSubmatch(screen.String()); found != nil {
			return stops.Result{URL: found[1]}
		}
		if err != nil { // the host has ended
			return stops.Result{Error: screen.String()}
		}
	}
}

// openTerminal returns both ends of a pseudoterminal.
func openTerminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}
