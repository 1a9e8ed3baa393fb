package tenants

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A call is one request.
type call struct {
	*Server
	in          *session
	user, token string
	m           serve.Message
	w           http.ResponseWriter
	modern      bool // of 2026-07-28
}

func (c *call) param(names ...string) string {
	raw := c.m.Params
	for _, name := range names {
		raw = serve.Members(raw)[name]
	}
	var text string
	_ = json.Unmarshal(raw, &text)
	return text
}

func (c *call) ok(result string) { reply(c.w, c.m.ID, result) }

func (c *call) handle() {
	switch c.m.Method {
	case "ping", "logging/setLevel":
		c.ok(`{}`)
	case "tools/list":
		c.ok(c.cached(cachedList, c.m.Method, c.toolList))
	case "tools/call":
		c.callTool()
	case "prompts/list":
		c.ok(`{"prompts":[{"name":"greet","arguments":[{"name":"name","required":true}]}]}`)
	case "prompts/get":
		c.ok(fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":%q}}]}`,
			c.user+" greets "+c.param("arguments", "name")))
	case "resources/list":
		c.ok(c.resourceList())
	case "resources/templates/list":
		c.ok(`{"resourceTemplates":[{"name":"note","uriTemplate":"note://{id}"}]}`)
	case "resources/read":
		c.read()
	case "resources/subscribe", "resources/unsubscribe":
		c.watch()
	default:
		if strings.HasPrefix(c.m.Method, "tasks/") {
			c.task()
			return
		}
		refuse(c.w, c.m.ID, -32601, "unknown method")
	}
}

// cached returns a value from a cache whose key has the user, or lacks it if that is the leak.
func (c *call) cached(leak, key string, compute func() string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leak != leak {
		key = c.user + " " + key
	}
	if c.cache[key] == "" {
		c.cache[key] = compute()
	}
	return c.cache[key]
}

const tool = `{"name":%q,"inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},` +
	`"annotations":{"readOnlyHint":true,"openWorldHint":false},"execution":{"taskSupport":"optional"}}`

// own is the tool that only one user has.
func own(user string) string { return user + "_report" }

func (c *call) toolList() string {
	more := ""
	if c.modern {
		more = fmt.Sprintf(tool, "job") + ","
	}
	return `{"tools":[` + more + fmt.Sprintf(tool, "search") + "," + fmt.Sprintf(tool, "coin") + "," +
		fmt.Sprintf(tool, "clock") + "," + fmt.Sprintf(tool, "sessions") + "," + fmt.Sprintf(tool, own(c.user)) + `]}`
}

func (c *call) callTool() {
	name, text := c.param("name"), c.param("arguments", "text")
	if name == "job" && c.modern {
		c.startTask(text)
		return
	}
	if name != "search" && c.public(name) == "" && name != own(c.user) && c.leak != hiddenTool {
		refuse(c.w, c.m.ID, -32602, "unknown tool")
		return
	}
	if serve.Members(c.m.Params)["task"] != nil {
		c.startTask(text)
		return
	}
	if result := c.public(name); result != "" {
		c.ok(fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, result))
		return
	}
	out := c.output()
	out.write(logMessage("called with " + text))
	if c.leak == logBroadcast {
		c.broadcast(logMessage(c.user+" searches "+text), nil)
	}
	if c.leak == allUpdates {
		c.broadcast(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"profile://me"}}`, nil)
	} else {
		c.broadcast(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"profile://me"}}`,
			func(in *session) bool { return in.user == c.user && in.watches["profile://me"] })
	}
	c.progress(out, c.param("_meta", "progressToken"))
	if c.leak == requestUser {
		c.mu.Lock()
		c.current = c.user
		c.mu.Unlock()
		time.Sleep(5 * time.Millisecond) // another request comes in between
	}
	result := c.cached(resultCache, "search "+text, func() string { return c.as() + "@example.com found " + text })
	if c.leak == lastToken {
		c.mu.Lock()
		result += " after " + c.Server.token
		c.Server.token = c.token
		c.mu.Unlock()
	}
	c.mu.Lock()
	c.recent = append(c.recent, c.user+" "+text)
	c.mu.Unlock()
	out.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%q}]}}`, c.m.ID, result))
}

// public returns the result of a tool that depends on chance, on the time or on how many sessions there are, and not on
// the user. It is empty for other tools.
func (c *call) public(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch name {
	case "coin":
		return []string{"heads", "tails"}[rand.IntN(2)]
	case "clock":
		return time.Now().Format(time.RFC1123)
	case "sessions":
		return fmt.Sprintf("%d sessions", len(c.sessions))
	}
	return ""
}

func logMessage(text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%q}}`, text)
}

// as returns the user that another service sees. The caller holds the lock.
func (c *call) as() string {
	switch c.leak {
	case currentUser, requestUser:
		return c.current
	case upstreamPool:
		if c.idle == "" {
			c.idle = c.user // a new connection, which stays idle for the next call
		}
		return c.idle
	}
	return c.user
}

// broadcast sends a message to sessions; a nil filter means all.
func (c *call) broadcast(message string, to func(*session) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, in := range c.sessions {
		if to == nil || to(in) {
			in.send(message)
		}
	}
}

// progress sends two notifications.
func (c *call) progress(out *output, token string) {
	if token == "" {
		return
	}
	message := func(n int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%q,"progress":%d}}`,
			token, n)
	}
	if c.leak == lateProgress {
		c.broadcast(message(1), nil)
		return
	}
	if c.leak != tokenProgress {
		out.write(message(1))
		out.write(message(2))
		return
	}
	c.mu.Lock()
	mine := make(chan string, 10)
	c.byToken[token] = mine // replaces the stream of another call with the same token
	c.mu.Unlock()
	time.Sleep(30 * time.Millisecond)
	c.mu.Lock()
	for n := range 2 {
		c.byToken[token] <- message(n + 1)
	}
	c.mu.Unlock()
	time.Sleep(30 * time.Millisecond)
	for len(mine) > 0 {
		out.write(<-mine)
	}
}
