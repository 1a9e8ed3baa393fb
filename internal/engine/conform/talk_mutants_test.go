package conform

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func talkMutants() map[string][]mutant {
	return map[string][]mutant{
		"LOG-001": {{name: "knows seven", defect: about("logging/setLevel", `"notice"`,
			func(c *exemplar.Call) []byte { return c.Refuse(-32602, "unknown level") })}},
		"LOG-002": {
			{name: "breaks", defect: about("logging/setLevel", "no-such-level",
				func(c *exemplar.Call) []byte { return c.Refuse(-32603, "boom") })},
			{name: "takes it", defect: about("logging/setLevel", "no-such-level",
				func(c *exemplar.Call) []byte { return succeed(c, `{}`) })},
		},
		"LOG-003": {{name: "chats", also: []string{"LOG-004"}, defect: onCall("count", func(c *exemplar.Call) {
			c.Notify("notifications/message", `{"level":"debug","data":"counting"}`)
		})}},
		"LOG-006": {{name: "remembers", on: OnPipe, defect: remembersLevel}},
		"LOG-004": {{name: "chats", defect: onCall("count", func(c *exemplar.Call) {
			if At(c.Params, "/_meta/io.modelcontextprotocol~1logLevel") == nil {
				c.Notify("notifications/message", `{"level":"debug","data":"counting"}`)
			}
		})}},
		"PROG-001": {{name: "a token of its own",
			defect: sends("notifications/progress", func(c *exemplar.Call, m []byte) []byte {
				return edited(m, set("/params/progressToken", `"made-up"`))
			})}},
		"PROG-002": {{name: "stands still", defect: sends("notifications/progress",
			func(c *exemplar.Call, m []byte) []byte {
				return edited(m, set("/params/progress", `1`))
			})}, {name: "backwards, if there are several", defect: planned(func(i, days int) int { return days - i })}},
		"PROG-003": {{name: "too late", process: true,
			defect: answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
				token := At(c.Params, "/_meta/progressToken")
				if schema.TextAt(c.Params, "/name") != "count" || token == nil {
					return r
				}
				return fmt.Appendf(r, "\n"+`{"jsonrpc":"2.0","method":"notifications/progress",`+
					`"params":{"progressToken":%s,"progress":4}}`, token)
			})}},
		"PROG-004": {{name: "unasked", defect: onCall("count", func(c *exemplar.Call) {
			if At(c.Params, "/_meta/progressToken") == nil {
				c.Notify("notifications/progress", `{"progressToken":"made-up","progress":1}`)
			}
		})}},
		"CANCEL-001": {{name: "is lost", process: true, defect: lostAfter("mcptest-cancelled-")}},
		"CANCEL-002": {{name: "is lost", process: true, defect: lostAfter("mcptest-never-asked")}},
		"SUB-001":    {{name: "refuses", defect: refused("resources/unsubscribe", -32603, "no")}},
		"SUB-002": {{name: "tells everybody", defect: onCall("count", func(c *exemplar.Call) {
			c.Notify("notifications/resources/updated", `{"uri":"note://one"}`)
		})}},
		"SUB-003": {
			{name: "refuses", also: []string{"TASK-023"}, defect: about("subscriptions/listen", "",
				func(c *exemplar.Call) []byte { return c.Refuse(-32603, "no") })},
			{name: "begins with news", defect: sends("notifications/subscriptions/acknowledged",
				func(c *exemplar.Call, m []byte) []byte {
					return []byte(strings.Replace(string(m), "subscriptions/acknowledged", "tools/list_changed", 1))
				})},
		},
		"SUB-004": {{name: "promises more", defect: sends("notifications/subscriptions/acknowledged",
			func(c *exemplar.Call, m []byte) []byte {
				return edited(m, set("/params/notifications/resourcesListChanged", `true`))
			})}},
		"SUB-005": {{name: "nameless", defect: sends("notifications/subscriptions/acknowledged",
			func(c *exemplar.Call, m []byte) []byte {
				return edited(m, remove("/params/_meta"))
			})}, {name: "nameless updates", defect: updatesWithoutID}, {name: "a string", defect: sends("notifications/subscriptions/acknowledged",
			func(c *exemplar.Call, m []byte) []byte {
				id := At(m, "/params/_meta/io.modelcontextprotocol~1subscriptionId")
				return edited(m, set("/params/_meta/io.modelcontextprotocol~1subscriptionId", `"`+string(id)+`"`))
			})}},
		"SUB-007": {{name: "goes on", on: OnPipe, defect: updatesAfterEnd}},
		"SUB-008": {{name: "says nothing", defect: moving(stock)},
			{name: "says nothing about calls", also: []string{"TOOL-033", "TOOL-036"}, defect: recording(false, func(tools []string) string {
				return "used: " + strings.Join(tools, ", ")
			})}},
		"SUB-006": {{name: "is lost", process: true,
			defect: lostAfter("subscriptions/listen", "notifications/cancelled")}},
		"ELICIT-001": {{name: "another field", defect: asks(`"required":["name"]`, `"required":["nickname"]`)}},
		"ELICIT-002": {{name: "asks anyway", defect: callsWith(func(params string) bool {
			return schema.TextAt([]byte(params),
				"/name") == "model"
		},
			func(c *exemplar.Call) []byte {
				c.Ask("sampling/createMessage", `{"maxTokens":10,"messages":[{"role":"user","content":{"type":"text",`+
					`"text":"One word, please."}}]}`)
				return succeed(c, `{"content":[]}`)
			})}},
		"ELICIT-003": {{name: "reads the content",
			defect: onResponse(func(c *exemplar.Call, action string, _ []byte) []byte {
				return failUnless(c, action == "accept", "Cannot read properties of undefined (reading 'name')")
			})},
			{name: "breaks if it is closed",
				defect: onResponse(func(c *exemplar.Call, action string, _ []byte) []byte {
					return failUnless(c, action != "cancel", "AttributeError: 'NoneType' object has no attribute 'name'")
				})},
			{name: "waits forever", patience: time.Second, defect: onResponse(
				func(c *exemplar.Call, action string, r []byte) []byte {
					if action != "accept" {
						<-c.Ctx.Done()
						return nil
					}
					return r
				})},
			{name: "takes no for yes", defect: func(s *exemplar.Server) {
				asks(`"name":{"type":"string","title":"Name"}},"required":["name"]`, `"sure":{"type":"boolean"}}`)(s)
				inner := s.Wrap
				onResponse(func(c *exemplar.Call, _ string, _ []byte) []byte {
					return succeed(c, `{"content":[{"type":"text","text":"sent"}]}`)
				})(s)
				outer := s.Wrap
				s.Wrap = func(next exemplar.Handler) exemplar.Handler { return outer(inner(next)) }
			}}},
		"SAMP-001": {{name: "no room", defect: asks(`"maxTokens":10`, `"maxTokens":0`)}},
		"TASK-001": {{name: "at once", defect: about("tools/call", `"task":{`, func(c *exemplar.Call) []byte {
			if schema.TextAt(c.Params, "/name") != "research" {
				return c.Refuse(-32601, "not as a task")
			}
			return c.Result(`{"content":[]}`)
		})}},
		"TASK-002": {{name: "of another", defect: answer("tasks/get", func(c *exemplar.Call, r []byte) []byte {
			return edited(r, set("/result/taskId", `"task-0"`))
		})}},
		"TASK-003": {{name: "nameless", defect: reply("tasks/result", remove("/result/_meta"))}},
		"TASK-004": {{name: "makes one up", defect: about("tasks/get", "no-such-task", func(c *exemplar.Call) []byte {
			return c.Result(`{"taskId":"mcptest-no-such-task","status":"failed","createdAt":"2026-01-01T00:00:00Z",` +
				`"lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}`)
		})}},
		"TASK-005": {
			{name: "forgets", defect: answer("tasks/list", func(c *exemplar.Call, r []byte) []byte {
				if strings.Contains(string(c.Params), "cursor") {
					return r
				}
				return edited(r, set("/result/tasks", `[]`))
			})},
			{name: "starts over", defect: anyCursor("tasks/list")},
		},
		"TASK-006": {{name: "agrees", defect: answer("tasks/cancel", func(c *exemplar.Call, r []byte) []byte {
			if !strings.Contains(string(r), "the task is over") {
				return r
			}
			return c.Result(`{"taskId":"task-1","status":"cancelled","createdAt":"2026-01-01T00:00:00Z",` +
				`"lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}`)
		})}},
		"TASK-007": {{name: "waits", defect: callsWith(func(params string) bool {
			return schema.TextAt([]byte(params), "/name") == "survey" && At([]byte(params), "/task") == nil
		}, func(c *exemplar.Call) []byte { return succeed(c, `{"content":[]}`) })}},
		"TASK-008": {{name: "does it", defect: callsWith(func(params string) bool {
			return schema.TextAt([]byte(params), "/name") == "echo" && At([]byte(params), "/task") != nil
		}, func(c *exemplar.Call) []byte { return succeed(c, `{"content":[]}`) })}},
		"MRTR-001": {{name: "says nothing", defect: callsOf("model", remove("/result/inputRequests"),
			remove("/result/requestState"))}},
		"MRTR-002": {{name: "asks anyway", defect: answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
			if schema.TextAt(c.Params, "/name") != "model" || string(At(r, "/error/code")) != "-32021" {
				return r
			}
			return c.Result(`{"resultType":"input_required","inputRequests":{"answer":{"method":"roots/list"}}}`)
		})}, {name: "asks for what is not given", defect: callsWith(func(params string) bool {
			return schema.TextAt([]byte(params), "/name") == "count" && At([]byte(params), "/arguments/limit") == nil &&
				string(At([]byte(params), "/_meta/io.modelcontextprotocol~1clientCapabilities")) == "{}"
		}, func(c *exemplar.Call) []byte {
			return c.Result(`{"resultType":"input_required","inputRequests":{"limit":{"method":"roots/list"}}}`)
		})}},
		"MRTR-003": {{name: "forgets", defect: callsWith(func(params string) bool {
			return At([]byte(params),
				"/inputResponses/answer") != nil
		},
			func(c *exemplar.Call) []byte { return c.Refuse(-32602, "unknown state") })}},
		"MRTR-004": {{name: "believes", defect: callsWith(func(params string) bool {
			return strings.HasSuffix(schema.TextAt([]byte(params), "/requestState"), "-changed")
		},
			func(c *exemplar.Call) []byte { return succeed(c, `{"content":[]}`) })}},
		"MRTR-005": {{name: "breaks", defect: callsWith(func(params string) bool {
			return string(At([]byte(params),
				"/inputResponses")) == "{}"
		},
			func(c *exemplar.Call) []byte { return c.Refuse(-32603, "boom") })}},
		"MRTR-006": {{name: "minds", defect: callsWith(func(params string) bool {
			return At([]byte(params),
				"/inputResponses/mcptest-unknown") != nil
		},
			func(c *exemplar.Call) []byte { return c.Refuse(-32602, "unknown answer") })}},
	}
}

