package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual013 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-013",
		Severity: finding.Info,
		Doc: `A tool that takes much of the context.

The definition of every tool stands in the context of every conversation. One of more than 2,000 tokens costs as much as
some whole servers.

Shorten descriptions, move long enumerations out, or split the tool. Tokens are estimated, with no model's tokenizer:
four ASCII characters, or one other, count as one, and space between JSON tokens is not counted.`,
	},
	Check: func(p *Pass) {
		if p.Tool.tokens > 2000 {
			p.Report("", "the definition takes about %d tokens (estimated; more than 2000)", p.Tool.tokens)
		}
	},
}
