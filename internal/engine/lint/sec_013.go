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
		Doc: `A parameter that asks for the conversation.

A required parameter named for the system prompt, the conversation or the model's reasoning makes the model hand over
what the user never meant for this server. It is a heuristic: some tools call a model and have a reason.

Ask for what the tool needs and no more.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			if !place.Property() || !place.Up.Requires(place.Name) {
				continue
			}
			switch strings.Join(nameWords(place.Name), "_") {
			case "conversation_history", "chat_history", "conversation", "full_conversation", "chain_of_thought", "system_prompt", "system_message", "previous_messages", "user_messages", "sidenote":
				p.Report(place.Where(), "required parameter %s asks for the conversation", quoted(place.Name))
			}
		}
	},
}
