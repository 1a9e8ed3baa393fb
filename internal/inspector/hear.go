package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// heard handles a notification.
func (c *conn) heard(m mcp.Message) {
	switch m.Method {
	case "notifications/message":
		c.heardLog(m)
	case "notifications/tools/list_changed":
		c.changed("tools")
	case "notifications/prompts/list_changed":
		c.changed("prompts")
	case "notifications/resources/list_changed":
		c.changed("resources", "templates")
	}
}

func (c *conn) changed(kinds ...string) {
	c.mu.Lock()
	for _, kind := range kinds {
		delete(c.lists, kind)
	}
	c.mu.Unlock()
	for _, kind := range kinds {
		c.tell("list/"+kind, func() (Event, bool) { return Event{Kind: "list_changed", Link: c.id, List: kind}, true })
	}
}

func (c *conn) heardLog(m mcp.Message) {
	data, _ := get(m.Params, "/data")
	said, isText := textOf(data)
	if !isText {
		said = string(data)
	}
	clean := c.inspector.bench.Secrets.Exact
	one := LogEntry{Time: m.Frame.Time, Level: textAt(m.Params, "/level"), Logger: textAt(m.Params, "/logger"), Text: clip.Text(clean(said), 16<<10), Frame: m.Frame.Seq}
	c.mu.Lock()
	c.logged++
	c.logs = append(c.logs, one)
	c.logs = c.logs[max(0, len(c.logs)-keepLogs):]
	c.mu.Unlock()
	c.tell("log", func() (Event, bool) { return Event{Kind: "log", Link: c.id, Count: c.counts().Logs}, true })
}

func (c *conn) noticedOne(n mcp.Notice) {
	c.mu.Lock()
	c.noticed++
	c.notices = append(c.notices, Departure{Text: clip.Text(n.Text, 2<<10), Frame: n.Frame})
	c.notices = c.notices[max(0, len(c.notices)-keepNotices):]
	c.mu.Unlock()
	c.tellLink()
}

func (c *conn) heardStderr(p []byte) {
	c.noteStderr(p, time.Now(), c.log.Len())
	c.tell("stderr", func() (Event, bool) { return Event{Kind: "stderr", Link: c.id, Count: c.counts().Stderr}, true })
}

// noteStderr stores stderr output with its time and the preceding frame.
func (c *conn) noteStderr(p []byte, at time.Time, after int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrote += len(p)
	c.margin.write(p, at, after)
	c.stderr = append(c.stderr, p...)
	if len(c.stderr) > 2*keepStderr {
		c.stderr = append([]byte(nil), c.stderr[len(c.stderr)-keepStderr:]...)
	}
}

// rootsResult returns the result of roots/list.
func (c *conn) rootsResult(context.Context) (json.RawMessage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, err := json.Marshal(Roots{Roots: c.roots})
	if err != nil {
		return nil, errors.New("cannot return the roots")
	}
	return list, nil
}

// tell records a change of an object that belongs to the connection.
func (c *conn) tell(what string, event func() (Event, bool)) {
	c.inspector.journal.touch(c.id+"/"+what, event)
}

func (c *conn) tellLink() {
	c.tell("link", func() (Event, bool) {
		state := c.snapshot()
		return Event{Kind: "link", Link: c.id, State: &state}, true
	})
}

func (c *conn) framesEvent() (Event, bool) {
	return Event{Kind: "frames", Link: c.id, Count: c.log.Len()}, true
}
