package conform

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task022 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-022",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `tasks/get (extension) must return the task with what its status requires

tasks/get returns the status of a task by its ID, with resultType complete. A completed task has the result of the call,
a failed one its error, and one that waits for input has the input requests.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		runs, err := p.taskRuns(ctx)
		if err != nil {
			return err
		}
		over := false
		for _, r := range runs {
			for _, ex := range r.polls {
				p.polled(r, ex)
			}
			over = over || finished(r.status) || last(r.polls).Reply.Error != nil
		}
		if !over && len(p.findings) == 0 {
			return p.Skip("task did not finish in time")
		}
		return nil
	},
}

// taskStates are the states of a task, with the member that each requires.
var taskStates = map[string]string{"working": "", "cancelled": "", "completed": "result", "failed": "error",
	"input_required": "inputRequests"}

// polled checks one response to tasks/get.
func (p *CheckContext) polled(r *taskRun, ex *mcp.Exchange) {
	result, seen := ex.Reply.Result, Evidence{Subject: r.tool, Exchange: ex}
	status := schema.TextAt(result, "/status")
	required, known := taskStates[status]
	switch {
	case ex.Reply.Error != nil && ex == r.polls[0]: // see TASK-024
	case ex.Reply.Error != nil:
		p.once(seen, "tasks/get failed with error %d: %s, expected the task", ex.Reply.Error.Code,
			errorLine(ex.Reply.Error))
	case string(At(result, "/taskId")) != string(r.id):
		p.once(seen, "taskId is %s, expected %s", show(At(result, "/taskId")), show(r.id))
	case !known:
		p.once(seen, "status is %s, expected one of %s", show(At(result, "/status")),
			strings.Join(slices.Sorted(maps.Keys(taskStates)), ", "))
	case required != "" && At(result, "/"+required) == nil:
		p.once(seen, "task is %s but has no %s", status, required)
	case schema.TextAt(result, "/resultType") != "complete":
		p.once(seen, "resultType of tasks/get is %s, expected \"complete\"", show(At(result, "/resultType")))
	}
}
