package inspector

import (
	"slices"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// Limits of the history of one connection.
const (
	maxCalls       = 500
	maxResultBytes = 128 << 20 // bytes of results
	maxRunning     = 64
)

// Calls lists the calls of a connection, latest first.
func (i *Inspector) Calls(id string) (view.Calls, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Calls{}, err
	}
	c.mu.Lock()
	calls := slices.Clone(c.calls)
	c.mu.Unlock()
	out := view.Calls{Calls: []view.Call{}}
	for n := len(calls) - 1; n >= 0; n-- {
		out.Calls = append(out.Calls, c.showCall(calls[n], false))
	}
	return out, nil
}

// OneCall returns a call with its content.
func (i *Inspector) OneCall(id string, n int) (view.Call, error) {
	c, one, err := i.call(id, n)
	if err != nil {
		return view.Call{}, err
	}
	return c.showCall(one, true), nil
}

// DeleteCalls deletes the finished calls.
func (i *Inspector) DeleteCalls(id string) error {
	c, err := i.conn(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.calls = slices.DeleteFunc(c.calls, func(one *call) bool {
		if !one.ended.IsZero() {
			i.journal.drop(c.id + "/call/" + strconv.Itoa(one.n))
		}
		return !one.ended.IsZero()
	})
	c.mu.Unlock()
	c.notify("calls", func() (view.Event, bool) { return view.Event{Kind: "calls_gone", Link: c.id}, true })
	return nil
}

// call finds a call of a connection.
func (i *Inspector) call(id string, n int) (*conn, *call, error) {
	c, err := i.conn(id)
	if err != nil {
		return nil, nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.calls {
		if one.n == n {
			return c, one, nil
		}
	}
	return nil, nil, view.NotFound("unknown call %d", n).WithHint("it may have been evicted from the history")
}

// remember adds the call to the history and evicts the oldest finished ones.
func (c *conn) remember(one *call) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if running := c.countsLocked().Running; running >= maxRunning {
		return view.Usage("too many calls in flight (%d)", maxRunning).WithHint("wait for one to finish, or cancel one")
	}
	c.nextN++
	one.n, one.started, one.mark = c.nextN, time.Now(), c.log.Len()
	c.calls = append(c.calls, one)
	size := 0
	for n := len(c.calls) - 1; n >= 0; n-- {
		old := c.calls[n]
		size += old.size()
		if over := len(c.calls)-n > maxCalls || size > maxResultBytes; over && !old.ended.IsZero() {
			c.calls = slices.Delete(c.calls, n, n+1)
			c.inspector.journal.drop(c.id + "/call/" + strconv.Itoa(old.n))
		}
	}
	return nil
}

func (one *call) size() int {
	if one.exchange == nil || one.exchange.Reply == nil {
		return 0
	}
	return len(one.exchange.Reply.Frame.Body)
}
