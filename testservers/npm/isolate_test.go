package npm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// isolated runs mcptest isolate and expects no findings, and that the rules were tested.
func isolated(t *testing.T, rules string, args ...string) {
	t.Helper()
	cmd := exec.Command(mcptestBinary(t), append([]string{"isolate", "--json", "--severity", "info"}, args...)...)
	cmd.Env = append(os.Environ(), "ALICE="+aliceToken, "BOB="+bobToken)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &stderr)
	}
	var result struct {
		Tested []struct{ Area string } `json:"tested"`
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	tested := ""
	for _, area := range result.Tested {
		tested += area.Area + "\n"
	}
	for _, rule := range strings.Fields(rules) {
		if !strings.Contains(tested, rule) {
			t.Errorf("%s was not tested:\n%s", rule, out)
		}
	}
}

const (
	aliceToken = "token-of-alice-1f5c"
	bobToken   = "token-of-bob-73ab"
)

// Two users of a server that mcptest starts are two processes: they share nothing.
func TestProcessesAreIsolated(t *testing.T) {
	t.Parallel()
	in := Require(t)
	for _, server := range []string{"server-everything", "server-memory"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			isolated(t, "ISO-001 ISO-002 ISO-003 ISO-004 ISO-012",
				"--as", "A=env:MEMORY_FILE_PATH="+filepath.Join(dir, "a.json"),
				"--as", "B=env:MEMORY_FILE_PATH="+filepath.Join(dir, "b.json"), "--", in.Node, in.Script(server))
		})
	}
}

// The gateway keeps its callers apart, whoever shares the processes behind it, in both eras.
func TestGatewayIsolatesCallers(t *testing.T) {
	t.Parallel()
	in := Require(t)
	for _, isolation := range []string{"shared", "per-caller", "per-session", "auto"} {
		for revision, rules := range map[string]string{
			"2025-11-25": "ISO-001 ISO-002 ISO-003 ISO-004 ISO-006 ISO-007 ISO-011 ISO-012 ISO-013 ISO-014",
			"2026-07-28": "ISO-001 ISO-002 ISO-003 ISO-004 ISO-011 ISO-012 ISO-013",
		} {
			t.Run(isolation+" "+revision, func(t *testing.T) {
				t.Parallel()
				url := in.gatewayOf(t, map[string]any{"servers": map[string]any{"*": map[string]any{"isolation": isolation}},
					"callers": []any{
						map[string]any{"name": "alice", "token_sha256": sum(aliceToken)},
						map[string]any{"name": "bob", "token_sha256": sum(bobToken)}}})
				isolated(t, rules, "--protocol", revision, "--as", "A=token:$ALICE", "--as", "B=token:$BOB", url)
			})
		}
	}
}

// gatewayOf starts a gateway with demo, with MCPTEST_FULL also with server-everything, and returns its URL.
func (in Install) gatewayOf(t *testing.T, settings map[string]any) string {
	t.Helper()
	binary := mcptestBinary(t)
	servers := map[string]any{"demo": map[string]any{"command": binary, "args": []string{"demo"}}}
	if os.Getenv("MCPTEST_FULL") != "" {
		servers["everything"] = map[string]any{"command": in.Node, "args": []string{in.Script("server-everything")}}
	}
	config, _ := json.Marshal(map[string]any{"gateway": settings, "mcpServers": servers})
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	url := Listen(t, func(port int) *exec.Cmd {
		return exec.Command(binary, "gateway", "--config", file, "--listen", "127.0.0.1:"+strconv.Itoa(port))
	})
	for end := time.Now().Add(time.Minute); !connected(url, len(servers)); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the gateway has not connected to its servers")
		}
	}
	return url + "/mcp"
}

// connected reports whether a gateway is connected to all its servers, which are in its metrics.
func connected(url string, servers int) bool {
	req, err := http.NewRequest(http.MethodGet, url+"/metrics", nil)
	if err != nil {
		return false
	}
	req.Header.Set("Authorization", "Bearer "+aliceToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return len(up.FindAll(text, -1)) == servers
}

var up = regexp.MustCompile(`mcptest_gateway_server_up\{[^}]*\} 1\b`)

func sum(token string) string {
	hash := sha256.Sum256([]byte(token))
	return hex.EncodeToString(hash[:])
}
