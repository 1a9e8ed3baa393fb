package conform

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// What the checks of the tasks extension share.
const (
	tasksExtension = "extensions/io.modelcontextprotocol~1tasks"
	tasksSpec      = "https://modelcontextprotocol.io/extensions/tasks/overview"
	noSuchTask     = "mcptest-no-such-task"
)

// Limits of following tasks.
const (
	maxTasks = 4                     // tasks to follow
	minPoll  = 50 * time.Millisecond // between two polls; a server may request more
	maxPoll  = 2 * time.Second
)

// A taskRun is a task of the extension, from its creation to its end or until the timeout of a response.
type taskRun struct {
	session *mcp.Session // the only one that surely knows the task
	tool    string
	id      json.RawMessage
	created *mcp.Exchange
	polls   []*mcp.Exchange // tasks/get
	updates []*mcp.Exchange // tasks/update
	status  string          // last seen
}

// isTask reports whether a call created a task.
func isTask(c CallResult) bool {
	return schema.TextAt(c.Exchange.Reply.Result, "/resultType") == "task"
}

func finished(status string) bool {
	return slices.Contains([]string{"completed", "failed", "cancelled"}, status)
}

// taskRuns follows the tasks that calls created, once for all checks.
func (p *CheckContext) taskRuns(ctx context.Context) ([]*taskRun, error) {
	all, err := p.openCalls(ctx)
	if err != nil {
		return nil, err
	}
	const name = "tasks of the extension"
	follow := func() ([]*taskRun, error) { return p.followTasks(ctx, all) }
	runs, err := remember(ctx, p, name, follow)
	if err == nil && len(runs) > 0 && p.round.processes.wasClosed(runs[0].session) {
		p.round.cache.remove(name)
		runs, err = remember(ctx, p, name, follow)
	}
	if err == nil && len(runs) == 0 {
		err = p.Skip("no call created a task")
	}
	return runs, err
}

func (p *CheckContext) followTasks(ctx context.Context, all *roundOfCalls) ([]*taskRun, error) {
	var runs []*taskRun
	for _, c := range all.done {
		if !isTask(c) || len(runs) == maxTasks {
			continue
		}
		r := &taskRun{session: all.session, tool: c.Name, created: c.Exchange, id: At(c.Exchange.Reply.Result, "/taskId")}
		if err := p.follow(ctx, r); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// follow polls a task until it is finished, and answers its input requests.
func (p *CheckContext) follow(ctx context.Context, r *taskRun) error {
	answered := map[string]bool{}
	for end := time.Now().Add(p.Timeout()); time.Now().Before(end) && ctx.Err() == nil; {
		ex, err := p.CallIn(ctx, r.session, "tasks/get", taskParams("tasks/get", r.id))
		if err != nil {
			return err
		}
		r.polls = append(r.polls, ex)
		r.status = schema.TextAt(ex.Reply.Result, "/status")
		if ex.Reply.Error != nil || finished(r.status) {
			return nil
		}
		if err := p.answerTask(ctx, r, ex, answered); err != nil {
			return err
		}
		p.idle(func() { time.Sleep(pollInterval(ex)) })
	}
	return nil
}

// answerTask sends the responses to input requests that have none yet.
func (p *CheckContext) answerTask(ctx context.Context, r *taskRun, ex *mcp.Exchange, answered map[string]bool) error {
	var responses []any
	for _, q := range questionsOf(CallResult{Tool{Name: r.tool}, ex}) {
		if q.Key != "" && !answered[q.Key] {
			answered[q.Key] = true
			responses = append(responses, q.Key, responseTo(q))
		}
	}
	if responses == nil {
		return nil
	}
	update, err := p.CallIn(ctx, r.session, "tasks/update",
		mcp.Object("taskId", r.id, "inputResponses", mcp.Object(responses...)))
	if err == nil {
		r.updates = append(r.updates, update)
	}
	return err
}

// pollInterval is how long to wait for the next poll: as long as the server requests, within limits.
func pollInterval(ex *mcp.Exchange) time.Duration {
	var ms float64
	_ = json.Unmarshal(At(ex.Reply.Result, "/pollIntervalMs"), &ms)
	return min(max(time.Duration(ms)*time.Millisecond, minPoll), maxPoll)
}

// taskParams returns the params of a request about a task, with no input.
func taskParams(method string, id any) json.RawMessage {
	if method == "tasks/update" {
		return mcp.Object("taskId", id, "inputResponses", mcp.Object())
	}
	return mcp.Object("taskId", id)
}
