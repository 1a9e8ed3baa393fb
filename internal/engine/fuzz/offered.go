package fuzz

import "github.com/mcptest-dev/mcptest/internal/protocol/schema"

// learn uses the values that the message of a rejected call offers in the next calls of a tool that only reads.
func (t *fuzzTarget) learn(step Step, s *observation) {
	if !t.readOnly || t.most > 0 || !step.MayBeValid() || step.Cancel || s.Exchange.Reply.Error != nil || !s.parts().failed {
		return
	}
	said := errorText(s.Exchange.Reply)
	if len(said) > maxDisplayed {
		return
	}
	for _, value := range schema.Offered(said) {
		if !s.sent(value) {
			t.gen.Offer([]string{value})
		}
	}
}
