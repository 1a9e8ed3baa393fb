package conform

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// knownMutants have tools and prompts that only know the values that another tool lists, as most servers have, or whose results
// depend on them.
func knownMutants() map[string][]mutant {
	return map[string][]mutant{
		"TOOL-033": {{name: "marks what it returns as read", on: OnPipe, defect: marksAsRead},
			{name: "marks as read, also in other checks", on: OnPipe, with: []string{"CANCEL-003", "TOOL-0*", "RPC-02*"}, defect: marksAsRead}},
		"RPC-023": {{name: "one pending ticket for all calls", on: OnPipe, defect: func(s *exemplar.Server) {
			var mu sync.Mutex
			pending := 0
			tickets(s, func(_ *exemplar.Call, id int) string {
				mu.Lock()
				pending = id
				mu.Unlock()
				time.Sleep(20 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				return fmt.Sprintf(`{"id":%d}`, pending)
			}, nil)
		}}},
		"PROMPT-015": {{name: "only for known tickets", defect: func(s *exemplar.Server) {
			tickets(s, func(_ *exemplar.Call, id int) string { return fmt.Sprintf(`{"id":%d}`, id) }, nil)
			wrap := s.Wrap
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				next = wrap(next)
				return func(c *exemplar.Call) []byte { return replyPrompt(c, next) }
			}
		}}},
		"TOOL-042": {{name: "a cache without a flag", on: OnPipe, defect: func(s *exemplar.Server) {
			var stored sync.Map
			toolsOf(`{"name":"quote","description":"Returns the price of a parcel.","inputSchema":{"type":"object","properties":{"weight":`+
				`{"type":"integer","minimum":1,"maximum":30},"insured":{"type":"boolean","default":false}},"required":["weight"],`+
				`"additionalProperties":false},"annotations":{"readOnlyHint":true}}`, func(c *exemplar.Call, _ string, a json.RawMessage) string {
				price := map[bool]int{false: 4, true: 6}[string(At(a, "/insured")) == "true"]
				price += int(schema.Plain(At(a, "/weight"))[0])
				known, _ := stored.LoadOrStore([2]any{peerOf(c), string(At(a, "/weight"))}, price)
				return fmt.Sprintf(`{"price":%d}`, known)
			})(s)
		}}},
		"TOOL-054": {{name: "a date for a cursor", defect: partsTool("Lists the parts.", `"cursor":{"type":"string"}`, "", func(a pageArguments) string {
			from, _ := strconv.Atoi(a.Cursor)
			return strings.Replace(itemsFrom(from, 4), "{", fmt.Sprintf(`{"next_cursor":%s,`, map[bool]string{false: "null",
				true: strconv.Quote(strconv.Itoa(from + 5))}[from+5 < 11]), 1)
		})}},
		"TOOL-060": {{name: "a total of 32 bits", defect: orders(func(n int64) int64 {
			return int64(int32((300 + 4250*n) & math.MaxUint32)) //nolint:gosec // it wraps
		})}},
	}
}

// marksAsRead lets a tool mark the ticket that it returns as read.
func marksAsRead(s *exemplar.Server) {
	var read sync.Map
	tickets(s, func(c *exemplar.Call, id int) string {
		read.Store([2]any{peerOf(c), id}, true)
		return fmt.Sprintf(`{"id":%d,"subject":"A broken lamp"}`, id)
	}, func(c *exemplar.Call, id int) string {
		_, was := read.Load([2]any{peerOf(c), id})
		return fmt.Sprintf(`{"id":%d,"read":%v}`, id, was)
	})
}

// orders adds a tool that returns the price of an order.
func orders(total func(quantity int64) int64) func(*exemplar.Server) {
	return extraTools(`{"name":"quote_order","description":"Returns the price of an order.","inputSchema":{"type":"object","properties":`+
		`{"quantity":{"type":"integer","minimum":1,"maximum":1000000}},"required":["quantity"],"additionalProperties":false},`+
		`"annotations":{"readOnlyHint":true}}`, func(_ string, a json.RawMessage) string {
		n, _ := strconv.ParseInt(string(At(a, "/quantity")), 10, 64)
		return fmt.Sprintf(`{"order":{"total":%d}}`, total(n))
	})
}

// tickets adds a tool that lists five tickets, and one that returns a ticket. entry is an item of the list; nil for the ID alone.
func tickets(s *exemplar.Server, get, entry func(c *exemplar.Call, id int) string) {
	toolsOf(`{"name":"list_tickets","description":"Lists the tickets.","inputSchema":{"type":"object","additionalProperties":false},`+
		`"annotations":{"readOnlyHint":true}},{"name":"get_ticket","description":"Returns a ticket.","inputSchema":{"type":"object",`+
		`"properties":{"ticket_id":{"type":"integer"}},"required":["ticket_id"],"additionalProperties":false},`+
		`"annotations":{"readOnlyHint":true}}`, func(c *exemplar.Call, name string, a json.RawMessage) string {
		var items []string
		for _, id := range []int{4101, 4102, 4103, 4104, 4105} {
			if string(At(a, "/ticket_id")) == strconv.Itoa(id) {
				return get(c, id)
			}
			item := fmt.Sprintf(`{"id":%d}`, id)
			if entry != nil {
				item = entry(c, id)
			}
			items = append(items, item)
		}
		if name == "get_ticket" {
			return "there is no such ticket"
		}
		return `{"tickets":[` + strings.Join(items, ",") + `]}`
	})(s)
}

// replyPrompt adds a prompt about a ticket that inserts undefined for a signature that is omitted.
func replyPrompt(c *exemplar.Call, next exemplar.Handler) []byte {
	const name = "draft_reply"
	switch {
	case c.Method == "prompts/list" && At(c.Params, "/cursor") == nil:
		return edited(next(c), set("/result/prompts/-", `{"name":"`+name+`","description":"Drafts a reply.","arguments":[`+
			`{"name":"ticket","description":"The ticket.","required":true},{"name":"signature","description":"Who signs."}]}`))
	case c.Method != "prompts/get" || schema.TextAt(c.Params, "/name") != name:
		return next(c)
	}
	ticket, signature := schema.TextAt(c.Params, "/arguments/ticket"), "undefined"
	if given := At(c.Params, "/arguments/signature"); given != nil {
		signature, _ = schema.Text(given)
	}
	if !strings.HasPrefix(ticket, "410") {
		return c.Refuse(-32602, "there is no such ticket")
	}
	raw, _ := json.Marshal("Reply to ticket " + ticket + ". Sign as " + signature + ".") // a string always marshals
	return succeed(c, `{"messages":[{"role":"user","content":{"type":"text","text":`+string(raw)+`}}]}`)
}
