package matrix

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	nethttp "net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func statusOf(address, path string) int {
	resp, err := nethttp.Get("http://" + address + path)
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

// startHAProxy starts HAProxy with the example config, and returns when it accepts connections.
func startHAProxy(t *testing.T, frontend, backend string) {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil { // where only root has it in its PATH
		program, err = exec.LookPath("/usr/sbin/haproxy")
	}
	if err != nil {
		t.Skip("haproxy is not installed")
	}
	raw, err := os.ReadFile(filepath.Join("..", "..", "examples", "gateway", "haproxy.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer("bind :8080", strings.TrimSpace(frontend), "inter 1s", "inter 100ms").Replace(string(raw))
	config = regexp.MustCompile(`(?m)^ +server gateway-.*\n`).ReplaceAllString(config, "") + backend
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	exited := start(t, exec.Command(program, "-db", "-f", file))
	address := strings.Fields(frontend)[1]
	if !accepts(t, address, exited) {
		t.Fatal("HAProxy exited")
	}
}

// runOwnLoad is runLoad with the client of mcptest, which keeps its session after an error.
func runOwnLoad(t *testing.T, c client, j loadJob) (calls []loadedCall) {
	var lock sync.Mutex
	note := func(c loadedCall) {
		lock.Lock()
		defer lock.Unlock()
		calls = append(calls, c)
	}
	end := clock() + j.Seconds
	var workers sync.WaitGroup
	for worker := range j.Workers {
		workers.Go(func() {
			session, err := connectOwn(t, j)
			if err != nil {
				t.Errorf("%s %s: %v", c.name, c.era, err)
				return
			}
			defer session.Close()
			for n := 0; clock() < end; n++ {
				one := loadedCall{Op: j.Tools[n%len(j.Tools)], Key: fmt.Sprintf("%s-%d-%d", j.Name, worker, n), Start: clock()}
				one.Got, err = callOwn(t.Context(), session, one)
				if one.End = clock(); err != nil {
					one.Error = err.Error()
				}
				note(one)
				time.Sleep(time.Duration((one.Start + float64(j.Workers)/j.Rate - clock()) * float64(time.Second)))
			}
		})
	}
	workers.Wait()
	return calls
}

func connectOwn(t *testing.T, j loadJob) (*mcp.Session, error) {
	revision := ""
	if j.Era == handshake {
		revision = "2025-11-25"
	}
	return mcp.Connect(t.Context(), wire.Target{URL: j.URL}, wire.NewTranscript(nil), &mcp.Options{Protocol: revision,
		Timeout: time.Duration(j.Timeout) * time.Second,
		Elicitation: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			var question struct{ Message string }
			if err := json.Unmarshal(params, &question); err != nil {
				return nil, err
			}
			return json.Marshal(map[string]any{"action": "accept",
				"content": map[string]string{"key": strings.TrimPrefix(question.Message, "Which key? ")}})
		}})
}

func callOwn(ctx context.Context, s *mcp.Session, c loadedCall) (string, error) {
	reply, err := s.Call(ctx, "tools/call", map[string]any{"name": c.Op, "arguments": map[string]string{"key": c.Key},
		"_meta": map[string]string{"progressToken": c.Key}})
	if err != nil {
		return "", err
	}
	if reply.Reply.Error != nil {
		return "", reply.Reply.Error
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(reply.Reply.Result, &result); err != nil || len(result.Content) != 1 || result.IsError {
		return "", fmt.Errorf("%s", reply.Reply.Result)
	}
	return result.Content[0].Text, nil
}
