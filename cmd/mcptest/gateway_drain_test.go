package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Stopped under load, the gateway answers every call that it has taken, closes subscription streams with their result
// and leaves nobody behind (E8). A client cannot tell a connection that was closed before its call was read from one
// that lost it; the audit log can, since it has a line for each call that was taken.
func TestE8GatewayDrains(t *testing.T) {
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	g := startGateway(t, oneDemo, "--open", "--audit", audit)
	g.ready(t, g.token, "demo__echo")
	var good, refused, lost atomic.Int64
	var stopping atomic.Bool
	good.Add(1) // the call that found it ready
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for ctx.Err() == nil {
				status, body, err := g.call(t.Context(), g.token, "demo__echo", `{"message":"hi"}`)
				switch {
				case err == nil && strings.Contains(body, `"text":"hi"`):
					good.Add(1)
				case err == nil && status == http.StatusServiceUnavailable:
					refused.Add(1)
				case err != nil && strings.Contains(err.Error(), "refused"):
					return // it no longer listens
				case err != nil && stopping.Load():
					refused.Add(1)
				default:
					lost.Add(1)
					t.Logf("lost: %d %s %v", status, body, err)
				}
				time.Sleep(40 * time.Millisecond)
			}
		})
	}
	listening, opened := make(chan string, 1), make(chan struct{})
	go func() { listening <- g.listen(t, opened) }()
	<-opened
	for deadline := time.Now().Add(time.Minute); good.Load() < 100 &&
		time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}
	start := time.Now()
	stopping.Store(true)
	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-g.exited:
		if err != nil {
			t.Errorf("it ended with %v, want success", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	took := time.Since(start)
	stop()
	wg.Wait()
	taken, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	if n := int64(strings.Count(string(taken), `"SUCCESS"`)); n != good.Load() {
		t.Errorf("%d calls were taken and carried out, %d were answered", n, good.Load())
	}
	if lost.Load() > 0 || good.Load() < 100 {
		t.Errorf("%d calls answered, %d refused, %d lost; want none lost", good.Load(), refused.Load(), lost.Load())
	}
	if stream := <-listening; !strings.Contains(stream, "subscriptions/acknowledged") ||
		!strings.Contains(stream, `"result":{`) {
		t.Errorf("the subscription stream was %q, want it to end with a result", stream)
	}
	t.Logf("%d answered, %d refused, ended in %v", good.Load(), refused.Load(), took)
}

// listen opens a subscription stream and returns all that came on it; opened is closed when the first of it is there.
func (g *gateway) listen(t *testing.T, opened chan<- struct{}) string {
	once := sync.OnceFunc(func() { close(opened) })
	defer once()
	body := `{"jsonrpc":"2.0","id":9,"method":"subscriptions/listen",` +
		`"params":{"notifications":{"toolsListChanged":true},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequest(http.MethodPost, g.url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization":        {"Bearer " + g.token},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"subscriptions/listen"}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	first := make([]byte, 1)
	_, _ = io.ReadFull(resp.Body, first)
	once()
	rest, _ := io.ReadAll(resp.Body)
	return string(first) + string(rest)
}

// A second signal ends it at once, whatever is under way (E8).
func TestE8GatewaySecondSignal(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	answered, began := make(chan string, 1), time.Now()
	go func() {
		_, body, err := g.call(t.Context(), g.token, "demo__wait", `{"milliseconds":5000}`)
		answered <- fmt.Sprint(body, err)
	}()
	g.until(t, "the call is under way", func() bool {
		_, body := g.get(t, "/status", g.token)
		return strings.Contains(body, `"in_flight":1`)
	})
	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	g.until(t, "it has heard the first signal", func() bool { // a second one before that would be none
		status, _ := g.get(t, "/readyz", "")
		return status == http.StatusServiceUnavailable
	})
	time.Sleep(600 * time.Millisecond)        // signals within half a second count as one
	late := time.Since(began) > 3*time.Second // the machine is too slow to tell
	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-g.exited:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	if got := <-answered; strings.Contains(got, `"result"`) && !late {
		t.Errorf("it waited for the call: %s", got)
	}
}
