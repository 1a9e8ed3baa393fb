package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task027 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-027",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `tasks/update and tasks/cancel (extension) must return an empty result

They only acknowledge the request, with resultType complete. The status of the task is what tasks/get returns: a server
may process the request later.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		runs, err := p.finishedRuns(ctx)
		if err != nil {
			return err
		}
		for _, r := range runs {
			acks := slices.Clone(r.updates)
			for _, method := range []string{"tasks/update", "tasks/cancel"} {
				ex, err := p.CallIn(ctx, r.session, method, taskParams(method, r.id))
				if err != nil {
					return err
				}
				acks = append(acks, ex)
			}
			for _, ex := range acks {
				p.acknowledged(ex)
			}
		}
		return nil
	},
}

// acknowledged expects an empty result. An error is no acknowledgement: a server may reject the request.
func (p *CheckContext) acknowledged(ex *mcp.Exchange) {
	if ex.Reply.Error != nil {
		return
	}
	members, _ := schema.Members(ex.Reply.Result)
	for _, m := range members {
		if m.Name != "resultType" && m.Name != "_meta" {
			p.once(Evidence{Exchange: ex, Pointer: "/" + schema.Token(m.Name), Subject: ex.Request.Method, Led: true},
				"result of %s has %s, expected an empty result", ex.Request.Method, quoted(m.Name))
		}
	}
	if kind := At(ex.Reply.Result, "/resultType"); string(kind) != `"complete"` {
		p.once(Evidence{Exchange: ex, Pointer: "/resultType", Subject: ex.Request.Method, Led: true},
			"resultType of %s is %s, expected \"complete\"", ex.Request.Method, show(kind))
	}
}
