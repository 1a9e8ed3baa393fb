package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var task023 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-023",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `requests about tasks must fail with -32021 unless the client declares tasks

Each request declares the extensions of its client. tasks/get, tasks/update, tasks/cancel, and subscriptions/listen with
taskIds must fail without the tasks extension, with data.requiredCapabilities naming it.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, id, err := p.knownTask(ctx)
		if err != nil {
			return err
		}
		for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
			ex, err := p.withoutTasks(ctx, s, method, string(taskParams(method, json.RawMessage(id))))
			if err != nil {
				return err
			}
			p.expectCode(ex, method+" without the extension", mcp.CodeMissingCapability)
			p.namesExtension(method, ex)
		}
		return p.listenUndeclared(ctx, id)
	},
}

// knownTask returns a task that the server has, and the session that knows it.
func (p *CheckContext) knownTask(ctx context.Context) (*mcp.Session, string, error) {
	runs, err := p.taskRuns(ctx)
	if err != nil {
		return nil, "", err
	}
	if schema.Kind(runs[0].id) != '"' {
		return nil, "", p.Skip("task has no ID")
	}
	return runs[0].session, string(runs[0].id), nil
}

// withoutTasks makes a request that does not declare the tasks extension.
func (p *CheckContext) withoutTasks(ctx context.Context, s *mcp.Session, method, params string) (*mcp.Exchange, error) {
	id := strconv.FormatInt(s.ReserveID(), 10)
	return p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method,
		p.Params(params)))
}

// listenUndeclared subscribes to a task. The stream of a server that accepts it has no response, so the check ends with
// its first message.
func (p *CheckContext) listenUndeclared(ctx context.Context, id string) error {
	const method, acknowledged = "subscriptions/listen", "notifications/subscriptions/acknowledged"
	h, err := p.RecordingSession(ctx, func(o *mcp.Options) { o.Tasks = false })
	if err != nil {
		return err
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		h.await(limited, acknowledged)
		cancel()
	}()
	ex, err := p.withoutTasks(limited, h.Session, method, `{"notifications":{"taskIds":[`+id+`]}}`)
	heard := h.recorded(acknowledged)
	switch {
	case len(heard) > 0:
		p.Report(Evidence{Subject: method, Frames: []wire.Frame{heard[0].Frame}},
			"subscription to a task without the extension was accepted, expected error %d", mcp.CodeMissingCapability)
	case err != nil:
		return err
	case ex.Reply.Error != nil && ex.Reply.Error.Code == mcp.CodeMethodNotFound: // it has no subscriptions
	default:
		p.expectCode(ex, "subscription to a task without the extension", mcp.CodeMissingCapability)
		p.namesExtension(method, ex)
	}
	return nil
}
