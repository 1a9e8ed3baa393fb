package conformanceserver

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// The official suite scores all scenarios of both revisions, on one URL. Through tap all results are the same, also of
// scenarios that are not scored, and also with faults that select no message.
func TestOfficialSuite(t *testing.T) {
	handler, stop := Handler(New())
	direct := listen(t, handler, stop)
	tapped := throughTap(t, direct, "")
	faulty := throughTap(t, direct, "tools/call:#1000000:drop")
	for revision, want := range map[string]int{"2025-11-25": 30, "2026-07-28": 37} {
		out, err := suite(t, direct, revision)
		passed, failed, others := scored(out)
		if err != nil || len(passed) != want || len(failed) > 0 {
			t.Errorf("%s: %d scored scenarios passed (%v), want %d; failed: %q\n%s",
				revision, len(passed), err, want, failed, out[max(0, len(out)-4000):])
		}
		for _, url := range []string{tapped, faulty} {
			if url == faulty && revision != "2025-11-25" {
				continue // one revision is enough
			}
			out, _ = suite(t, url, revision)
			tappedPassed, tappedFailed, tappedOthers := scored(out)
			if !slices.Equal(tappedPassed, passed) || !slices.Equal(tappedFailed, failed) ||
				!slices.Equal(tappedOthers, others) {
				t.Errorf("%s: through tap %q passed and %q failed, not scored: %q; want %q, %q, %q\n%s", revision,
					tappedPassed, tappedFailed, tappedOthers, passed, failed, others, out[max(0, len(out)-4000):])
			}
		}
	}
}

// throughTap starts tap in front of a server, with a fault unless it is empty, and returns its URL.
func throughTap(t *testing.T, server, spec string) string {
	t.Helper()
	var plan *fault.Plan
	if spec != "" {
		rule, err := fault.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		plan = &fault.Plan{Seed: 1, Rules: []*fault.Rule{rule}}
	}
	parsed, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done, dir := make(chan error, 1), t.TempDir()
	go func() {
		done <- tap.HTTP(ctx, tap.Options{Dir: dir, URL: server, Secrets: redact.New(), Faults: plan}, listener, parsed)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		s, err := tap.Find(dir, "")
		if err != nil || s.Frames == 0 || s.Lost != nil {
			t.Errorf("recorded %+v, %v, want all frames", s, err)
		}
	})
	return "http://" + listener.Addr().String() + parsed.Path
}

// The built-in demo has no fixtures; it passes whatever asks for none.
func TestOfficialSuiteOnTheDemo(t *testing.T) {
	built, _ := demo.Lookup("demo")
	handler, stop := built.Handler()
	url := listen(t, handler, stop)
	for revision, want := range map[string]string{
		"2025-11-25": "server-initialize logging-set-level ping tools-list server-sse-multiple-streams " +
			"resources-list prompts-list " +
			"dns-rebinding-protection",
		"2026-07-28": "tools-list server-sse-multiple-streams resources-list sep-2164-resource-not-found prompts-list " +
			"dns-rebinding-protection caching input-required-result-unsupported-methods",
	} {
		out, _ := suite(t, url, revision)
		passed, _, others := scored(out)
		for _, name := range strings.Fields(want) {
			if !slices.Contains(passed, name) {
				t.Errorf("%s: %s did not pass; passed: %q", revision, name, passed)
			}
		}
		other := map[string]string{"2025-11-25": "server-session-lifecycle",
			"2026-07-28": "http-header-validation"}[revision]
		if !slices.Contains(others, other) {
			t.Errorf("%s: %s, which is not scored, did not pass; passed: %q", revision, other, others)
		}
	}
}

func listen(t *testing.T, handler http.Handler, stop func()) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(stop)
	return server.URL + "/mcp"
}

// suite runs all that a revision requires of a server.
func suite(t *testing.T, url, revision string) (string, error) {
	t.Helper()
	in := npm.Require(t)
	out, err := exec.CommandContext(t.Context(), in.Node, in.Script("conformance"), "server", "--url", url,
		"--requirements", revision).CombinedOutput()
	return string(out), err
}

// scored lists the scenarios that count, by how they ended, and those that passed and do not count.
func scored(out string) (passed, failed, others []string) {
	all, rest, _ := strings.Cut(out, "Not scored for ")
	_, all, _ = strings.Cut(all, "=== SUMMARY ===")
	for line := range strings.Lines(all) {
		name, isPassed := strings.CutPrefix(line, "✓ ")
		name, isFailed := strings.CutPrefix(name, "✗ ")
		name, _, _ = strings.Cut(name, ":")
		counts := !strings.Contains(rest, " "+name+" (")
		switch {
		case isPassed && counts:
			passed = append(passed, name)
		case isFailed && counts:
			failed = append(failed, name)
		case isPassed:
			others = append(others, name)
		}
	}
	return passed, failed, others
}
