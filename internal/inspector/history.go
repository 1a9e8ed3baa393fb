package inspector

import (
	"slices"
	"strconv"
	"time"
)

// Limits of the history of one connection.
const (
	keepCalls   = 500
	keepResults = 128 << 20 // bytes of results
	maxRunning  = 64
)

// Calls lists the calls of a connection, latest first.
func (i *Inspector) Calls(id string) (Calls, error) {
	c, err := i.conn(id)
	if err != nil {
		return Calls{}, err
	}
	c.mu.Lock()
	calls := slices.Clone(c.calls)
	c.mu.Unlock()
	out := Calls{Calls: []Call{}}
	for n := len(calls) - 1; n >= 0; n-- {
		out.Calls = append(out.Calls, c.showCall(calls[n], false))
	}
	return out, nil
}

// OneCall returns a call with its content.
func (i *Inspector) OneCall(id string, n int) (Call, error) {
	c, one, err := i.call(id, n)
	if err != nil {
		return Call{}, err
	}
	return c.showCall(one, true), nil
}

// ForgetCalls deletes the finished calls.
func (i *Inspector) ForgetCalls(id string) error {
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
	c.tell("calls", func() (Event, bool) { return Event{Kind: "calls_gone", Link: c.id}, true })
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
	return nil, nil, notFound("unknown call %d", n).hint("it may have been evicted from the history")
}

// remember adds the call to the history and evicts the oldest finished ones.
func (c *conn) remember(one *call) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if running := c.countsLocked().Running; running >= maxRunning {
		return usage("too many calls in flight (%d)", maxRunning).hint("wait for one to finish, or cancel one")
	}
	c.nextN++
	one.n, one.started, one.mark = c.nextN, time.Now(), c.log.Len()
	c.calls = append(c.calls, one)
	size := 0
	for n := len(c.calls) - 1; n >= 0; n-- {
		old := c.calls[n]
		size += old.size()
		if over := len(c.calls)-n > keepCalls || size > keepResults; over && !old.ended.IsZero() {
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