// remembersLevel applies the log level of a request to all later ones of the connection.
func remembersLevel(s *exemplar.Server) {
	const level = "/_meta/io.modelcontextprotocol~1logLevel"
	var levels sync.Map
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if c.Method != "tools/call" || c.Fault != nil {
				return next(c)
			}
			if given := At(c.Params, level); given != nil {
				levels.Store(peerOf(c), given)
			} else if last, ok := levels.Load(peerOf(c)); ok && schema.TextAt(c.Params, "/name") == "count" &&
				string(last.(json.RawMessage)) == `"debug"` {
				c.Notify("notifications/message", `{"level":"info","data":"counted"}`)
			}
			return next(c)
		}
	}
}

// onCall does something before a tool is called.
func onCall(tool string, do func(*exemplar.Call)) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == "tools/call" && c.Fault == nil && schema.TextAt(c.Params, "/name") == tool {
					do(c)
				}
				return next(c)
			}
		}
	}
}

// sends changes the notifications of a method.
func sends(method string, change func(c *exemplar.Call, message []byte) []byte) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				changed := *c
				changed.Send = func(message []byte) {
					if schema.TextAt(message, "/method") == method {
						message = change(c, message)
					}
					c.Send(message)
				}
				return next(&changed)
			}
		}
	}
}

