package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// support returns the taskSupport value of a tool, in the revision that has it; empty if absent.
func (t Tool) support() string { return schema.TextAt(t.Definition, "/execution/taskSupport") }

// taskTool finds a callable tool that can run as a task.
func (p *CheckContext) taskTool(ctx context.Context) (Tool, error) {
	tools, err := p.Callable(ctx)
	if err != nil {
		return Tool{}, err
	}
	for _, t := range tools {
		if s := t.support(); s == "optional" || s == "required" {
			return t, nil
		}
	}
	return Tool{}, p.Skip("no callable tool runs as a task")
}

// started makes a call as a task, once for all checks, and returns the exchange that created it.
func (p *CheckContext) started(ctx context.Context) (Tool, *mcp.Exchange, error) {
	t, err := p.taskTool(ctx)
	if err != nil {
		return t, nil, err
	}
	ex, err := remember(ctx, p, "task", func() (*mcp.Exchange, error) {
		return p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments, "task",
			json.RawMessage(`{"ttl":60000}`)))
	})
	return t, ex, err
}

// taskID returns the task that was created; a check that needs one ends if there is none.
func (p *CheckContext) taskID(ctx context.Context) (tool Tool, id json.RawMessage, err error) {
	t, ex, err := p.started(ctx)
	if err != nil {
		return t, nil, err
	}
	if id = At(ex.Reply.Result, "/task/taskId"); id == nil {
		return t, nil, p.Skip("no task was created")
	}
	return t, id, nil
}

// taskResult requests the result of the task, once for all checks.
func (p *CheckContext) taskResult(ctx context.Context, id json.RawMessage) (*mcp.Exchange, error) {
	ex, err := remember(ctx, p, "task result", func() (*mcp.Exchange, error) {
		return p.Call(ctx, "tasks/result", mcp.Object("taskId", id))
	})
	if err != nil {
		return nil, p.Skip("task did not finish in time: %s", clip.Text(err.Error(), 80))
	}
	return ex, nil
}
