package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// A call is one request of the history. The connection's mutex guards it.
type call struct {
	n        int
	in       view.NewCall
	session  *mcp.Session
	request  calls.Call // what is sent, and checks the response
	mark     int        // frames before it
	started  time.Time
	ended    time.Time
	status   string
	progress *view.Progress
	run      *connections.Running
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when it has ended
	byApp    bool          // requested by a view

	exchange *mcp.Exchange
	verdicts *view.Verdicts // once it has ended
	shown    *view.Call     // its content, once requested
}

// errCancelled is the error of a call that the user cancelled.
var errCancelled = errors.New("the call was cancelled")

// Call sends a request. It returns immediately.
func (i *Inspector) Call(ctx context.Context, id string, in view.NewCall) (view.Call, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Call{}, err
	}
	one, err := c.begin(ctx, in, false)
	if err != nil {
		return view.Call{}, err
	}
	return c.showCall(one, false), nil
}

// begin sends a request. It returns immediately.
func (c *conn) begin(ctx context.Context, in view.NewCall, byApp bool) (*call, error) {
	link, err := c.session()
	if err != nil {
		return nil, err
	}
	one := &call{in: in, session: link.Session, status: view.Running, done: make(chan struct{}), byApp: byApp}
	if in.Raw == "" {
		if err := c.prepare(ctx, one); err != nil {
			return nil, err
		}
	}
	begun, cancel := context.WithCancelCause(context.Background())
	one.cancel = cancel
	if err := c.remember(one); err != nil {
		cancel(nil)
		return nil, err
	}
	if in.Raw != "" {
		go c.sendRaw(begun, link, one)
	} else {
		c.mu.Lock() // listing questions looks up the call that they belong to
		request := one.request.Request(link.Session)
		request.OnProgress = func(mcp.Progress) {}
		one.run = link.Begin(request, time.Duration(max(0, in.TimeoutMS))*time.Millisecond)
		c.mu.Unlock()
		go c.follow(begun, one)
	}
	c.notifyCall(one)
	return one, nil
}

// prepare finds the subject of the request, and holds back arguments that the tool's schema forbids.
func (c *conn) prepare(ctx context.Context, one *call) error {
	if one.in.Method == "" {
		one.in.Method = "tools/call"
	}
	for name, text := range map[string]string{"arguments": one.in.ArgumentsJSON, "params": one.in.ParamsJSON} {
		if text == "" {
			continue
		}
		if wrong := syntaxOf(text); wrong != nil {
			return &view.Problem{Kind: view.KindUsage, Message: "the " + name + " are not JSON: " + wrong.Message,
				Examination: &view.Examination{Syntax: wrong},
				Hint:        "to send a malformed message on purpose, send it raw"}
		}
	}
	one.request = calls.Call{Method: one.in.Method, Name: one.in.Name, AsTask: one.in.AsTask}
	if one.in.ArgumentsJSON != "" {
		one.request.Arguments = json.RawMessage(one.in.ArgumentsJSON)
	}
	if one.in.ParamsJSON != "" {
		one.request.Params = json.RawMessage(one.in.ParamsJSON)
	}
	if one.in.Method != "tools/call" || one.in.ParamsJSON != "" {
		return nil
	}
	if one.request.Arguments == nil {
		one.request.Arguments = json.RawMessage(`{}`)
	}
	tool, err := c.tool(ctx, one.in.Name)
	if err != nil {
		if one.in.Anyway {
			return nil
		}
		return err
	}
	one.request.Definition = tool
	if one.in.Anyway {
		return nil
	}
	text := string(one.request.Arguments)
	if x := examine(inputSchema(tool), view.Typed{JSON: &text}); !x.OK {
		return &view.Problem{Kind: view.KindUsage,
			Message: "invalid arguments for " + one.in.Name + "; nothing was sent",
			Hint:    "send them anyway, or correct them", Examination: &x}
	}
	return nil
}

// follow waits for the end of a call, and reports requests from the server meanwhile.
func (c *conn) follow(ctx context.Context, one *call) {
	defer one.cancel(nil)
	for {
		ex, questions, err := one.run.Wait(ctx, func(p mcp.Progress) { c.progressed(one, p) })
		if len(questions) == 0 {
			c.finish(ctx, one, ex, err)
			return
		}
		c.mu.Lock()
		one.status = view.Waiting
		c.mu.Unlock()
		c.notifyCall(one)
		c.notifyLink()
	}
}

func (c *conn) progressed(one *call, p mcp.Progress) {
	c.mu.Lock()
	count := 1
	if one.progress != nil {
		count += one.progress.Count
	}
	one.progress = &view.Progress{Done: p.Done, Total: p.Total, Message: clip.Text(p.Message, 2<<10), Count: count}
	c.mu.Unlock()
	c.notifyCall(one)
}

func (c *conn) finish(ctx context.Context, one *call, ex *mcp.Exchange, err error) {
	status, problem := view.Done, (*view.Problem)(nil)
	switch {
	case errors.Is(context.Cause(ctx), errCancelled):
		status, problem = view.Cancelled, &view.Problem{Kind: view.KindCancelled, Message: errCancelled.Error()}
	case err != nil:
		status, problem = view.CallFailed, c.inspector.Problem(err)
	}
	verdicts := one.evaluate(ex, problem)
	c.mu.Lock()
	one.ended, one.exchange, one.verdicts, one.status = time.Now(), ex, verdicts, status
	close(one.done)
	c.mu.Unlock()
	c.notifyCall(one)
	c.notifyLink()
}

// sendRaw sends bytes unchanged, and waits for the response if they are a request.
func (c *conn) sendRaw(ctx context.Context, link *connections.Link, one *call) {
	defer one.cancel(nil)
	ctx, stop := context.WithTimeout(ctx, timeout.Or(time.Duration(one.in.TimeoutMS)*time.Millisecond))
	defer stop()
	body := []byte(one.in.Raw)
	m := mcp.Read(wire.Frame{Body: body})
	c.mu.Lock()
	one.in.Method = m.Method
	c.mu.Unlock()
	one.request.Method = m.Method
	one.request.Watch(link.Session)
	var id json.RawMessage
	if m.IsRequest() && len(m.Rest) == 0 {
		id = m.ID
	}
	ex, err := link.Session.CallRaw(ctx, id, body, nil)
	c.finish(ctx, one, ex, err)
}

// Cancel cancels a call.
func (i *Inspector) Cancel(id string, n int) (view.Call, error) {
	c, one, err := i.call(id, n)
	if err != nil {
		return view.Call{}, err
	}
	one.cancel(errCancelled)
	return c.showCall(one, false), nil
}

func (c *conn) notifyCall(one *call) {
	c.notify("call/"+strconv.Itoa(one.n), func() (view.Event, bool) {
		shown := c.showCall(one, false)
		return view.Event{Kind: "call", Link: c.id, Call: &shown}, true
	})
}
