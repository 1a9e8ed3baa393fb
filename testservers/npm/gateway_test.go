package npm

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The official conformance suite passes through the transparent gateway as it does without, in both eras on one URL.
// The server behind it is the Go SDK's own.
func TestConformanceThroughTheGateway(t *testing.T) {
	in := Require(t)
	dir := t.TempDir()
	gateway, everything := mcptestBinary(t), filepath.Join(dir, "everything-server")
	buildEverything(t, everything)
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"everything": map[string]any{"command": everything}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "mcp.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	url := serveGateway(t, gateway, "gateway", "--config", file, "--transparent", "--listen", "127.0.0.1:0", "--open")
	for revision, scored := range map[string]int{"2025-11-25": 30, "2026-07-28": 37} {
		out, err := exec.CommandContext(t.Context(), in.Node, in.Script("conformance"), "server", "--url", url,
			"--requirements", revision).CombinedOutput()
		if passed := scoredPasses(string(out)); err != nil || passed != scored {
			t.Errorf("%s: %d scored scenarios passed (%v), want %d\n%s", revision, passed, err, scored,
				out[max(0, len(out)-4000):])
		}
	}
}

// scoredPasses counts the scenarios that passed and count.
func scoredPasses(out string) int {
	scored, rest, _ := strings.Cut(out, "Not scored for ")
	passed := strings.Count(scored, "\n✓ ")
	return passed - strings.Count(rest, "\n  ✓ ")
}

// build builds a program of a module.
func build(t *testing.T, module, output, pkg string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", output, pkg)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
}

// buildEverything builds the SDK's server in its own module, whose go.mod names what it needs. It is built where it
// lies: a copy in a folder of its own would be compiled anew each time.
func buildEverything(t *testing.T, output string) {
	t.Helper()
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/modelcontextprotocol/go-sdk").Output()
	if err != nil {
		t.Fatal(err)
	}
	build(t, strings.TrimSpace(string(where)), output, "./conformance/everything-server")
}

// serveGateway starts the gateway and returns its URL.
func serveGateway(t *testing.T, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line[strings.Index(line, "http://"):])
}
