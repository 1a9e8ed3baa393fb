package conform

import (
	"time"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// second is the patience with mutants that stay silent.
const second = time.Second

func runMutants() map[string][]mutant {
	return map[string][]mutant{
		"RUN-001": {{name: "completions of nothing", with: []string{"COMP-001"}, also: []string{"LIFE-009"}, only: []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"},
			defect: plan(func(f *exemplar.Features) { delete(f.Capabilities, "prompts") })}},
		"RUN-002": {{name: "silent", timeout: second, also: []string{"RPC-003", "HTTP-017"}, with: []string{"RPC-003"},
			defect: unknownMethod(func(c *exemplar.Call) []byte { <-c.Ctx.Done(); return nil })}},
	}
}
