package frontend

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/gateway/metatools"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Limits of one page of a list. They are large, because some hosts read only the first page.
const (
	pageItems = 1000
	pageBytes = 4 << 20
)

// A page is one response to a list request. Items are sorted by the names that clients see, so that a page starts after
// a name, even if items were added or removed since the previous page.
type page struct {
	limit int
	call  *serve.Call
	after string // the last name of the previous page
	begun bool
	body  []byte
	items int
	last  string
	more  bool
}

// newPage starts the page of a request.
func newPage(c *serve.Call, key string, limit int) (*page, *serve.Error) {
	if limit == 0 {
		limit = pageItems
	}
	p := &page{limit: limit, call: c, body: append(append([]byte(`{"`), key...), `":[`...)}
	if _, ok := c.Fields["cursor"]; !ok {
		return p, nil
	}
	name, ok := metatools.ReadCursor(c.Text("cursor"), c.Method, c.Peer.Caller)
	if !ok {
		return nil, serve.InvalidParams("unknown cursor; omit it to start at the first page")
	}
	p.after, p.begun = name, true
	return p, nil
}

// first reports whether it is the first page.
func (p *page) first() bool { return !p.begun }

// has reports whether an item with that name is on this page or a later one.
func (p *page) has(name string) bool { return !p.begun || name > p.after }

// full reports whether the page is full.
func (p *page) full() bool { return p.items >= p.limit || len(p.body) >= pageBytes }

// add adds an item to the page. It reports false if it belongs to the next one.
func (p *page) add(name string, item json.RawMessage) bool {
	if p.full() {
		p.more = true
		return false
	}
	p.put(item)
	p.items++
	p.last = name
	return true
}

// put adds an item that does not count toward the limit.
func (p *page) put(item json.RawMessage) {
	if p.body[len(p.body)-1] != '[' {
		p.body = append(p.body, ',')
	}
	p.body = append(p.body, item...)
}

// result is the page as a list result.
func (p *page) result() json.RawMessage {
	b := append(p.body, ']')
	if p.more {
		b = append(b, `,"nextCursor":`...)
		b = append(b, rawjson.Quote(metatools.Cursor(p.last, p.call.Method, p.call.Peer.Caller))...)
	}
	if p.call.Era == spec.Modern {
		b = append(b, `,"ttlMs":0,"cacheScope":"private","resultType":"complete"`...)
	}
	return append(b, '}')
}
