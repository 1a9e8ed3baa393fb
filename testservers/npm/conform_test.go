package npm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// TestConformance keeps what the checks find on real servers: the deviations that they are known for, and nothing else.
func TestConformance(t *testing.T) {
	Require(t)
	dir := t.TempDir()
	for name, target := range map[string]func(*testing.T) wire.Target{
		"everything-stdio": func(t *testing.T) wire.Target { return stdio(t, "server-everything") },
		"everything-http": func(t *testing.T) wire.Target {
			return wire.Target{URL: listening(t, "streamableHttp") +
				"/mcp"}
		},
		"filesystem":          func(t *testing.T) wire.Target { return stdio(t, "server-filesystem", dir) },
		"memory":              func(t *testing.T) wire.Target { return stdio(t, "server-memory") },
		"sequential-thinking": func(t *testing.T) wire.Target { return stdio(t, "server-sequential-thinking") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conforms(t, name, target(t), "")
		})
	}
}

// TestConformanceOfTheSDK keeps what is found on the Go SDK's own conformance server, in both eras.
func TestConformanceOfTheSDK(t *testing.T) {
	Require(t)
	program := filepath.Join(t.TempDir(), "everything-server")
	buildEverything(t, program)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			target := wire.Target{Name: "everything-server", Command: []string{program},
				Env: []string{"PATH=" + os.Getenv("PATH"), mark}, Supervisor: []string{self, supervise.Command}}
			conforms(t, "sdk-stdio-"+revision, target, revision)
		})
		t.Run(revision+" over HTTP", func(t *testing.T) {
			t.Parallel()
			conforms(t, "sdk-http-"+revision, wire.Target{URL: serving(t, program, revision == "2026-07-28")}, revision)
		})
	}
}

// serving starts the SDK's server on a free port.
func serving(t *testing.T, program string, stateless bool) string {
	t.Helper()
	return Listen(t, func(port int) *exec.Cmd {
		cmd := exec.Command(program, fmt.Sprintf("-http=127.0.0.1:%d", port), fmt.Sprintf("-stateless=%v", stateless))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), mark}
		return cmd
	})
}

// running bounds how many runs there are at a time: each starts a dozen processes, and none should wait for the
// processor for as long as it waits for an answer.
var running = make(chan struct{}, 4)

// conforms runs every check and compares what was found with a golden.
func conforms(t *testing.T, name string, target wire.Target, protocol string) {
	t.Helper()
	running <- struct{}{}
	defer func() { <-running }()
	// Patience that a busy machine does not exhaust. A tool of server-everything works for ten seconds.
	options := &conform.Options{Protocol: protocol, Timeout: 20 * time.Second, Within: 5 * time.Minute}
	out, err := conform.Run(context.Background(), target, options)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "revisions %s\n", strings.Join(out.Revisions, " "))
	for _, r := range out.Report.Results {
		if r.Broken != "" {
			fmt.Fprintf(&b, "%s broken: %s\n", r.Rule, r.Broken)
		}
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "%s %s %s %s: %s\n", f.Rule, f.Severity, f.Where.Subject, f.Where.Pointer, f.Message)
		}
	}
	got := b.String()
	if target.URL != "" {
		got = strings.ReplaceAll(got, target.URL, "URL")
	}
	compare(t, filepath.Join("testdata", "conform", name+".txt"), got)
}

// compare compares a text with a golden, or writes it.
func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./testservers/npm -run TestConformance -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
