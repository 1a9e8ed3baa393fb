package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/bench/processes"
	"github.com/mcptest-dev/mcptest/internal/cputime"
)

func TestCPUTimeOfACall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the CPU time of other processes is only known on Linux")
	}
	const each = 2 * time.Millisecond
	got, err := cpu(1, false)(os.Getpid())(t.Context(), func(context.Context) error {
		for start := cputime.Used(); cputime.Used()-start < each; {
		}
		return nil
	})
	if least := float64(each.Microseconds()); err != nil || got < least {
		t.Errorf("%v µs for a call (%v), want at least the %v µs that it uses", got, err, least)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	if all := processes.Family(os.Getpid()); !slices.Contains(all, child.Process.Pid) {
		t.Errorf("the family %v lacks the child %d", all, child.Process.Pid)
	}
}

func TestThinProxyVersion(t *testing.T) {
	got, err := os.ReadFile("../mcpgo/go.mod")
	if want := "require github.com/mark3labs/mcp-go " + mcpGo + "\n"; err != nil || !strings.Contains(string(got), want) {
		t.Errorf("bench/mcpgo/go.mod lacks %q (%v)", want, err)
	}
}

// TestThinProxy makes calls through both proxies with both servers. MCPTEST_FULL runs it: mcp-go is downloaded.
func TestThinProxy(t *testing.T) {
	if os.Getenv("MCPTEST_FULL") == "" {
		t.Skip("downloads mcp-go and builds two programs; MCPTEST_FULL runs it")
	}
	l, err := newLab(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for _, c := range slices.Concat(thinContests("minimal", echoMode, "auto")[:1],
		thinContests("SDK", echoSDKMode, revision)[:1]) {
		p, err := c.prepare(t.Context(), l)
		if err != nil {
			t.Fatalf("%s: %v", c.title, err)
		}
		got := c.measure(t.Context(), p, 1)
		p.stop()
		if t.Log(got); got.skipped != "" || got.our <= 0 || got.their <= 0 {
			t.Errorf("%s: %+v", c.title, got)
		}
	}
}
