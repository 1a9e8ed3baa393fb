package conform

import (
	"bytes"
	"net/http"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestOpenWorldToolsAreCalledFewTimes expects the limit of tools that reach others to hold for every way in which a
// check sends a tools/call, raw requests included: the calls are counted where the server receives them.
func TestOpenWorldToolsAreCalledFewTimes(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			calls := map[string]int{}
			server := mutant{defect: func(s *exemplar.Server) {
				answer("tools/list", func(_ *exemplar.Call, r []byte) []byte {
					return bytes.ReplaceAll(r, []byte(`"readOnlyHint":true`),
						[]byte(`"readOnlyHint":true,"openWorldHint":true`))
				})(s)
				s.Plan = func(f *exemplar.Features) {
					delete(f.Capabilities, "prompts")
					delete(f.Capabilities,
						"resources")
				}
				incoming(func(_ *http.Request, body []byte) {
					if schema.TextAt(body, "/method") == "tools/call" {
						mu.Lock()
						defer mu.Unlock()
						calls[schema.TextAt(body, "/params/name")]++
					}
				})(s)
			}}
			if _, err := Run(t.Context(), server.target(t, "few", OnHTTP), &Options{Protocol: revision}); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if calls["echo"] == 0 {
				t.Errorf("echo was not called: %v", calls)
			}
			for name, n := range calls {
				if n > safety.OpenWorldCalls && name != "mcptest-no-such-tool" && name != "" {
					t.Errorf("%s was called %d times; expected at most %d", name, n, safety.OpenWorldCalls)
				}
			}
		})
	}
}
