package exemplar

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A task is a call whose result the client fetches later. Tasks of this server are completed on the first request.
type task struct {
	id     string
	status string
	result string // of the call
	asks   string // the input requests that it waits for; empty if it has the input
}

// taskTools are the tools that run as tasks, in the revisions that have them.
func taskTools(c *Call) []string {
	const input = `"inputSchema":{"type":"object","additionalProperties":false},"annotations":{"readOnlyHint":true}`
	switch {
	case c.Revision == "2025-11-25":
		return []string{`{"name":"research","description":"Takes its time.",` + input +
			`,"execution":{"taskSupport":"optional"}}`,
			`{"name":"survey","description":"Takes even longer.",` + input + `,"execution":{"taskSupport":"required"}}`}
	case c.Modern:
		return []string{`{"name":"research","description":"Takes its time.",` + input + `}`,
			`{"name":"interview","description":"Asks for a name while it runs, so it runs only as a task.",` + input + `}`}
	}
	return nil
}

const taskMoment = `"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z"`

// startTask handles a call that becomes a task.
func (c *Call) startTask(name string) []byte {
	wish := serve.Members(c.Params)["task"] != nil
	switch {
	case c.Revision == "2025-11-25" && name == "survey" && !wish:
		return c.fail(serve.CodeMethodNotFound, "the tool runs only as a task")
	case c.Revision == "2025-11-25" && wish:
		t := c.Server.newTask(`{"content":[{"type":"text","text":"found"}]}`)
		return c.Result(`{"task":` + t.legacy() + `}`)
	case c.Modern && c.extension():
		t := c.Server.newTask(`{"resultType":"complete","content":[{"type":"text","text":"found"}]}`)
		return c.Result(t.modern("task", c))
	}
	return c.toolText("found")
}

// interview handles a call of a tool that asks while it runs.
func (c *Call) interview() []byte {
	switch {
	case !c.extension():
		return c.missing(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
	case !c.declared("elicitation"):
		return c.missing(`{"elicitation":{}}`)
	}
	t := c.Server.newTask(`{"resultType":"complete","content":[{"type":"text","text":"met"}]}`)
	t.status, t.asks = "input_required", `{"name-1":{"method":"elicitation/create","params":{"mode":"form",`+
		`"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},`+
		`"required":["name"]}}}}`
	return c.Result(t.modern("task", c))
}

// missing rejects a request that needs capabilities which its client has not declared.
func (c *Call) missing(capabilities string) []byte {
	return serve.Failure(c.ID, &serve.Error{Code: serve.CodeMissingCapability,
		Message: "the client has not declared what this needs",
		Data:    json.RawMessage(`{"requiredCapabilities":` + capabilities + `}`)})
}

// extension reports whether the client has declared the extension.
func (c *Call) extension() bool {
	return serve.Members(serve.Members(c.Declared())["extensions"])["io.modelcontextprotocol/tasks"] != nil
}

// Declared returns the capabilities of the client.
func (c *Call) Declared() json.RawMessage {
	if c.Modern {
		return serve.Members(serve.Members(c.Params)["_meta"])[serve.MetaCapabilities]
	}
	c.Peer.mu.Lock()
	defer c.Peer.mu.Unlock()
	return c.Peer.capabilities
}

func (s *Server) newTask(result string) *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &task{id: fmt.Sprintf("task-%d", len(s.tasks)+1), status: "working", result: result}
	s.tasks = append(s.tasks, t)
	return t
}

func (t *task) legacy() string {
	return fmt.Sprintf(`{"taskId":%q,"status":%q,%s,"ttl":60000,"pollInterval":50}`, t.id, t.status, taskMoment)
}

func (t *task) modern(kind string, c *Call) string {
	result := ""
	if t.status == "completed" {
		result = `,"result":` + t.result
	}
	if t.status == "input_required" && kind == "complete" {
		result = `,"inputRequests":` + t.asks
	}
	return fmt.Sprintf(`{"resultType":%q,"_meta":{"%s":%s},"taskId":%q,"status":%q,%s,"ttlMs":60000,`+
		`"pollIntervalMs":50%s}`,
		kind, serve.MetaServerInfo, c.Server.plan().Info, t.id, t.status, taskMoment, result)
}

// tasks handles requests about tasks.
func (c *Call) tasks() []byte {
	if c.Modern && !c.extension() {
		return c.missing(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
	}
	s := c.Server
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Method == "tasks/list" && !c.Modern {
		if serve.Members(c.Params)["cursor"] != nil {
			return c.fail(serve.CodeInvalidParams, "unknown cursor")
		}
		var all []string
		for _, t := range s.tasks {
			all = append(all, t.legacy())
		}
		return c.Result(`{"tasks":[` + strings.Join(all, ",") + `]}`)
	}
	id := text(c.Params, "taskId")
	for _, t := range s.tasks {
		if t.id == id {
			return c.aboutTask(t)
		}
	}
	return c.fail(serve.CodeInvalidParams, "unknown task %q", id)
}

func (c *Call) aboutTask(t *task) []byte {
	switch {
	case c.Method == "tasks/cancel" && t.status == "completed":
		if c.Modern {
			return c.complete26("{}", false)
		}
		return c.fail(serve.CodeInvalidParams, "the task is over")
	case c.Method == "tasks/cancel" && t.status != "cancelled":
		t.status = "cancelled"
	case c.Method == "tasks/update" && t.status == "input_required":
		if serve.Members(serve.Members(c.Params)["inputResponses"])["name-1"] != nil {
			t.status = "working"
		}
	case t.status == "working":
		t.status = "completed"
	}
	switch {
	case c.Modern && c.Method != "tasks/get":
		return c.complete26("{}", false)
	case c.Modern:
		return c.Result(t.modern("complete", c))
	case c.Method == "tasks/result":
		return c.Result(t.result[:len(t.result)-1] + `,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` +
			t.id + `"}}}`)
	}
	return c.Result(t.legacy())
}

// isTask reports whether a method is a task method of the revision.
func (c *Call) isTask() bool {
	switch c.Method {
	case "tasks/get", "tasks/cancel":
		return c.Modern || c.Revision == "2025-11-25"
	case "tasks/result", "tasks/list":
		return c.Revision == "2025-11-25"
	case "tasks/update":
		return c.Modern
	}
	return false
}
