package front

import (
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
)

// The quantiles lie in the buckets in which the calls lie, of one server and over all its outcomes.
func TestStatusLatencies(t *testing.T) {
	var m Metrics
	for i := range 100 {
		elapsed := 4 * time.Millisecond
		if i >= 90 {
			elapsed = 400 * time.Millisecond
		}
		outcome := "SUCCESS"
		if i%2 == 0 {
			outcome = "TIMEOUT"
		}
		m.Observe(invoke.Record{Server: "a", Outcome: outcome, Elapsed: elapsed})
		m.Observe(invoke.Record{Server: "b", Outcome: "SUCCESS", Elapsed: time.Hour})
	}
	s := m.status(upstream.Health{Server: "a", State: upstream.Ready}, 3)
	if s.P50 < 2500*time.Microsecond || s.P50 > 5*time.Millisecond {
		t.Errorf("p50 = %v, want 2.5ms to 5ms", s.P50)
	}
	if s.P95 < 250*time.Millisecond || s.P99 > 500*time.Millisecond || s.P99 < s.P95 {
		t.Errorf("p95 = %v, p99 = %v, want 250ms to 500ms in order", s.P95, s.P99)
	}
	if s.Outcomes["SUCCESS"] != 50 || s.Outcomes["TIMEOUT"] != 50 || s.Tools != 3 {
		t.Errorf("outcomes %v, tools %d", s.Outcomes, s.Tools)
	}
	if got := m.status(upstream.Health{Server: "b"}, 0).P50; got != time.Minute {
		t.Errorf("beyond the last bucket p50 = %v, want its lower bound, 1m", got)
	}
	if got := m.status(upstream.Health{Server: "c"}, 0).P50; got != 0 {
		t.Errorf("without calls p50 = %v, want 0", got)
	}
}
