package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task026 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-026",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `status of a finished task (extension) must not change

completed, failed and cancelled are final, also if the client cancels the task afterwards: another client may have read
the outcome already.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		runs, err := p.finishedRuns(ctx)
		if err != nil {
			return err
		}
		for _, r := range runs {
			for _, after := range []string{"", "tasks/cancel"} {
				if after != "" {
					if _, err := p.CallIn(ctx, r.session, after, taskParams("tasks/get", r.id)); err != nil {
						return err
					}
				}
				ex, err := p.CallIn(ctx, r.session, "tasks/get", taskParams("tasks/get", r.id))
				if err != nil {
					return err
				}
				// a server may delete a finished task
				if status := schema.TextAt(ex.Reply.Result, "/status"); ex.Reply.Error == nil && status != r.status {
					p.once(Evidence{Subject: r.tool, Exchange: ex, Pointer: "/status", Led: true},
						"status of the task was %s and is %s now%s, expected it to stay", r.status, quoted(status),
						map[string]string{"tasks/cancel": ", after tasks/cancel"}[after])
				}
			}
		}
		return nil
	},
}

// finishedRuns lists the followed tasks that are finished.
func (p *CheckContext) finishedRuns(ctx context.Context) ([]*taskRun, error) {
	runs, err := p.taskRuns(ctx)
	if err != nil {
		return nil, err
	}
	var over []*taskRun
	for _, r := range runs {
		if finished(r.status) {
			over = append(over, r)
		}
	}
	if len(over) == 0 {
		return nil, p.Skip("task did not finish in time")
	}
	return over, nil
}
