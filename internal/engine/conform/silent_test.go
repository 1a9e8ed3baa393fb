package conform

import (
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestSilentTools counts the tools that were called if none responded: then checks of results are skipped, which a verdict
// must not hide.
func TestSilentTools(t *testing.T) {
	t.Parallel()
	for _, silent := range []bool{false, true} {
		server := mutant{defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					if silent && c.Method == "tools/call" {
						<-c.Ctx.Done()
						return nil
					}
					return next(c)
				}
			}
		}}
		options := calm("2025-11-25", "TOOL-013")
		options.Timeout = 2 * time.Second
		out, err := judged(t, server.target(t, "TOOL-013", OnHTTP), options)
		if err != nil {
			t.Fatal(err)
		}
		if (out.Silent > 0) != silent {
			t.Errorf("silent %v: %d silent tools", silent, out.Silent)
		}
	}
}
