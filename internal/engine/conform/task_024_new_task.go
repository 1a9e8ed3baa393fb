package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task024 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-024",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `new task (extension) must be complete and available immediately

A result with resultType task has taskId, status, createdAt, lastUpdatedAt and ttlMs (milliseconds, or null). The server
must not return it before tasks/get finds the task: a client does not try again.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		runs, err := p.taskRuns(ctx)
		if err != nil {
			return err
		}
		for _, r := range runs {
			for _, m := range taskMembers {
				if raw := At(r.created.Reply.Result, "/"+m.name); !m.valid(raw) {
					p.Report(Evidence{Subject: r.tool, Exchange: r.created, Pointer: "/" + m.name},
						"%s of the task is %s, expected %s", m.name, show(raw), m.expected)
				}
			}
			if first := r.polls[0]; first.Reply.Error != nil && schema.Kind(r.id) == '"' {
				p.Report(Evidence{Subject: r.tool, Exchange: first, Led: true},
					"tasks/get of a new task failed with error %d: %s, expected the task", first.Reply.Error.Code,
					errorLine(first.Reply.Error))
			}
		}
		return nil
	},
}

// taskMembers are the members of every task.
var taskMembers = []struct {
	name, expected string
	valid          func(json.RawMessage) bool
}{
	{"taskId", "a string", func(raw json.RawMessage) bool { return schema.Kind(raw) == '"' && string(raw) != `""` }},
	{"status", "a status", func(raw json.RawMessage) bool {
		status, _ := textOf(raw)
		_, known := taskStates[status]
		return known
	}},
	{"createdAt", "an ISO 8601 time", isTime},
	{"lastUpdatedAt", "an ISO 8601 time", isTime},
	{"ttlMs", "an integer or null", func(raw json.RawMessage) bool {
		var ms *int64
		return raw != nil && json.Unmarshal(raw, &ms) == nil
	}},
}

var isoTime = lazyregexp.New(`^\d{4}-\d\d-\d\dT\d\d:\d\d`)

func isTime(raw json.RawMessage) bool {
	text, ok := textOf(raw)
	return ok && isoTime().MatchString(text)
}
