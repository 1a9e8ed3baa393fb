package conform

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestHeldSubscriptionEnds runs checks on a server that handles one request at a time: an open subscription does not keep
// it from the other checks.
func TestHeldSubscriptionEnds(t *testing.T) {
	t.Parallel()
	m := mutant{defect: func(s *exemplar.Server) {
		var one sync.Mutex
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				one.Lock()
				defer one.Unlock()
				next.ServeHTTP(w, r)
			})
		}
	}}
	opts := calm("2026-07-28", "SUB-003", "SUB-005", "RPC-018") // RPC-018 runs while the subscription is open
	opts.Timeout = 5 * time.Second
	out, err := judged(t, m.target(t, "", OnHTTP), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		if r.Status() != finding.Passed {
			t.Errorf("%s: %s %s%s", r.Rule, r.Status(), r.Broken+r.Skipped, shown(r.Findings))
		}
	}
}
