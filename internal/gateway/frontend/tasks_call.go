package frontend

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// There are two kinds of tasks: those of 2025-11-25 are part of the protocol and requested by the client, modern ones
// are an extension and created at the server's discretion.

// relatedPointer is the location of the task that a message or a result belongs to.
const relatedPointer = "/_meta/io.modelcontextprotocol~1related-task/taskId"

// plainTask is the task request to a legacy server for a client that has not set a TTL.
const plainTask = `{"ttl":3600000}`

// A taskOptions is how a call handles tasks.
type taskOptions struct {
	may   bool // the client can poll a task
	want  bool // a task is requested from a legacy server
	await bool // the gateway polls it itself, because the client cannot
}

// taskWishOf decides about a call of a tool on a server.
func taskWishOf(c *serve.Call, t *catalog.Tool, server spec.Era) taskOptions {
	if c.Era == spec.Legacy {
		_, asked := c.Fields["task"]
		return taskOptions{may: asked, want: asked && server == spec.Legacy}
	}
	able := followsTasks(c)
	needed := server == spec.Legacy && taskSupport(t) == "required"
	return taskOptions{may: able, want: able && needed, await: !able && needed}
}

// followsTasks reports whether a modern client declares the tasks extension.
func followsTasks(c *serve.Call) bool {
	_, ok := serve.Members(serve.Members(c.Meta[serve.MetaCapabilities])["extensions"])[mcp.TasksExtension]
	return ok
}

// taskSupport is the task support of a legacy tool: forbidden (or empty), optional or required.
func taskSupport(t *catalog.Tool) string {
	if t.Raw == nil || !bytes.Contains(t.Raw, []byte("taskSupport")) {
		return ""
	}
	return serve.Text(serve.Members(serve.Members(t.Raw)["execution"])["taskSupport"])
}

// task is the member that requests a task from a legacy server, on behalf of a client whose era has no such member.
func (w taskOptions) task(c *serve.Call) json.RawMessage {
	if w.want && c.Era == spec.Modern {
		return raw(plainTask)
	}
	return nil
}

// created stores the task in a result, and returns the result in the client's form. Any other result is translated like
// that of any call.
func (g *Gateway) created(c *serve.Call, p forward.Request, result json.RawMessage) json.RawMessage {
	if !p.Tasks {
		return result
	}
	if made := g.createdTask(c, p, p.Era, result); made != nil {
		return made
	}
	return p.Boundary().Result(p.Method, result)
}

// createdTask is created for a result with a task; nil for any other.
func (g *Gateway) createdTask(c *serve.Call, p forward.Request, era spec.Era, result json.RawMessage) json.RawMessage {
	if !bytes.Contains(result, []byte(`"taskId"`)) {
		return nil
	}
	state := serve.Members(result)["task"]
	if era == spec.Modern {
		state = result
	}
	members := serve.Members(state)
	own := serve.Text(members["taskId"])
	if own == "" || era == spec.Modern && serve.Text(members["resultType"]) != "task" {
		return nil
	}
	t := &task{caller: c.Peer.Caller, server: p.Server.Name, process: p.Server.ID, own: own, era: era,
		token: c.Meta["progressToken"], ownToken: p.Token}
	if c.Era == spec.Legacy {
		t.peer = c.Peer
	}
	g.tasks.add(t, milliseconds(members["ttl"], members["ttlMs"]))
	if t.process != t.server {
		t.at = p.Server
		time.AfterFunc(min(time.Until(t.expires), maxTaskHold), p.Lease.Hold())
	}
	t.note(serve.SetText(state, "/taskId", t.id))
	switch {
	case era == spec.Legacy && c.Era == spec.Legacy:
		return serve.SetText(result, "/task/taskId", t.id)
	case era == spec.Modern && c.Era == spec.Modern:
		return t.known()
	case c.Era == spec.Legacy:
		return serve.Object(map[string]json.RawMessage{"task": olderState(t.known())})
	}
	return serve.Object(serve.With(newerState(t.known()), "resultType", rawjson.Quote("task")))
}

// Members of a task, by their names in the two eras.
var taskMembers = [][2]string{{"taskId", "taskId"}, {"status", "status"}, {"statusMessage", "statusMessage"},
	{"createdAt", "createdAt"},
	{"lastUpdatedAt", "lastUpdatedAt"}, {"ttl", "ttlMs"}, {"pollInterval", "pollIntervalMs"}}

// olderState converts a modern task to legacy form.
func olderState(state json.RawMessage) json.RawMessage {
	from, to := serve.Members(state), map[string]json.RawMessage{}
	for _, names := range taskMembers {
		to[names[0]] = from[names[1]]
	}
	if to["ttl"] == nil {
		to["ttl"] = raw("null")
	}
	return serve.Object(to)
}

// newerState converts a legacy task to modern form.
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

// milliseconds is the first of the values that is a number.
func milliseconds(numbers ...json.RawMessage) time.Duration {
	for _, number := range numbers {
		var ms float64
		if number != nil && json.Unmarshal(number, &ms) == nil && ms > 0 && ms < float64(taskTTL/time.Millisecond) {
			return time.Duration(ms) * time.Millisecond
		}
	}
	return 0
}
