package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/bench/processes"
)

// TestUpstreamRevision measures what a call costs the gateway and a server of the Go SDK behind it, over stdio, by the
// revision that the gateway uses with the server and that of the client.
func TestUpstreamRevision(t *testing.T) {
	onLinux(t)
	if os.Getenv("MCPTEST_BENCH_STRICT") == "" {
		t.Skip("it holds nothing to a bar; MCPTEST_BENCH_STRICT runs it")
	}
	binary := buildMcptest(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, upstream := range []string{"2025-11-25", "2026-07-28"} {
		url, process := startGatewayWith(t, binary, map[string]any{"command": self, "args": []string{echoSDKMode}},
			map[string]any{"servers": map[string]any{"echo": map[string]any{"protocol": upstream}}})
		server := descendant(t, process.Pid, echoSDKMode)
		for revision, call := range map[string]client{"2025-11-25": legacyPoster(t, url, "echo__echo"),
			"2026-07-28": poster(t, url, "echo__echo")} {
			for _, n := range workers {
				best := []time.Duration{time.Hour, time.Hour}
				most := 0
				for range rounds {
					each := costs(t, n, call, process, server)
					best[0], best[1] = min(best[0], each[0]), min(best[1], each[1])
					most = max(most, run(t, n, call, nil))
				}
				t.Logf("server %s, client %s, %2d at a time: gateway %v, server %v a call, %d calls a round", upstream,
					revision, n, best[0], best[1], most)
			}
		}
	}
}

// descendant finds the process below another one that has an argument.
func descendant(t *testing.T, pid int, argument string) *os.Process {
	t.Helper()
	for _, id := range processes.Family(pid) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", id))
		words := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
		if len(words) == 2 && words[1] == argument {
			return &os.Process{Pid: id}
		}
	}
	return nil
}

// legacyPoster is poster in a session of 2025-11-25.
func legacyPoster(t testing.TB, url, tool string) client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	session := ""
	post := func(ctx context.Context, body string) ([]byte, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header = http.Header{"Content-Type": {"application/json"},
			"Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"}}
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if id := resp.Header.Get("Mcp-Session-Id"); session == "" {
			session = id
		}
		return io.ReadAll(resp.Body)
	}
	if _, err := post(t.Context(), `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":`+
		`"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`); err != nil {
		t.Fatal(err)
	}
	if _, err := post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		t.Fatal(err)
	}
	ids := make(chan int, 256)
	for i := range cap(ids) {
		ids <- i + 2
	}
	return func(ctx context.Context) error {
		id := <-ids // one that no call in flight has
		defer func() { ids <- id }()
		answer, err := post(ctx, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,`+
			`"arguments":%s}}`, id, tool, arguments))
		if err != nil || !bytes.Contains(answer, []byte(`"text":"hello"`)) {
			return fmt.Errorf("answer %s (%v)", answer, err)
		}
		return nil
	}
}
