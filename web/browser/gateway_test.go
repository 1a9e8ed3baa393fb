package browser

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// A running gateway is watched: its servers, their states, and its catalog by search.
func TestGateway(t *testing.T) {
	address, token := startGateway(t)
	p := openView(t, "Gateway", "demo")
	p.fill(`[aria-label="Gateway URL"]`, address)
	p.fill(`[aria-label="Gateway token"]`, token)
	p.press("Watch")
	p.says("[aria-label=Servers]", "demo")
	p.until(`[...document.querySelectorAll("[aria-label=Servers] tbody tr")].some((r) => r.textContent.startsWith("demo") && r.textContent.includes("ready"))`)
	p.until(`[...document.querySelectorAll("[aria-label=Servers] tbody tr")].some((r) => r.textContent.startsWith("gone") && r.textContent.includes("down"))`)
	p.fill(`[aria-label="Search the catalog"]`, "adds numbers")
	p.until(`document.querySelector(".catalog-table tbody th")?.textContent === "add"`)
}

// startGateway runs a gateway before a server that answers and one that cannot be started.
func startGateway(t *testing.T) (address, token string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "mcp.json")
	text := `{"mcpServers":{"demo":{"command":` + quote(program) + `,"args":["demo"]},"guide":{"command":` + quote(program) + `,"args":["demo-guide"]},"gone":{"command":"/nonexistent/server"}}}`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "gateway", "--config", config, "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		hung.Stop()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() && (address == "" || token == "") {
		if found := regexp.MustCompile(`http://\S+/mcp`).FindString(lines.Text()); found != "" {
			address = found
		}
		if found := regexp.MustCompile(`Bearer (\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			token = found[1]
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return address, token
}
