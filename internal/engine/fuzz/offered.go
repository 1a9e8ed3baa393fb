package fuzz

import (
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// learn uses the values that the message of a rejected call offers in the next calls of a tool that only reads.
func (t *fuzzTarget) learn(step Step, s *observation) {
	if !t.readOnly || t.most > 0 || !step.MayBeValid() || step.Cancel || s.Exchange.Reply.Error != nil || !s.parts().failed {
		return
	}
	said := s.errorText()
	if len(said) > maxDisplayed {
		return
	}
	for _, value := range schema.Offered(said) {
		if !s.sent(value) {
			t.gen.Offer([]string{value})
		}
	}
}

// maxLenders is how many results of a tool are searched for values that other tools take.
const maxLenders = 2

// lend uses what a tool that only reads has returned in the next calls of the others. Tools that write get none of it: they could
// change what exists.
func (r *runner) lend(t *fuzzTarget, s *observation) {
	if !t.readOnly || t.lent == maxLenders || len(r.tools) == 1 || !s.fruitful() {
		return
	}
	items := schema.Items(t.name, s.Exchange.Reply.Result)
	if len(items) == 0 {
		return
	}
	t.lent++
	for _, other := range r.tools {
		if other != t && other.readOnly && other.most == 0 {
			other.gen.Lend(items)
		}
	}
}

// fruitful reports whether a call succeeded and returned something.
func (s *observation) fruitful() bool {
	return accepted(s) && words.Fruitful(s.content, s.parts().data)
}
