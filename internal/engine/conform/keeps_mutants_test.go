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

// keepsMutants have a read-only tool that stops to work after other calls.
func keepsMutants() map[string][]mutant {
	return map[string][]mutant{
		"TOOL-033": {{name: "marks as read in all sessions", with: []string{"TOOL-0*", "RPC-02*"}, defect: func(s *exemplar.Server) {
			var read sync.Map
			tickets(s, func(_ *exemplar.Call, id int) string {
				read.Store(id, true)
				return fmt.Sprintf(`{"id":%d,"subject":"A broken lamp"}`, id)
			}, func(_ *exemplar.Call, id int) string {
				_, was := read.Load(id)
				return fmt.Sprintf(`{"id":%d,"read":%v}`, id, was)
			})
		}}},
		"RPC-023": {{name: "joins calls that differ in their unit", on: OnPipe, also: everyCheck(), defect: joinedByStation}},
		"PROMPT-015": {{name: "only one of two", defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte { return tonedPrompt(c, next) }
			}
		}}},
		"TOOL-065": {{name: "counts before the filter", defect: extraTools(ordersTool, func(_ string, a json.RawMessage) string {
			return filteredOrders(a, 30)
		})}},
		"COMP-007": {{name: "suggests the cities of all countries", defect: cities(func(string) []string { return []string{"lyon", "bilbao"} })}},
		"TOOL-064": {{name: "versions sorted as texts", defect: releases(`["2.0.0","1.9.0","1.11.2","1.10.0"]`)}},
		"TOOL-063": {
			{name: "a lock that a failed call keeps", on: OnHTTP, only: []string{"2025-11-25"}, patience: time.Second, defect: func(s *exemplar.Server) {
				var held sync.Mutex
				partsLeft(func(c *exemplar.Call, code string) string {
					for !held.TryLock() {
						select {
						case <-c.Ctx.Done():
							return "the call was given up"
						case <-time.After(5 * time.Millisecond):
						}
					}
					if !strings.HasPrefix(code, "BOLT") {
						return "wrong code " + code // without releasing the lock
					}
					held.Unlock()
					return `{"left":12}`
				})(s)
			}},
			{name: "a counter that calls use up", with: []string{"TOOL-0*"}, defect: func(s *exemplar.Server) {
				var used atomic.Int64
				partsLeft(func(_ *exemplar.Call, code string) string {
					if n := used.Add(1); n > 3 {
						return "this code has no uses left"
					}
					return `{"left":12}`
				})(s)
			}},
		},
	}
}

// partsLeft adds a tool that lists the codes of parts, and one that returns how many of a part are left.
func partsLeft(left func(c *exemplar.Call, code string) string) func(*exemplar.Server) {
	return toolsOf(`{"name":"list_parts","description":"Lists the parts.","inputSchema":{"type":"object","additionalProperties":false},`+
		`"annotations":{"readOnlyHint":true}},{"name":"get_part","description":"Returns how many of a part are left.","inputSchema":{"type":"object",`+
		`"properties":{"part":{"type":"string","maxLength":20,"description":"Code of the part."}},"required":["part"],"additionalProperties":false},`+
		`"annotations":{"readOnlyHint":true}}`, func(c *exemplar.Call, name string, a json.RawMessage) string {
		if name == "list_parts" {
			return fmt.Sprintf(`{"parts":[{"code":%q},{"code":%q}]}`, "BOLT-M4", "BOLT-M5")
		}
		return left(c, schema.TextAt(a, "/part"))
	})
}

// tonedPrompt adds a prompt with a sentence about tone and length, which has undefined for the one that is omitted beside the other.
func tonedPrompt(c *exemplar.Call, next exemplar.Handler) []byte {
	const name = "draft_reply"
	switch {
	case c.Method == "prompts/list" && At(c.Params, "/cursor") == nil:
		return edited(next(c), set("/result/prompts/-", `{"name":"`+name+`","description":"Drafts a reply.","arguments":[`+
			`{"name":"tone","description":"The tone."},{"name":"words","description":"The length in words."}]}`))
	case c.Method != "prompts/get" || schema.TextAt(c.Params, "/name") != name:
		return next(c)
	}
	text, tone, words := "Draft a reply.", At(c.Params, "/arguments/tone"), At(c.Params, "/arguments/words")
	if tone != nil || words != nil {
		text += fmt.Sprintf(" Write in a %s tone, in at most %s words.", orUndefined(tone), orUndefined(words))
	}
	raw, _ := json.Marshal(text) // a string always marshals
	return succeed(c, `{"messages":[{"role":"user","content":{"type":"text","text":`+string(raw)+`}}]}`)
}

func orUndefined(raw json.RawMessage) string {
	if text, ok := schema.Text(raw); ok {
		return text
	}
	return "undefined"
}

// ordersTool lists orders in pages, with a filter.
const ordersTool = `{"name":"list_orders","description":"Lists the orders.","inputSchema":{"type":"object","properties":{"status":{"type":"string",` +
	`"enum":["open","shipped"]},"offset":{"type":"integer","minimum":0,"default":0},"limit":{"type":"integer","minimum":1,"maximum":20,` +
	`"default":20}},"additionalProperties":false},"annotations":{"readOnlyHint":true}}`

// filteredOrders returns a page of 30 orders, a third of which are open. The total is that of the filter if it is 0.
func filteredOrders(a json.RawMessage, total int) string {
	status := schema.TextAt(a, "/status")
	offset, limit := 0, 20
	_ = json.Unmarshal(At(a, "/offset"), &offset) // absent: 0
	_ = json.Unmarshal(At(a, "/limit"), &limit)
	var all []string
	for i := range 30 {
		if state := map[bool]string{true: "open", false: "shipped"}[i%3 == 0]; status == "" || status == state {
			all = append(all, fmt.Sprintf(`{"order":%d,"status":%q}`, 100+i, state))
		}
	}
	if total == 0 {
		total = len(all)
	}
	from := min(offset, len(all))
	return fmt.Sprintf(`{"total":%d,"orders":[%s]}`, total, strings.Join(all[from:min(from+limit, len(all))], ","))
}

// joinedByStation adds a tool that gives a call the result of another one in progress with the same station.
func joinedByStation(s *exemplar.Server) {
	var mu sync.Mutex
	running := map[string]string{}
	extraTools(`{"name":"get_reading","description":"Returns the reading of a station.","inputSchema":{"type":"object","properties":{`+
		`"station":{"type":"string","enum":["north"]},"unit":{"type":"string","enum":["metric","imperial"]}},"required":["station","unit"],`+
		`"additionalProperties":false},"annotations":{"readOnlyHint":true}}`, func(_ string, a json.RawMessage) string {
		station, unit := schema.TextAt(a, "/station"), schema.TextAt(a, "/unit")
		mu.Lock()
		joined, isRunning := running[station]
		if !isRunning {
			running[station], joined = unit, unit
		}
		mu.Unlock()
		time.Sleep(20 * time.Millisecond)
		if !isRunning {
			mu.Lock()
			delete(running, station)
			mu.Unlock()
		}
		return fmt.Sprintf(`{"station":%q,"unit":%q,"temperature":%d}`, station, joined, map[string]int{"metric": 20, "imperial": 68}[joined])
	})(s)
}
