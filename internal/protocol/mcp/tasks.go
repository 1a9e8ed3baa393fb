package mcp

import (
	"context"
	"encoding/json"
	"time"
)

// TasksExtension is the ID of the tasks extension in the modern era.
const TasksExtension = "io.modelcontextprotocol/tasks"

// Limits of polling a task.
const (
	defaultPoll = time.Second
	minPoll     = 50 * time.Millisecond
	maxPoll     = 30 * time.Second
)

// runTask makes a call as a task of 2025-11-25: create, poll, get the result.
func (s *Session) runTask(ctx context.Context, r Request) (*Exchange, error) {
	r.Params = withMember(r.Params, "task", json.RawMessage(`{"ttl":300000}`))
	ex, err := s.roundTrip(ctx, r)
	if err != nil || r.Manual || ex.Reply.Error != nil {
		return ex, err
	}
	task, ok := member(ex.Reply.Result, "task")
	if !ok {
		return ex, nil // the server ran it immediately
	}
	id, _ := member(task, "taskId")
	rounds := []*Exchange{ex}
	for status := text(task, "status"); status == "working"; status = text(task, "status") {
		if err := s.pause(ctx, task, "pollInterval"); err != nil {
			s.cancelTask(id)
			return ex, err
		}
		poll, err := s.Call(ctx, "tasks/get", Object("taskId", id))
		if err != nil {
			return ex, err
		}
		if rounds = append(rounds, poll); poll.Reply.Error != nil {
			return chain(rounds), nil
		}
		task = poll.Reply.Result
	}
	result, err := s.roundTrip(ctx, Request{Method: "tasks/result", Params: Object("taskId", id), Timeout: r.Timeout,
		Header: r.Header})
	if err != nil {
		s.cancelTask(id)
		return ex, err
	}
	return chain(append(rounds, result)), nil
}

// followTask polls a task of the extension until it is finished; its result becomes the result of the call.
func (s *Session) followTask(ctx context.Context, r Request, ex *Exchange) (*Exchange, error) {
	task := ex.Reply.Result
	id, _ := member(task, "taskId")
	answered := map[string]bool{} // input that the task already got
	for {
		switch text(task, "status") {
		case "completed", "failed", "cancelled":
			return s.taskOutcome(ex, task)
		case "input_required":
			if err := s.updateTask(ctx, r, id, task, answered); err != nil {
				return nil, err
			}
		}
		if err := s.pause(ctx, task, "pollIntervalMs"); err != nil {
			s.cancelTask(id)
			return nil, err
		}
		poll, err := s.roundTrip(ctx, Request{Method: "tasks/get", Params: Object("taskId", id), Header: r.Header})
		if err != nil {
			return nil, err
		}
		if poll.Reply.Error != nil {
			return poll, nil
		}
		ex, task = poll, poll.Reply.Result
	}
}

// taskOutcome converts the outcome of a task to the response of its call.
func (s *Session) taskOutcome(ex *Exchange, task json.RawMessage) (*Exchange, error) {
	reply := *ex.Reply
	if failure, ok := member(task, "error"); ok {
		reply.Result = nil
		reply.readError(failure)
	} else if result, ok := member(task, "result"); ok {
		reply.Result = result
	} else {
		return nil, s.protocolError("the task is %s but has neither result nor error", text(task, "status"))
	}
	end := *ex
	end.Reply = &reply
	return &end, nil
}

// updateTask sends a task the input that it waits for.
func (s *Session) updateTask(ctx context.Context, r Request, id, task json.RawMessage, answered map[string]bool) error {
	responses, err := s.collectInput(ctx, r, task, answered)
	if err != nil || responses == nil {
		return err
	}
	_, err = s.roundTrip(ctx, Request{Method: "tasks/update",
		Params: Object("taskId", id, "inputResponses", responses)})
	return err
}

// pause waits for the poll interval that the server requested.
func (s *Session) pause(ctx context.Context, task json.RawMessage, key string) error {
	wait := defaultPoll
	var ms float64
	if raw, ok := member(task, key); ok && json.Unmarshal(raw, &ms) == nil {
		wait = min(max(time.Duration(ms)*time.Millisecond, minPoll), maxPoll)
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// cancelTask cancels a task that is no longer awaited.
func (s *Session) cancelTask(id json.RawMessage) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_, _ = s.roundTrip(ctx, Request{Method: "tasks/cancel", Params: Object("taskId", id)})
}

// chain returns the last exchange, with the others as its earlier rounds.
func chain(rounds []*Exchange) *Exchange {
	last := rounds[len(rounds)-1]
	last.Rounds = rounds[:len(rounds)-1]
	for _, e := range last.Rounds {
		last.Elapsed += e.Elapsed
	}
	return last
}
