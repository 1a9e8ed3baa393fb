package conform

import (
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestSlowStart runs what is sent to a process that was only just started on a server whose first answer takes longer
// than a request may take, as that of interpreters on a busy machine does: it is waited for, and nothing is found.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	out, err := judged(t, mutant{defect: warmsUp}.target(t, "LIFE-023", OnPipe),
		&Options{Protocol: "2026-07-28", Rules: []string{"LIFE-023", "RUN-002"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		if s := r.Status(); s != finding.Passed {
			t.Errorf("%s %s: %s%s", r.Rule, s, r.Broken, shown(r.Findings))
		}
	}
}

// warmsUp takes eight seconds for the first answer of a connection, by a clock that costs nothing.
func warmsUp(s *exemplar.Server) {
	var warm sync.Map
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if _, met := warm.LoadOrStore(c.Peer, true); !met {
				time.Sleep(8 * time.Second)
			}
			return next(c)
		}
	}
}
