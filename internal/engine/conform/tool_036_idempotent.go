package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool036 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-036",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `repeated call of a tool with idempotentHint should change nothing

The same call was made several times, and each time a read-only tool or a resource showed another state, which stays the
same otherwise. Hosts repeat idempotent calls after a timeout, so the change is made twice. Remove idempotentHint, or
change nothing if the state is already the requested one. Only tools that may be called are checked: name them with
--tools or --allow.`,
	},
	Since:   spec.March2025,
	Needs:   "tools",
	Scratch: true,
	Alone:   true, // calls of other checks would change what it observes
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.idempotentTools(ctx)
		if err != nil {
			return err
		}
		readers, err := p.readOnlyTools(ctx)
		all := p.observers(ctx, readers)
		if len(all) == 0 {
			return err
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		ends := time.Now().Add(p.round.opts.Timeout / 2)
		for _, t := range tools {
			if _, err := p.observe(ctx, s, t.observer()); err != nil {
				return err // the first call may change the state
			}
			views, err := p.changing(ctx, s, all, t.observer())
			if err != nil {
				return err
			}
			for _, o := range views {
				after, err := p.changesEachTime(ctx, s, t, o)
				if err != nil || time.Now().After(ends) {
					return err
				}
				if after != nil {
					p.once(Evidence{Subject: t.Name, Exchange: after, Led: true},
						"each repeated call of this tool with idempotentHint changed what %s returns: expected "+
							"no change",
						o.subject)
				}
			}
		}
		return nil
	},
}

// idempotentTools lists the tools that write, say that they are idempotent, may be called and responded at once.
func (p *CheckContext) idempotentTools(ctx context.Context) ([]Tool, error) {
	done, err := p.quick(ctx)
	if err != nil {
		return nil, err
	}
	var some []Tool
	for _, c := range done {
		if string(At(c.Definition, "/annotations/idempotentHint")) == "true" &&
			string(At(c.Definition, "/annotations/readOnlyHint")) != "true" && c.Result() != nil && !c.Failed() &&
			!causedRequest(c) && len(some) < maxObserved {
			some = append(some, c.Tool)
		}
	}
	if len(some) == 0 {
		return nil, p.Skip("no callable tool has idempotentHint and writes")
	}
	return some, nil
}
