package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec013 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-013",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `parameter requests the conversation or system prompt

A required parameter named after the system prompt, the conversation or the model's reasoning makes the model disclose
data that the user did not intend for this server. The rule is a heuristic: some tools call a model and have a
legitimate reason.

Request only what the tool needs.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if !place.Property() || !place.Up.Requires(place.Name) {
				continue
			}
			switch strings.Join(nameWords(place.Name), "_") {
			case "conversation_history", "chat_history", "conversation", "full_conversation", "chain_of_thought",
				"system_prompt", "system_message", "previous_messages", "user_messages", "sidenote":
				p.Report(place.Where(), "required parameter %s requests the conversation", quoted(place.Name))
			}
		}
	},
}
