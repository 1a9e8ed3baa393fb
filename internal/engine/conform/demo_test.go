package conform

import (
	"net/http/httptest"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// The built-in demo is clean in each revision, over each transport.
func TestDemoIsClean(t *testing.T) {
	if raced {
		t.Skip("left out: TestClean runs the same checks under the race detector, on a server that takes less")
	}
	clean, _ := demo.Lookup("demo")
	t.Run("in process", func(t *testing.T) {
		t.Parallel()
		wantClean(t, wire.Target{Name: "demo", Serve: clean.Serve})
	})
	t.Run("HTTP", func(t *testing.T) {
		t.Parallel()
		handler, stop := clean.Handler()
		server := httptest.NewServer(handler)
		t.Cleanup(func() {
			stop()
			server.CloseClientConnections()
			server.Close()
		})
		wantClean(t, wire.Target{Name: "demo", URL: server.URL + "/mcp"})
	})
}

func wantClean(t *testing.T, target wire.Target) {
	t.Helper()
	out, err := judged(t, target, calm(All))
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Revisions) != 5 || out.Grade != "A" {
		t.Errorf("grade %s by %q, want A by all five revisions", out.Grade, out.Revisions)
	}
	if got := shown(out.Report.Findings()); got != "" {
		t.Errorf("found:\n%s", got)
	}
	for _, r := range out.Report.Results {
		if r.Broken != "" {
			t.Errorf("%s is broken: %s", r.Rule, r.Broken)
		}
	}
}
