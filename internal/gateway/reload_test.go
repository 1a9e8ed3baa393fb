package gateway

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/frontend"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// told is a log handler that passes the messages on.
type told chan string

func (c told) Enabled(context.Context, slog.Level) bool           { return true }
func (c told) Handle(_ context.Context, record slog.Record) error { c <- record.Message; return nil }
func (c told) WithAttrs([]slog.Attr) slog.Handler                 { return c }
func (c told) WithGroup(string) slog.Handler                      { return c }

// A change of the config that is made while the gateway starts is taken over as any other.
func TestReloadOfAChangeDuringTheStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"mcpServers":{}}`)
	here := config.System{GOOS: "linux", Dir: t.TempDir(), Lookup: func(string) (string, bool) { return "", false }}
	r := &gatewayRun{w: &workbench.Workbench{System: target.System{System: here}, Secrets: redact.New(),
		Grants: workbench.CommandLine},
		in: &Input{Config: file}}
	servers, err := r.config()
	if err != nil {
		t.Fatal(err)
	}
	write(`{"mcpServers":{},"gateway":{"timeout":"30s"}}`)

	tools, invoker, messages := catalog.New(), &invoke.Invoker{}, make(told, 10)
	defer tools.Close()
	g := frontend.New(frontend.Options{Catalog: tools, Invoker: invoker, Callers: access.Unrestricted,
		Expose: frontend.All})
	defer g.Close()
	stop := (&reloader{run: r, gateway: g, tools: tools, invoker: invoker, log: slog.New(messages)}).start(servers)
	defer stop()
	select {
	case got := <-messages:
		if want := "config reloaded"; got != want {
			t.Errorf("the log says %q, want %q", got, want)
		}
	case <-time.After(30 * time.Second):
		t.Error("the change was not noticed")
	}
}
