package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual014 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-014",
		Severity: finding.Info,
		Doc: `tool list uses too many tokens

All tools of a server are part of the context of every conversation. Above 20,000 tokens models choose worse, and some
hosts begin to drop tools.

Shorten definitions, remove tools, or offer them in groups. Tokens are estimated as in QUAL-013.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		total := 0
		for _, t := range p.Tools {
			total += t.tokens
		}
		if total > 20_000 {
			p.ReportTool(nil, "", nil, "the %d tools take about %d tokens in total (estimated; more than 20000)",
				len(p.Tools), total)
		}
	},
}
