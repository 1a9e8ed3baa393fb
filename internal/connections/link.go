package connections

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/timeout"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A Link is one connection that stays open between operations.
type Link struct {
	Name      string
	Address   string // the target without secrets
	Command   string // what was started for a command line or path of the caller; else empty
	Transport string // streaming-http or stdio
	Kind      wire.Kind
	Since     time.Time
	Session   *mcp.Session
	Log       *wire.Transcript

	ToolsCalled, ResourcesRead, PromptsRetrieved atomic.Int64

	timeout     time.Duration
	onQuestions func()          // allowed be nil
	ctx         context.Context // for the requests; ends with the link
	cancel      context.CancelCauseFunc
	wg          sync.WaitGroup

	mu   sync.Mutex
	runs []*Running // in flight, oldest first
}

func newLink(name, address string, limit time.Duration) *Link {
	l := &Link{Name: name, Address: address, timeout: timeout.Or(limit)}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	return l
}

// Connect opens a connection that stays open, to a resolved and permitted target. Shown is its address without
// secrets. The caller must close it.
func Connect(ctx context.Context, w *workbench.Workbench, name, shown string, found *target.Resolved,
	o LinkOptions) (l *Link,
	err error) {
	w.Secrets.Join(found.Secrets)
	t := found.Target
	t.Supervisor = w.Supervisor
	l = newLink(name, shown, o.Timeout)
	l.onQuestions, l.Log = o.OnQuestions, o.Log
	if l.Log == nil {
		l.Log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: linkKeepBytes})
	}
	opts := mcp.Options{Protocol: o.Protocol, Timeout: o.Timeout, LogLevel: o.LogLevel, Roots: o.Roots,
		OnNotification: o.OnNotification,
		OnNotice:       o.OnNotice, OnExpired: o.OnExpired, Sampling: l.requestHandler("sampling/createMessage"),
		Elicitation: l.requestHandler("elicitation/create")}
	if opts.Roots == nil {
		opts.Roots = noRoots
	}
	(&workbench.Connection{Extensions: o.Extensions}).Declare(&opts)
	opts.Client = mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}
	if l.Session, err = mcp.Connect(ctx, w.Authorized(ctx, t), l.Log, &opts); err != nil {
		l.cancel(ErrDisconnected)
		return nil, err
	}
	l.Transport, l.Kind, l.Since = transportName(l.Session.Target().Transport()), l.Session.Target().Transport(),
		time.Now()
	return l, nil
}

// Close cancels the requests in flight, closes the session, and returns when all of it has ended.
func (l *Link) Close() error { return l.close() }

// ErrDisconnected is the error of a request whose connection was closed by us.
var ErrDisconnected = errors.New("connection closed while the request was in flight")

// close cancels the requests in flight and then closes the session. If the session ended by itself, they fail
// with its error.
func (l *Link) close() error {
	why := l.Session.Err()
	if why == nil {
		why = ErrDisconnected
	}
	l.cancel(why)
	err := l.Session.Close()
	l.wg.Wait()
	return err
}

// Begin sends a request. It continues when the caller stops waiting for it because the server sent a request:
// see Wait. A limit of 0 means the link's timeout.
func (l *Link) Begin(r mcp.Request, limit time.Duration) *Running {
	ctx, cancel := context.WithCancelCause(l.ctx)
	run := &Running{ID: newID(), link: l, done: make(chan struct{}), asked: make(chan struct{}, 1), cancel: cancel,
		Started: time.Now()}
	run.timer = timeout.New(cmp.Or(limit, l.timeout), func(e timeout.Expiry) {
		cancel(&mcp.TimeoutError{Method: r.Method, After: e.After, Hard: e.Hard})
	})
	r.Timeout = timeout.None // the timer of the run decides: only pending requests pause it
	r.OnProgress = run.progressed
	l.mu.Lock()
	l.runs = append(l.runs, run)
	l.mu.Unlock()
	l.wg.Go(func() {
		ex, err := l.Session.Do(context.WithValue(ctx, runningKey{}, run), r)
		var late *mcp.TimeoutError
		if cause := context.Cause(ctx); err != nil && cause != nil &&
			(errors.As(cause, &late) || errors.Is(cause, ErrDisconnected) || errors.Is(cause, ErrUnanswered)) {
			err = cause
		}
		run.finish(ex, err)
		cancel(nil)
	})
	return run
}

// requestHandler returns the handler of one kind of server request.
func (l *Link) requestHandler(method string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		return l.onRequest(ctx, method, params)
	}
}

// noRoots returns an empty list: a server under test must not learn about the files of an assistant.
func noRoots(context.Context) (json.RawMessage, error) { return json.RawMessage(`{"roots":[]}`), nil }

// Pending returns the request that waits for answers under the ID.
func (l *Link) Pending(id string) (*Running, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, run := range l.runs {
		if run.ID == id && len(run.questions) > 0 {
			return run, true
		}
	}
	return nil, false
}

// Waiting lists the requests that wait for answers.
func (l *Link) Waiting() []*Running {
	l.mu.Lock()
	defer l.mu.Unlock()
	var waiting []*Running
	for _, run := range l.runs {
		if len(run.questions) > 0 {
			waiting = append(waiting, run)
		}
	}
	return waiting
}