// onResponse changes the result of the tool that elicits, by the action of the user.
func onResponse(change func(c *exemplar.Call, action string, reply []byte) []byte) func(*exemplar.Server) {
	return answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
		text := strings.TrimPrefix(schema.TextAt(r, "/result/content/0/text"), "answered: ")
		action := schema.TextAt([]byte(text), "/action") + schema.TextAt([]byte(text), "/result/action")
		if action != "" && schema.TextAt(c.Params, "/name") == "ask" {
			return change(c, action, r)
		}
		return r
	})
}

// failUnless is a result that is an error with this text, unless all is well.
func failUnless(c *exemplar.Call, well bool, text string) []byte {
	if well {
		return succeed(c, `{"content":[{"type":"text","text":"thanks"}]}`)
	}
	return succeed(c, fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"isError":true}`, text))
}

// asks changes what the server asks of its client: its requests, and the wishes in its answers.
func asks(from, to string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				changed := *c
				changed.Ask = func(method, params string) (json.RawMessage, bool) {
					return c.Ask(method, strings.Replace(params, from, to, 1))
				}
				r := next(&changed)
				if c.Method != "tools/call" {
					return r
				}
				return []byte(strings.Replace(string(r), from, to, 1))
			}
		}
	}
}

// lostAfter answers everything with an error once lines with these texts have come, one after the other. It is a
// process of its own, so that what it has heard is what one client said.
func lostAfter(texts ...string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var heard atomic.Int64
		s.Input = func(_ *exemplar.Line, line []byte) bool {
			if n := int(heard.Load()); n < len(texts) && strings.Contains(string(line), texts[n]) {
				heard.Add(1)
			}
			return false
		}
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if int(heard.Load()) == len(texts) {
					return c.Refuse(-32603, "cancelled")
				}
				return next(c)
			}
		}
	}
}

// updatesWithoutID sends an update without the ID of the subscription, some time after its start.
func updatesWithoutID(s *exemplar.Server) {
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if c.Method != "subscriptions/listen" || !c.Modern || c.Fault != nil ||
				At(c.Params, "/notifications/resourceSubscriptions") == nil {
				return next(c)
			}
			done := make(chan struct{})
			timer := time.AfterFunc(400*time.Millisecond, func() {
				defer close(done)
				c.Notify("notifications/resources/updated", `{"uri":"note://one"}`)
			})
			r := next(c)
			if !timer.Stop() {
				<-done
			}
			return r
		}
	}
}

// updatesAfterEnd sends an update half a second after a subscription has ended.
func updatesAfterEnd(s *exemplar.Server) {
	s.Input = func(l *exemplar.Line, line []byte) bool {
		update := func(meta string) {
			time.AfterFunc(500*time.Millisecond, func() {
				l.Write([]byte(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{` + meta +
					`"uri":"note://one"}}`))
			})
		}
		switch schema.TextAt(line, "/method") {
		case "resources/unsubscribe":
			update("")
		case "notifications/cancelled":
			if id := At(line, "/params/requestId"); id != nil {
				update(`"_meta":{"io.modelcontextprotocol/subscriptionId":` + string(id) + `},`)
			}
		}
		return false
	}
}
