package conform

import (
	"time"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// second is the patience with mutants that stay silent.
const second = time.Second

func runMutants() map[string][]mutant {
	return map[string][]mutant{
		"RUN-002": {{name: "silent", timeout: second, also: []string{"RPC-003"}, with: []string{"RPC-003"},
			defect: unknownMethod(func(c *exemplar.Call) []byte { <-c.Ctx.Done(); return nil })}},
	}
}
