package conform

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestSlowStart runs what is sent to a process that was only just started on a server that takes longer to start than a
// request may take, as interpreters on a busy machine do: it is waited for, and nothing is found.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			target := wire.Target{Name: "slow to start", Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
				time.Sleep(8 * time.Second) // of a clock that costs nothing
				return mutant{}.server().Serve(ctx, in, out)
			}}
			out, err := judged(t, target, &Options{Protocol: revision, Rules: []string{"LIFE", "RUN"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range out.Report.Results {
				if s := r.Status(); s == finding.Broken || s == finding.Failed {
					t.Errorf("%s %s: %s%s", r.Rule, s, r.Broken, shown(r.Findings))
				}
			}
		})
	}
}
