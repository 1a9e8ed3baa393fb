package conform

import (
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// RPC-025 passes on a server with a slow tool that responds meanwhile.
func TestServerThatRespondsDuringASlowCall(t *testing.T) {
	t.Parallel()
	slow := mutant{defect: onCall("count", func(c *exemplar.Call) {
		select {
		case <-time.After(500 * time.Millisecond):
		case <-c.Ctx.Done(): // the check ends the call when it has its response
		}
	})}
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		out, err := judged(t, slow.target(t, "RPC-025", OnPipe), calm(revision, "RPC-025"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
			t.Errorf("%s: %+v, expected it to pass", revision, r)
		}
	}
}
