package conform

import (
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func runMutants() map[string][]mutant {
	return map[string][]mutant{
		"RUN-001": {{name: "declared and empty", with: []string{"PROMPT"}, also: []string{"PROMPT-001", "LIFE-008"},
			defect: answer("prompts/list", func(c *exemplar.Call, r []byte) []byte {
				return edited(edited(r, set("/result/prompts", `[]`)), remove("/result/nextCursor"))
			})}},
		"RUN-002": {{name: "silent", on: OnPipe, also: []string{"RPC-003"}, with: []string{"RPC-003"},
			defect: unknownMethod(func(c *exemplar.Call) []byte { <-c.Ctx.Done(); return nil })}},
	}
}
