package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual014 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-014",
		Severity: finding.Info,
		Doc: `A catalog that takes much of the context.

All tools of a server together stand in the context of every conversation. Beyond 20,000 tokens models choose worse, and
some hosts begin to leave tools out.

Shorten definitions, leave tools out, or offer them in groups. Tokens are estimated as in QUAL-013.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		total := 0
		for _, t := range p.Tools {
			total += t.tokens
		}
		if total > 20_000 {
			p.ReportTool(nil, "", nil, "the %d tools take about %d tokens together (estimated; more than 20000)", len(p.Tools), total)
		}
	},
}
