package conform

import (
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// taskMutants break the rules of the tasks extension. One of each check shows that the transport makes no difference.
func taskMutants() map[string][]mutant {
	created := func(edit func(r []byte) []byte) func(*exemplar.Server) {
		return answer("tools/call", func(_ *exemplar.Call, r []byte) []byte {
			if schema.TextAt(r, "/result/resultType") != "task" {
				return r
			}
			return edit(r)
		})
	}
	return map[string][]mutant{
		"TASK-020": {
			{name: "breaks", defect: about("tasks/get", noSuchTask,
				func(c *exemplar.Call) []byte { return c.Refuse(-32603, "boom") })},
			{name: "cancels anything", on: OnPipe, defect: about("tasks/cancel", noSuchTask, acknowledges)},
		},
		"TASK-021": {
			{name: "makes one anyway", defect: callsWith(func(params string) bool {
				return schema.TextAt([]byte(params), "/name") == "research" && !declaresTasks(params)
			}, func(c *exemplar.Call) []byte {
				return c.Result(`{"resultType":"task","taskId":"task-9","status":"working",` +
					`"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null}`)
			})},
			{name: "no reason", on: OnPipe, defect: callsWith(func(params string) bool {
				return schema.TextAt([]byte(params), "/name") == "interview" && !declaresTasks(params)
			}, func(c *exemplar.Call) []byte { return c.Refuse(-32021, "declare more") })},
		},
		"TASK-022": {
			{name: "nothing", defect: reply("tasks/get", remove("/result/result"))},
			{name: "no questions", on: OnPipe, defect: reply("tasks/get", remove("/result/inputRequests"))},
			{name: "a task again", on: OnPipe, defect: answer("tasks/get", func(_ *exemplar.Call, r []byte) []byte {
				if At(r, "/error") != nil {
					return r
				}
				return edited(r, set("/result/resultType", `"task"`))
			})},
			{name: "another word", on: OnPipe, defect: answer("tasks/get", func(_ *exemplar.Call, r []byte) []byte {
				return []byte(strings.Replace(string(r), `"status":"completed"`, `"status":"done"`, 1))
			})},
		},
		"TASK-023": {
			{name: "gets", defect: undeclaredTo("tasks/get", func(c *exemplar.Call) []byte {
				return c.Result(`{"resultType":"complete","taskId":` + string(At(c.Params, "/taskId")) + `,` +
					`"status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z",` +
					`"ttlMs":null}`)
			})},
			{name: "updates", on: OnPipe, defect: undeclaredTo("tasks/update", acknowledges)},
			{name: "no reason", on: OnPipe, defect: undeclaredTo("tasks/get",
				func(c *exemplar.Call) []byte { return c.Refuse(-32021, "declare more") })},
			{name: "another code", on: OnPipe, defect: undeclaredTo("tasks/cancel",
				func(c *exemplar.Call) []byte { return c.Refuse(-32601, "not for you") })},
			{name: "subscribes", defect: undeclaredTo("subscriptions/listen", func(c *exemplar.Call) []byte {
				c.Notify("notifications/subscriptions/acknowledged", `{"_meta":{"io.modelcontextprotocol/subscriptionId":`+
					string(c.ID)+`},"notifications":`+string(At(c.Params, "/notifications"))+`}`)
				<-c.Ctx.Done()
				return nil
			})},
		},
		"TASK-024": {
			{name: "no start", defect: created(func(r []byte) []byte { return edited(r, remove("/result/createdAt")) })},
			{name: "no words of time", on: OnPipe, defect: created(func(r []byte) []byte {
				return edited(r, set("/result/lastUpdatedAt", `1767225600`))
			})},
			{name: "no end", on: OnPipe, defect: created(func(r []byte) []byte { return edited(r, remove("/result/ttlMs")) })},
			{name: "unknown", also: []string{"TASK-023"}, defect: created(func(r []byte) []byte {
				return edited(r, set("/result/taskId", `"task-later"`))
			})},
		},
		"TASK-025": {
			{name: "with a result", defect: fails(`"status":"failed","error":{"code":-32603,"message":"no"},` +
				`"result":{"content":[],"isError":true}`)},
			{name: "with the result as error", on: OnPipe,
				defect: fails(`"status":"failed","error":{"content":[],"isError":true}`)},
		},
		"TASK-026": {
			{name: "moves on", defect: cancellable},
		},
		"TASK-027": {
			{name: "says more", defect: answer("tasks/cancel", func(_ *exemplar.Call, r []byte) []byte {
				return edited(r, set("/result/status", `"cancelled"`))
			})},
			{name: "no type", on: OnPipe, defect: reply("tasks/update", remove("/result/resultType"))},
		},
		"TASK-028": {
			{name: "another question", defect: afterUpdate(func(asked string) string {
				return strings.Replace(asked, "Who are you?", "And you?", 1)
			})},
			{name: "once more", on: OnPipe, defect: afterUpdate(
				strings.NewReplacer(`"input_required"`, `"working"`, `"inputRequests"`, `"later"`).Replace,
				func(asked string) string { return asked })},
		},
		"TASK-029": {{name: "does not look", defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					if c.Method == "tasks/get" {
						c.Fault = nil
					}
					return next(c)
				}
			}
		}}},
	}
}

