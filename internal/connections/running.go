package connections

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/timeout"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Limits for pending requests of a server.
const (
	gatherInterval  = 20 * time.Millisecond // requests that arrive together are reported together
	responseTimeout = 10 * time.Minute      // after it the request is cancelled
	maxWaiting      = 32                    // maximum number of requests of a link that wait for answers
)

// ErrUnanswered is the error of a request that was cancelled because it got no answers.
var ErrUnanswered = errors.New("request cancelled: the server's request for input was not answered in time")

// A Running is a request in flight. The server may send requests meanwhile; then it waits until they are
// answered.
type Running struct {
	ID      string
	Started time.Time
	Ended   time.Time

	// Resume is for the caller of Begin: what is needed to continue once it is answered.
	Resume any

	link     *Link
	cancel   context.CancelCauseFunc
	timer    *timeout.Timer
	progress atomic.Pointer[func(mcp.Progress)]
	done     chan struct{}
	asked    chan struct{} // has an item when there is a new question
	exchange *mcp.Exchange
	err      error
	loose    bool // the server sent a request outside of any call

	questions []*Question // pending ones; guarded by the link's mutex
}

type runningKey struct{}

// A Question is a request from the server that must be answered before it continues.
type Question struct {
	ID     string
	Method string // elicitation/create or sampling/createMessage
	Params json.RawMessage
	Asked  time.Time

	answer chan Reply
}

// A Reply answers a question: with a result, or with an error.
type Reply struct {
	Result  json.RawMessage
	Refusal *mcp.RPCError
}

// Wait waits for the end of the request or for questions, whichever comes first. If ctx ends before, the
// request is cancelled. Progress is called for progress notifications meanwhile.
func (r *Running) Wait(ctx context.Context, progress func(mcp.Progress)) (ex *mcp.Exchange, questions []*Question,
	err error) {
	if progress != nil {
		r.progress.Store(&progress)
		defer r.progress.Store(nil)
	}
	for {
		select {
		case <-r.done:
			return r.exchange, nil, r.err
		case <-r.asked:
			select {
			case <-time.After(gatherInterval):
			case <-r.done:
				return r.exchange, nil, r.err
			}
			if open := r.Questions(); len(open) > 0 {
				return nil, open, nil
			}
		case <-ctx.Done():
			r.cancel(context.Cause(ctx))
			<-r.done
			return r.exchange, nil, r.err
		}
	}
}

// Questions lists the pending questions.
func (r *Running) Questions() []*Question {
	r.link.mu.Lock()
	defer r.link.mu.Unlock()
	return slices.Clone(r.questions)
}

// Answer delivers the answers, by question ID. It changes nothing if one of them is not pending.
func (r *Running) Answer(replies map[string]Reply) error {
	r.link.mu.Lock()
	defer r.link.mu.Unlock()
	for id := range replies {
		if !slices.ContainsFunc(r.questions, func(q *Question) bool { return q.ID == id }) {
			return &workbench.UsageError{Message: "no pending request " + id,
				Hint: "use get_connection_status to list the pending requests"}
		}
	}
	r.questions = slices.DeleteFunc(r.questions, func(q *Question) bool {
		reply, ok := replies[q.ID]
		if ok {
			q.answer <- reply
		}
		return ok
	})
	return nil
}

func (r *Running) progressed(p mcp.Progress) {
	r.timer.Touch()
	if tell := r.progress.Load(); tell != nil {
		(*tell)(p)
	}
}

func (r *Running) finish(ex *mcp.Exchange, err error) {
	r.timer.Stop()
	r.exchange, r.err, r.Ended = ex, err, time.Now()
	r.link.remove(r)
	close(r.done)
}

// onRequest assigns a question to the request that it belongs to, and waits for the answer.
func (l *Link) onRequest(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	q := &Question{Method: method, Params: params, Asked: time.Now(), answer: make(chan Reply, 1)}
	run, err := l.attachServerRequest(ctx, q)
	if err != nil {
		return nil, err
	}
	run.timer.Hold()
	defer run.timer.Release()
	l.questioned()
	defer l.questioned()
	defer l.withdraw(run, q)
	timer := time.NewTimer(responseTimeout)
	defer timer.Stop()
	select {
	case reply := <-q.answer:
		if reply.Refusal != nil {
			return nil, reply.Refusal
		}
		return reply.Result, nil
	case <-timer.C:
		run.cancel(ErrUnanswered)
		return nil, &mcp.RPCError{Code: mcp.CodeInternal, Message: "no answer from the user"}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// attachServerRequest attaches the question to its request: the one on whose stream it arrived, else the oldest in
// flight without a question, else a separate one. In revisions up to 2025-11-25 a server request does not name the call
// that it belongs to.
func (l *Link) attachServerRequest(ctx context.Context, q *Question) (*Running, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	run, _ := ctx.Value(runningKey{}).(*Running)
	if run == nil {
		run = l.requester()
	}
	if len(l.runs) >= maxWaiting && run == nil {
		return nil, &mcp.RPCError{Code: mcp.CodeInternal, Message: "too many pending requests"}
	}
	if run == nil {
		run = &Running{ID: newID(), link: l, loose: true, done: make(chan struct{}), asked: make(chan struct{}, 1),
			cancel: func(error) {}, timer: timeout.New(timeout.None, func(timeout.Expiry) {}), Started: time.Now()}
		l.runs = append(l.runs, run)
	}
	q.ID = newID()
	run.questions = append(run.questions, q)
	select {
	case run.asked <- struct{}{}:
	default:
	}
	return run, nil
}

// requester guesses which request a question belongs to. l.mu is held.
func (l *Link) requester() *Running {
	var waiting *Running
	for _, r := range l.runs {
		if !r.loose && len(r.questions) == 0 {
			return r
		}
		if !r.loose {
			waiting = r
		}
	}
	return waiting
}

// withdraw removes a question that is no longer pending.
func (l *Link) withdraw(run *Running, q *Question) {
	l.mu.Lock()
	run.questions = slices.DeleteFunc(run.questions, func(other *Question) bool { return other == q })
	over := run.loose && len(run.questions) == 0
	l.mu.Unlock()
	if over {
		run.finish(nil, nil)
	}
}

// questioned signals that the pending questions have changed.
func (l *Link) questioned() {
	if l.onQuestions != nil {
		l.onQuestions()
	}
}

// newID returns an unguessable ID.
func newID() string { return rand.Text() }

func (l *Link) remove(run *Running) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = slices.DeleteFunc(l.runs, func(other *Running) bool { return other == run })
}
