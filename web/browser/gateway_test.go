package browser

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
)

// A running gateway is watched: its servers, their states, and its catalog by search.
func TestGateway(t *testing.T) {
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(closed.Close)
	address, token := startGateway(t, `,"closed":{"url":`+quote(closed.URL)+`}`)
	p := openView(t, "Gateway", "demo")
	p.fill(`[aria-label="Gateway URL"]`, address)
	p.fill(`[aria-label="Gateway token"]`, token)
	p.press("Watch")
	p.says("[aria-label=Servers]", "demo")
	p.until(`[...document.querySelectorAll("[aria-label=Servers] tbody tr")].some((r) => ` +
		`r.textContent.startsWith("demo") && r.textContent.includes("ready"))`)
	p.until(`[...document.querySelectorAll("[aria-label=Servers] tbody tr")].some((r) => ` +
		`r.textContent.startsWith("gone") && r.textContent.includes("down"))`)
	p.until(`[...document.querySelectorAll("[aria-label=Servers] tbody tr")].some((r) => r.textContent.startsWith("closed") && ` +
		`r.querySelector(".badge.bad")?.textContent === "unauthorized" && r.textContent.includes("set oauth of server"))`)
	p.fill(`[aria-label="Search the catalog"]`, "adds numbers")
	p.until(`document.querySelector(".catalog-table tbody th")?.textContent === "add"`)
}

// What a gateway has quarantined is shown with its difference, as text, and released after a question.
func TestGatewayQuarantine(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "mcptest.lock")
	approved := `{"name":"echo","description":"<img src=x onerror=alert(1)> Approved."}`
	text := `{"lockfile":1,"servers":{"demo":{"tools":{"echo":{"hash":` + quote(change.Hash([]byte(approved))) +
		`,"approved":{"at":"2026-11-17T00:00:00Z"},"definition":` + approved + `}}}}}`
	if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address, token := startGatewayWith(t, `{"mcpServers":{"demo":{"command":`+quote(program)+`,"args":["demo"]}},`+
		`"gateway":{"lock":{"file":`+quote(lock)+`}}}`)
	p := openView(t, "Gateway", "demo")
	p.fill(`[aria-label="Gateway URL"]`, address)
	p.fill(`[aria-label="Gateway token"]`, token)
	p.press("Watch")
	p.says(`[data-quarantined="demo/echo"]`, "<img src=x onerror=alert(1)> Approved.")
	p.says(`[data-quarantined="demo/echo"]`, "changed")
	p.click(`[data-quarantined="demo/echo"] button`)
	p.says(`[data-quarantined="demo/echo"]`, "Release exactly this definition to all callers?")
	p.click(`[data-quarantined="demo/echo"] button.primary`)
	p.until(`document.querySelector("[aria-label=Quarantine]") && ` +
		`!document.querySelector('[data-quarantined="demo/echo"]')`)
}

// startGateway runs a gateway before a server that answers and one that cannot be started.
func startGateway(t *testing.T, more ...string) (address, token string) {
	t.Helper()
	return startGatewayWith(t, `{"mcpServers":{"demo":{"command":`+quote(program)+`,"args":["demo"]},"guide":{"command":`+
		quote(program)+`,"args":["demo-guide"]},"gone":{"command":"/nonexistent/server"}`+strings.Join(more, "")+`}}`)
}

// startGatewayWith runs a gateway with a config.
func startGatewayWith(t *testing.T, text string) (address, token string) {
	t.Helper()
	return runGateway(t, text, true)
}

// startGatewayAt runs a gateway whose config lists its callers.
func startGatewayAt(t *testing.T, text string) (address string) {
	t.Helper()
	address, _ = runGateway(t, text, false)
	return address
}

func runGateway(t *testing.T, text string, tokened bool) (address, token string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "mcp.json")
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
	for (address == "" || tokened && token == "") && lines.Scan() {
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
