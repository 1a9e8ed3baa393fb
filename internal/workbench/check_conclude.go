package workbench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// conclude says what all areas come to: the worst of them. And it says where to go on.
func (c *checking) conclude() {
	r := c.result
	for _, a := range r.Areas {
		r.Grade = max(r.Grade, a.Grade)
	}
	c.report.Metrics["grade"] = float64(strings.Index("FDCBA", r.Grade))
	c.tellBroken()
	target := c.in.Connection.words()
	if c.in.open != nil {
		return
	}
	worth := func(area string, and func(finding.Finding) bool) bool {
		return slices.ContainsFunc(c.report.Findings(), func(f finding.Finding) bool {
			return r.area[f.Rule] == area && f.Severity.AtLeast(finding.Warning) && and(f)
		})
	}
	any := func(finding.Finding) bool { return true }
	switch {
	case worth("schemas", func(f finding.Finding) bool { return len(f.Fixes) > 0 }):
		r.Next = append(r.Next, "mcptest schema-lint --fix "+target)
	case worth("schemas", any):
		r.Next = append(r.Next, "mcptest schema-lint "+target)
	}
	if worth("robustness", any) {
		r.Next = append(r.Next, "mcptest fuzz --out found "+target)
	}
	if worth("protocol", any) {
		r.Next = append(r.Next, "mcptest conform --verbose "+target)
	}
	if len(r.Next) == 0 {
		r.Next = append(r.Next, "mcptest init "+target, "mcptest inspect "+target)
	}
}

// moreTime says how to let a check go on for longer, on the command line and for an assistant.
const moreTime = "--budget or within_ms gives more time"

// tellBroken says which checks could not be finished: they make the check fail, and no finding tells of them.
func (c *checking) tellBroken() {
	var broken []finding.Result
	for _, r := range c.report.Results {
		if r.Broken != "" {
			broken = append(broken, r)
		}
	}
	if len(broken) == 0 {
		return
	}
	first := broken[0]
	text := fmt.Sprintf("%s that could not be finished, which counts as a failure; the first is %s: %s", plural(len(broken), "check"), cmp.Or(first.Rule, first.Name), first.Broken)
	c.result.NotTested = append(c.result.NotTested, text+" ("+moreTime+")")
}