// acknowledges returns the empty result of a request.
func acknowledges(c *exemplar.Call) []byte {
	return edited(succeed(c, `{"ok":true}`), remove("/result/ok"))
}

func declaresTasks(params string) bool {
	return strings.Contains(params, "io.modelcontextprotocol/tasks")
}

// undeclaredTo answers a request about tasks whose client does not declare the extension.
func undeclaredTo(method string, h exemplar.Handler) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				params := string(c.Params)
				if c.Method != method || c.Fault != nil || declaresTasks(params) || !strings.Contains(params, `"task`) {
					return next(c)
				}
				return h(c)
			}
		}
	}
}

// fails ends completed tasks otherwise.
func fails(members string) func(*exemplar.Server) {
	return answer("tasks/get", func(_ *exemplar.Call, r []byte) []byte {
		if schema.TextAt(r, "/result/status") != "completed" {
			return r
		}
		return []byte(strings.Replace(string(edited(r, remove("/result/result"))), `"status":"completed"`, members, 1))
	})
}

// cancellable lets a completed task be cancelled.
func cancellable(s *exemplar.Server) {
	var cancelled sync.Map
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			id := schema.TextAt(c.Params, "/taskId")
			r := next(c)
			_, over := cancelled.Load(id)
			switch {
			case c.Method == "tasks/cancel" && At(r, "/error") == nil:
				cancelled.Store(id, true)
			case c.Method == "tasks/get" && over && schema.TextAt(r, "/result/status") == "completed":
				return edited(r, remove("/result/result"), set("/result/status", `"cancelled"`))
			}
			return r
		}
	}
}

// afterUpdate answers the polls after an update with changed versions of the poll before it, one after the other.
func afterUpdate(versions ...func(asked string) string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var mu sync.Mutex
		asked, polls := map[string]string{}, map[string]int{} // by task; polls since the update
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if !strings.HasPrefix(c.Method, "tasks/") {
					return next(c)
				}
				mu.Lock()
				defer mu.Unlock()
				id := schema.TextAt(c.Params, "/taskId")
				if n, updated := polls[id]; c.Method == "tasks/get" && c.Fault == nil && updated && n < len(versions) {
					polls[id]++
					return edited([]byte(versions[n](asked[id])), set("/id", string(c.ID)))
				}
				r := next(c)
				if c.Method == "tasks/get" && schema.TextAt(r, "/result/status") == "input_required" {
					asked[id] = string(r)
				}
				if _, waits := asked[id]; c.Method == "tasks/update" && waits && At(r, "/error") == nil {
					if _, again := polls[id]; !again {
						polls[id] = 0
					}
				}
				return r
			}
		}
	}
}
