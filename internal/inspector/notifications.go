package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// onNotification handles a notification.
func (c *conn) onNotification(m mcp.Message) {
	switch m.Method {
	case "notifications/message":
		c.onLogMessage(m)
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
		c.notify("list/"+kind, func() (view.Event, bool) {
			return view.Event{Kind: "list_changed", Link: c.id,
				List: kind}, true
		})
	}
}

func (c *conn) onLogMessage(m mcp.Message) {
	data, _ := schema.Get(m.Params, "/data")
	said, isText := schema.Text(data)
	if !isText {
		said = string(data)
	}
	clean := c.inspector.bench.Secrets.Exact
	one := view.LogEntry{Time: m.Frame.Time, Level: schema.TextAt(m.Params, "/level"),
		Logger: schema.TextAt(m.Params, "/logger"),
		Text:   clip.Text(clean(said), 16<<10), Frame: m.Frame.Seq}
	c.mu.Lock()
	c.logged++
	c.logs = append(c.logs, one)
	c.logs = c.logs[max(0, len(c.logs)-maxLogs):]
	c.mu.Unlock()
	c.notify("log", func() (view.Event, bool) {
		return view.Event{Kind: "log", Link: c.id, Count: c.counts().Logs},
			true
	})
}

func (c *conn) noticedOne(n mcp.Notice) {
	c.mu.Lock()
	c.noticed++
	c.notices = append(c.notices, view.ProtocolViolation{Text: clip.Text(n.Text, 2<<10), Frame: n.Frame})
	c.notices = c.notices[max(0, len(c.notices)-maxNotices):]
	c.mu.Unlock()
	c.notifyLink()
}

func (c *conn) onStderr(p []byte) { c.recordStderr(p, time.Now()) }

// recordStderr stores stderr output after the last frame.
func (c *conn) recordStderr(p []byte, at time.Time) {
	c.noteStderr(p, at, c.log.Len())
	c.notify("stderr", func() (view.Event, bool) {
		return view.Event{Kind: "stderr", Link: c.id, Count: c.counts().Stderr}, true
	})
}

// noteStderr stores stderr output with its time and the preceding frame.
func (c *conn) noteStderr(p []byte, at time.Time, after int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrote += len(p)
	c.margin.write(p, at, after)
	c.stderr = append(c.stderr, p...)
	if len(c.stderr) > 2*maxStderr {
		c.stderr = append([]byte(nil), c.stderr[len(c.stderr)-maxStderr:]...)
	}
}

// rootsResult returns the result of roots/list.
func (c *conn) rootsResult(context.Context) (json.RawMessage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, err := json.Marshal(view.Roots{Roots: c.roots})
	if err != nil {
		return nil, errors.New("cannot return the roots")
	}
	return list, nil
}

// notify records a change of an object that belongs to the connection.
func (c *conn) notify(what string, event func() (view.Event, bool)) {
	c.inspector.journal.touch(c.id+"/"+what, event)
}

func (c *conn) notifyLink() {
	c.notify("link", func() (view.Event, bool) {
		state := c.snapshot()
		return view.Event{Kind: "link", Link: c.id, State: &state}, true
	})
}

func (c *conn) framesEvent() (view.Event, bool) {
	return view.Event{Kind: "frames", Link: c.id, Count: c.log.Len()}, true
}
