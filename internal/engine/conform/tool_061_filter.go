package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool061 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-061",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `filter of a tool should select the items that match

A tool returns a list, and an optional argument has the same name as a property of its items, such as status, or is a lower or upper
limit of a number in them, such as min_price. The tool was called without it and then with a value that some of those items have. The
result has only items that do not match, all items whatever the value is, fewer matching items than without the filter, or fewer than
its own total although there is no further page. A model reports tasks as open that are closed, or that there are none. Typical causes: the argument is not passed on, compared with another
property or in another case, or applied after the list was cut to its limit. Both calls were repeated with the same result.`,
	},
	Needs: "tools",
	Alone: true, // calls of other checks could change the list
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried, ends := 0, time.Now().Add(p.round.opts.Timeout)
		for _, c := range done {
			if tried == maxReads || len(optionalProperties(c.Definition)) == 0 || causedRequest(c) || !safety.Reads(c.Definition) {
				continue
			}
			t := withoutOptionals(c.Tool)
			all, _, err := p.page(ctx, t, t.Arguments)
			if err != nil {
				return err
			}
			filters := filtersOf(t, all)
			if len(filters) == 0 {
				continue
			}
			tried++
			for _, f := range filters[:min(len(filters), maxFilters)] {
				if time.Now().After(ends) {
					return nil // a slow server
				}
				found, err := p.tryFilter(ctx, t, f)
				if err != nil {
					return err
				}
				if found {
					break
				}
			}
		}
		if tried == 0 {
			return p.Skip("no called read-only tool returns items with a property that is also an optional argument")
		}
		return nil
	},
}
