package dashboard

import (
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
	"github.com/mcptest-dev/mcptest/internal/leaktest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) { leaktest.Main(m) }

func sample() status.Status {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.Local)
	return status.Status{
		Time: now, Started: now.Add(-90 * time.Minute), Sessions: 2, ToolCount: 64,
		Calls: status.Calls{PerSecond: 12.4, P50: 3.1, P99: 1048, Total: 310, Errors: 1},
		Servers: []status.Server{
			{Name: "files", State: "ready", Since: now.Add(-time.Hour), Tools: 14,
				Calls: status.Calls{PerSecond: 12.4, P50: .608, P99: 12_500, Total: 310, Errors: 1}},
			{Name: "a-server-with-a-name-that-is-too-long\x1b[2J", State: "down",
				Error: "start it: no such file\nor directory", Since: now.Add(-30 * time.Second), Tools: 3, Stale: 3},
			{Name: "日本語のサーバー", State: "degraded", Error: "connected but not responding",
				Since: now.Add(-49 * time.Hour)},
		},
		Recent: []status.Call{
			{Time: now, Caller: "ada", Server: "files", Tool: "read", Outcome: "SUCCESS", Elapsed: 3},
			{Time: now.Add(-time.Second), Caller: "bob", Server: "files", Tool: "write", Outcome: "ToolExecutionError",
				Elapsed: .2},
		},
	}
}

func newModel(width, height int, color bool) model {
	m := model{source: Source{Address: "http://127.0.0.1:6280/mcp", Token: "secret-token"}, color: color,
		shown: sample(), width: width, height: height,
		notices: []string{"11:59:00 cannot reach upstream  server a"}}
	return m
}

// What is on the screen, in several sizes.
func TestScreens(t *testing.T) {
	ending := newModel(80, 20, false)
	ending.shown.Leaving, ending.token = true, true
	for name, m := range map[string]model{"wide": newModel(110, 20, false), "narrow": newModel(44, 20, false),
		"small": newModel(24, 8, false), "ending": ending} {
		got, file := render(&m)+"\n", filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, string(want)); diff != "" {
			t.Errorf("%s (-got +want):\n%s", name, diff)
		}
	}
}

// Whatever the size, the screen is not larger than the terminal, and nothing of a server's reaches it as a command.
func TestFitsTheTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(1, 60).Draw(t, "height"),
			rapid.Bool().Draw(t, "color"))
		m.first = rapid.IntRange(0, 5).Draw(t, "first")
		lines := strings.Split(render(&m), "\n")
		if len(lines) > m.height {
			t.Errorf("%d lines, want at most %d", len(lines), m.height)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got > m.width {
				t.Errorf("a line of %d columns, want at most %d: %q", got, m.width, line)
			}
			if strings.Contains(line, "\x1b[2J") || !m.color && strings.Contains(line, "\x1b") {
				t.Errorf("a command for the terminal in %q", line)
			}
		}
	})
}

// Colours say how a server is doing, where colours are wanted.
func TestColours(t *testing.T) {
	m := newModel(110, 20, true)
	if got := render(&m); !strings.Contains(got, "\x1b[32mready") || !strings.Contains(got, "\x1b[31mdown") ||
		!strings.Contains(got, "\x1b[33mdegraded") {
		t.Errorf("the screen has no colours: %q", got)
	}
}

// Keys end the gateway, show the token and move through the servers.
func TestKeys(t *testing.T) {
	stopped := 0
	m := newModel(110, 20, false)
	m.source.Stop, m.source.Status = func() { stopped++ }, sample
	press := func(key rune) {
		next, cmd := m.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
		if m = next.(model); cmd != nil {
			t.Errorf("%q made a command", key)
		}
	}
	press('t')
	if !strings.Contains(render(&m), "Bearer secret-token") {
		t.Error("t does not show the token")
	}
	press('t')
	if strings.Contains(render(&m), "secret-token") {
		t.Error("the token is shown unasked")
	}
	for range 9 {
		press('j')
	}
	if m.first != 2 {
		t.Errorf("after going down the first server is %d, want the last", m.first)
	}
	press('k')
	if m.first != 1 || strings.Contains(render(&m), "\nfiles ") {
		t.Errorf("the first server is %d, want 1 and no more files", m.first)
	}
	if press('q'); stopped != 1 {
		t.Errorf("q stopped the gateway %d times, want once", stopped)
	}
}

// The view stays until the gateway has ended, and then leaves the terminal as it was.
func TestShowEnds(t *testing.T) {
	keys, typed := io.Pipe()
	defer typed.Close()
	out := &locked{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := make(chan struct{})
	var once sync.Once
	done := make(chan error, 1)
	go func() {
		done <- Show(ctx, keys, out, []string{"TERM=xterm"}, false,
			Source{Status: sample, Notices: func() []string { return nil },
				Stop: func() { once.Do(func() { close(asked) }) }})
	}()
	if _, err := typed.Write([]byte("q")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case err := <-done:
		t.Fatalf("it ended by itself: %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Show: %v", err)
	}
}

// A locked buffer can be written from anywhere.
type locked struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write writes.
func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}
