package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task028 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-028",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `keys of input requests must be unique in a task

A client asks its user once per key. If a task uses a key for a second request, the user never sees that request, or the
response to the first is taken for one to the second. The check needs a callable tool whose task requests input.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		runs, err := p.taskRuns(ctx)
		if err != nil {
			return err
		}
		asked := false
		for _, r := range runs {
			asked = p.uniqueKeys(r) || asked
		}
		if !asked {
			return p.Skip("no task requested input")
		}
		return nil
	},
}

// uniqueKeys checks the input requests of a task, and reports whether there are any. A request may be in several polls,
// until the server has processed the response.
func (p *CheckContext) uniqueKeys(r *taskRun) bool {
	type request struct {
		content json.RawMessage
		gone    bool // it was missing in a later poll
	}
	seen := map[string]*request{}
	for _, ex := range r.polls {
		current := map[string]bool{}
		for _, q := range questionsOf(CallResult{Tool{Name: r.tool}, ex}) {
			content := At(ex.Reply.Result, q.Pointer)
			current[q.Key] = true
			old := seen[q.Key]
			switch where := (Evidence{Subject: r.tool, Exchange: ex, Pointer: q.Pointer, Led: true}); {
			case old == nil:
				seen[q.Key] = &request{content: content}
			case !sameEntry(old.content, content):
				p.once(where, "key %s was used for another input request of the task", quoted(q.Key))
			case old.gone:
				p.once(where, "key %s was used before in the task", quoted(q.Key))
			}
		}
		for key, old := range seen {
			old.gone = old.gone || !current[key]
		}
	}
	return len(seen) > 0
}
