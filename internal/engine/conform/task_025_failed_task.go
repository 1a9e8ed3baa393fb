package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task025 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-025",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `error of a tool must complete its task, not fail it

A task fails only with a JSON-RPC error, in error. If the tool returned a result with isError, the task is completed: a
client passes a result to the model, and an error to the user.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		runs, err := p.taskRuns(ctx)
		if err != nil {
			return err
		}
		for _, r := range runs {
			if r.status != "failed" {
				continue
			}
			ex := last(r.polls)
			result, failure := At(ex.Reply.Result, "/result"), At(ex.Reply.Result, "/error")
			seen := Evidence{Subject: r.tool, Exchange: ex, Led: true}
			switch {
			case result != nil:
				p.Report(seen, "task is failed but has a result (isError is %v), expected it to be completed",
					calls.IsError(result))
			case failure != nil && (At(failure, "/content") != nil || schema.Kind(At(failure, "/code")) != '0' ||
				schema.Kind(At(failure, "/message")) != '"'):
				p.Report(seen, "task is failed with %s, expected a JSON-RPC error with code and message", show(failure))
			}
		}
		return nil
	},
}
