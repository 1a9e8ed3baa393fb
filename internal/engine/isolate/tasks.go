package isolate

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// tasks creates tasks as the owner, and uses them as the other user.
func (p *pair) tasks(ctx context.Context) error {
	id := p.task(ctx)
	if id == "" {
		p.report.skip("no tool that may be called runs as a task", ruleTask, ruleTaskCancel)
		return nil
	}
	p.ids("task", id, p.task(ctx))
	if p.owner.Key == p.other.Key {
		p.report.skip("the users have the same credentials", ruleTask, ruleTaskCancel)
		return nil
	}
	p.report.tested(ruleTask, "tasks/get")
	params := mcp.Object("taskId", id)
	if reply := p.about(ctx, p.other, "tasks/get", params); reply != nil && reply.Error == nil {
		p.report.found(ruleTask, "tasks/get", []int{reply.Frame.Seq}, "%s can read a task of %s", p.other.Name, p.owner.Name)
	}
	if p.owner.s.Era == spec.Legacy {
		reply := p.about(ctx, p.other, "tasks/list", nil)
		if reply != nil && reply.Error == nil {
			p.report.tested(ruleTask, "tasks/list")
			if strings.Contains(string(reply.Result), id) {
				p.report.found(ruleTask, "tasks/list", []int{reply.Frame.Seq}, "tasks of %s include a task of %s",
					p.other.Name, p.owner.Name)
			}
		}
	}
	p.cancelTask(ctx, params)
	if p.owner.s.Era == spec.Legacy {
		reply := p.about(ctx, p.other, "tasks/result", params)
		if reply != nil && reply.Error == nil {
			p.report.found(ruleTask, "tasks/result", []int{reply.Frame.Seq}, "%s can read the result of a task of %s",
				p.other.Name, p.owner.Name)
		}
	}
	return nil
}

// task runs a tool as a task of the owner and returns its ID; "" if no tool does.
func (p *pair) task(ctx context.Context) string {
	for _, s := range p.subjects {
		legacy := p.owner.s.Era == spec.Legacy
		if s.method != "tools/call" || s.params == nil || s.calls <= 0 || legacy && !s.tasks {
			continue
		}
		s.calls--
		params := strings.ReplaceAll(string(s.params), placeholder, p.ledger.canary(p.owner.Name, s.String()))
		ex, err := p.owner.s.Do(ctx, mcp.Request{Method: s.method, Params: json.RawMessage(params), Task: true,
			Manual: true, Timeout: p.opts.Timeout})
		if err != nil || ex.Reply.Error != nil {
			continue
		}
		for _, pointer := range []string{"/task/taskId", "/taskId"} {
			if id := schema.TextAt(ex.Reply.Result, pointer); id != "" {
				return id
			}
		}
	}
	return ""
}

// cancelTask cancels a task as the other user, and checks as the owner whether that had an effect.
func (p *pair) cancelTask(ctx context.Context, params json.RawMessage) {
	if status := p.status(ctx, params); status != "working" && status != "input_required" {
		p.report.skip("the task had ended before it could be cancelled", ruleTaskCancel)
		return
	}
	p.report.tested(ruleTaskCancel, "tasks/cancel")
	reply := p.about(ctx, p.other, "tasks/cancel", params)
	if reply != nil && p.status(ctx, params) == "cancelled" {
		p.report.found(ruleTaskCancel, "tasks/cancel", []int{reply.Frame.Seq}, "%s cancelled a task of %s", p.other.Name,
			p.owner.Name)
	}
}

func (p *pair) status(ctx context.Context, params json.RawMessage) string {
	reply := p.about(ctx, p.owner, "tasks/get", params)
	if reply == nil {
		return ""
	}
	return schema.TextAt(reply.Result, "/status")
}

// about sends a request about a task. tasks/result may wait for the end of the task, so its timeout is short.
func (p *pair) about(ctx context.Context, u *user, method string, params json.RawMessage) *mcp.Message {
	ex, err := u.s.Do(ctx, mcp.Request{Method: method, Params: params, Manual: true,
		Timeout: min(p.opts.Timeout, 2*time.Second)})
	if err != nil {
		return nil
	}
	return ex.Reply
}
