package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool039 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-039",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#text-content"),
		Doc: `text should not contain control sequences of a terminal

The text contains escape sequences, such as colors of a terminal. They cost tokens, a model reads them as part of the words,
and a host that prints the text lets the server change what the user sees. Turn colors off, for example with NO_COLOR=1 or
--no-color for a program that the tool runs, or remove the sequences.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			found := terminalSequence().FindString(textsOf(s.message.Result))
			if found == "" || strings.Contains(string(s.frames[0].Body), `\u001b`) {
				continue
			}
			seen := s.proof()
			seen.Subject = nameIn(s.frames[0].Body)
			p.once(seen, "text contains a control sequence of a terminal: expected plain text, got %s", quoted(found))
		}
		return nil
	},
}

// terminalSequence matches the sequences that set colors, move the cursor or change the title of a terminal.
var terminalSequence = lazyregexp.New(`\x1b(?:\[[0-9;?]*[A-Za-z]|\][0-9]+;)`)
