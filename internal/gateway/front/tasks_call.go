package front

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Names of the two kinds of tasks: those of 2025-11-25 are part of the protocol and wanted by the client, those of the
// newer era are an extension and made by the server as it likes.
const (
	tasksExtension = "io.modelcontextprotocol/tasks"
	relatedTask    = "io.modelcontextprotocol/related-task"
	relatedPointer = "/_meta/io.modelcontextprotocol~1related-task/taskId"
)

// plainTask is how a task is wanted of a server of the older era for a client that has not said how long to keep it.
const plainTask = `{"ttl":3600000}`

// A wish for a task says what is done about one for a call.
type taskWish struct {
	may   bool // the client can follow a task
	want  bool // a server of the older era is asked for one
	await bool // the gateway follows it itself, because the client cannot
}

// taskWish decides about a call of a tool on a server.
func taskWishOf(c *serve.Call, t *catalog.Tool, server mcp.Era) taskWish {
	if c.Era == serve.Legacy {
		_, asked := c.Fields["task"]
		return taskWish{may: asked, want: asked && server == mcp.Legacy}
	}
	able := followsTasks(c)
	needed := server == mcp.Legacy && taskSupport(t) == "required"
	return taskWish{may: able, want: able && needed, await: !able && needed}
}

// followsTasks tells whether a client of the newer era has said that it knows the extension.
func followsTasks(c *serve.Call) bool {
	_, ok := serve.Members(serve.Members(c.Meta[serve.MetaCapabilities])["extensions"])[tasksExtension]
	return ok
}

// taskSupport is what a tool of the older era says of tasks: forbidden (or nothing), optional or required.
func taskSupport(t *catalog.Tool) string {
	if t.Raw == nil || !bytes.Contains(t.Raw, []byte("taskSupport")) {
		return ""
	}
	return textOf(serve.Members(serve.Members(t.Raw)["execution"])["taskSupport"])
}

// task is the member that asks a server of the older era for a task, on behalf of a client whose era has no such member.
func (w taskWish) task(c *serve.Call) json.RawMessage {
	if w.want && c.Era == serve.Modern {
		return raw(plainTask)
	}
	return nil
}

// created remembers the task that a result tells of, and returns the result as the client understands it. Any other
// result is translated as that of any call.
func (g *Gateway) created(c *serve.Call, p passage, result json.RawMessage) json.RawMessage {
	if !p.tasks {
		return result
	}
	if made := g.createdTask(c, p, p.era, result); made != nil {
		return made
	}
	return p.boundary().result(p.method, result)
}

// createdTask is created for a result that tells of a task; nil for any other.
func (g *Gateway) createdTask(c *serve.Call, p passage, era mcp.Era, result json.RawMessage) json.RawMessage {
	if !bytes.Contains(result, []byte(`"taskId"`)) {
		return nil
	}
	state := serve.Members(result)["task"]
	if era == mcp.Modern {
		state = result
	}
	members := serve.Members(state)
	own := textOf(members["taskId"])
	if own == "" || era == mcp.Modern && textOf(members["resultType"]) != "task" {
		return nil
	}
	t := &task{caller: c.Peer.Caller, server: p.server.Name, own: own, era: era, token: c.Meta["progressToken"], ownToken: p.token}
	if c.Era == serve.Legacy {
		t.peer = c.Peer
	}
	g.tasks.add(t, milliseconds(members["ttl"], members["ttlMs"]))
	t.note(renamed(state, "/taskId", t.id))
	switch {
	case era == mcp.Legacy && c.Era == serve.Legacy:
		return renamed(result, "/task/taskId", t.id)
	case era == mcp.Modern && c.Era == serve.Modern:
		return t.known()
	case c.Era == serve.Legacy:
		return object(map[string]json.RawMessage{"task": olderState(t.known())})
	}
	return object(with(newerState(t.known()), "resultType", quoted("task")))
}

// Members of a task, by their names in the two eras.
var taskMembers = [][2]string{{"taskId", "taskId"}, {"status", "status"}, {"statusMessage", "statusMessage"}, {"createdAt", "createdAt"},
	{"lastUpdatedAt", "lastUpdatedAt"}, {"ttl", "ttlMs"}, {"pollInterval", "pollIntervalMs"}}

// olderState is a task of the newer era in the words of the older one.
func olderState(state json.RawMessage) json.RawMessage {
	from, to := serve.Members(state), map[string]json.RawMessage{}
	for _, names := range taskMembers {
		to[names[0]] = from[names[1]]
	}
	if to["ttl"] == nil {
		to["ttl"] = raw("null")
	}
	return object(to)
}

// newerState is a task of the older era in the words of the newer one.
func newerState(state json.RawMessage) map[string]json.RawMessage {
	from, to := serve.Members(state), map[string]json.RawMessage{}
	for _, names := range taskMembers {
		to[names[1]] = from[names[0]]
	}
	if to["ttlMs"] == nil {
		to["ttlMs"] = raw("null")
	}
	return to
}

// renamed replaces a string in a document, where it stands; without it the document stays as it is.
func renamed(doc json.RawMessage, pointer, name string) json.RawMessage {
	changed, err := schema.Apply(doc, []finding.Edit{{Pointer: pointer, Value: quoted(name)}})
	if err != nil {
		return doc
	}
	return changed
}

// textOf is the text of a JSON string; "" for anything else.
func textOf(raw json.RawMessage) string {
	s, _ := schema.Text(raw)
	return s
}

// milliseconds is the first of the numbers that is one.
func milliseconds(numbers ...json.RawMessage) time.Duration {
	for _, number := range numbers {
		var ms float64
		if number != nil && json.Unmarshal(number, &ms) == nil && ms > 0 && ms < float64(taskTime/time.Millisecond) {
			return time.Duration(ms) * time.Millisecond
		}
	}
	return 0
}
