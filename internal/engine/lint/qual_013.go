package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual013 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-013",
		Severity: finding.Info,
		Doc: `tool definition uses too many tokens

Every tool definition is part of the context of every conversation. One with more than 2,000 tokens costs as much as
some whole servers.

Shorten descriptions, move long enumerations out, or split the tool. Tokens are estimated without a tokenizer: four
ASCII characters, or one other character, count as one token. White space between JSON tokens is not counted.`,
	},
	Check: func(p *Pass) {
		if p.Tool.tokens > 2000 {
			p.Report("", "the definition takes about %d tokens (estimated; more than 2000)", p.Tool.tokens)
		}
	},
}
