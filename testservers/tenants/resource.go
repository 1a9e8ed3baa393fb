package tenants

import (
	"crypto/rand"
	"fmt"
	"strings"
)

func (c *call) resourceList() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := fmt.Sprintf(`{"name":"me","uri":"profile://me"},{"name":"team","uri":"doc://team"},`+
		`{"name":"diary","uri":"diary://%s"}`, c.user)
	if c.leak == recentList {
		for i := range c.recent {
			list += fmt.Sprintf(`,{"name":"recent","uri":"recent://%d"}`, i)
		}
	}
	return `{"resources":[` + list + `]}`
}

func (c *call) read() {
	uri := c.param("uri")
	text := ""
	switch kind, name, _ := strings.Cut(uri, "://"); {
	case uri == "profile://me":
		text = c.cached(fixedResource, uri, func() string { return "profile of " + c.as() + "@example.com" })
	case uri == "doc://team":
		text = "alice and bob work here"
	case kind == "note":
		text = c.cached(resourceCache, uri, func() string { return "note " + name + " of " + c.user })
	case kind == "diary" && (name == c.user || c.leak == hiddenResource):
		text = "diary"
	default:
		refuse(c.w, c.m.ID, -32002, "resource not found: "+uri)
		return
	}
	c.ok(fmt.Sprintf(`{"contents":[{"uri":%q,"text":%q}]}`, uri, text))
}

// watch changes a subscription.
func (c *call) watch() {
	uri := c.param("uri")
	if strings.HasPrefix(uri, "diary://") && uri != "diary://"+c.user {
		refuse(c.w, c.m.ID, -32002, "resource not found: "+uri)
		return
	}
	c.mu.Lock()
	c.in.watches[uri] = c.m.Method == "resources/subscribe"
	c.mu.Unlock()
	c.ok(`{}`)
}

// A task is a call whose result is fetched later. Tasks of this server run until they are cancelled; those of the
// extension also end by themselves, when they have been read often enough.
type task struct {
	id, user, status, text string
	reads                  int
}

// readsToEnd is how often a task of the extension is read until it is completed.
const readsToEnd = 5

func (c *call) startTask(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started++
	t := &task{id: rand.Text(), user: c.user, status: "working", text: text}
	if c.leak == taskIDs {
		t.id = fmt.Sprintf("task-%d", c.started)
	}
	c.tasks[t.id] = t
	if c.modern {
		c.ok(t.modern("task"))
		return
	}
	c.ok(`{"task":` + t.json() + `}`)
}

// modern returns the task in the format of the extension.
func (t *task) modern(kind string) string {
	result := ""
	if t.status == "completed" {
		result = fmt.Sprintf(`,"result":{"resultType":"complete","content":[{"type":"text","text":%q}]}`, t.text)
	}
	return fmt.Sprintf(`{"resultType":%q,"taskId":%q,"status":%q,"createdAt":"2026-01-01T00:00:00Z",`+
		`"lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":50%s}`, kind, t.id, t.status, result)
}

// modernTask handles a request about a task of the extension.
func (c *call) modernTask(t *task) {
	if c.m.Method != "tasks/get" {
		if c.m.Method == "tasks/cancel" && t.status == "working" {
			t.status = "cancelled"
		}
		c.ok(`{"resultType":"complete"}`)
		return
	}
	if t.reads++; t.reads == readsToEnd && t.status == "working" {
		t.status = "completed"
	}
	c.ok(t.modern("complete"))
}

func (t *task) json() string {
	return fmt.Sprintf(`{"taskId":%q,"status":%q,"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z",`+
		`"ttl":60000,"pollInterval":50}`, t.id, t.status)
}

// task handles requests about tasks.
func (c *call) task() {
	c.mu.Lock()
	defer c.mu.Unlock()
	mine := func(t *task) bool {
		return t.user == c.user || c.leak == taskIDs || c.leak == taskCancel && c.m.Method == "tasks/cancel"
	}
	if c.m.Method == "tasks/list" {
		var all []string
		for _, t := range c.tasks {
			if mine(t) {
				all = append(all, t.json())
			}
		}
		c.ok(`{"tasks":[` + strings.Join(all, ",") + `]}`)
		return
	}
	t := c.tasks[c.param("taskId")]
	switch {
	case t == nil || !mine(t):
		refuse(c.w, c.m.ID, -32602, "unknown task")
	case c.modern:
		c.modernTask(t)
	case c.m.Method == "tasks/result":
		c.ok(fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, t.text))
	default:
		if c.m.Method == "tasks/cancel" {
			t.status = "cancelled"
		}
		c.ok(t.json())
	}
}
