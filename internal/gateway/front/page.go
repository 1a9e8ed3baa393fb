package front

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Bounds of one page of a list. They are wide, because hosts exist that read only the first page.
const (
	pageItems = 1000
	pageBytes = 4 << 20
)

// A page is one answer to a request for a list. Items stand in the order of the names that clients see, so that a page
// begins after a name, whatever has come or gone since the page before it.
type page struct {
	limit int
	call  *serve.Call
	after string // the name that the page before ended with
	begun bool
	body  []byte
	items int
	last  string
	more  bool
}

// newPage begins the page that a request asks for.
func newPage(c *serve.Call, key string, limit int) (*page, *serve.Error) {
	if limit == 0 {
		limit = pageItems
	}
	p := &page{limit: limit, call: c, body: append(append([]byte(`{"`), key...), `":[`...)}
	if _, ok := c.Fields["cursor"]; !ok {
		return p, nil
	}
	name, ok := readCursor(c.Text("cursor"), c.Method, c.Peer.Caller)
	if !ok {
		return nil, serve.InvalidParams("unknown cursor")
	}
	p.after, p.begun = name, true
	return p, nil
}

// first tells whether it is the first page.
func (p *page) first() bool { return !p.begun }

// has tells whether an item of that name stands on this page or a later one.
func (p *page) has(name string) bool { return !p.begun || name > p.after }

// full tells whether no more fits.
func (p *page) full() bool { return p.items >= p.limit || len(p.body) >= pageBytes }

// add puts an item on the page. It reports false if it belongs to the next one.
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

// put adds an item that does not count.
func (p *page) put(item json.RawMessage) {
	if p.body[len(p.body)-1] != '[' {
		p.body = append(p.body, ',')
	}
	p.body = append(p.body, item...)
}

// result is the page as the client gets it.
func (p *page) result() json.RawMessage {
	b := append(p.body, ']')
	if p.more {
		b = append(b, `,"nextCursor":`...)
		b = append(b, quoted(cursor(p.last, p.call.Method, p.call.Peer.Caller))...)
	}
	if p.call.Era == serve.Modern {
		b = append(b, `,"ttlMs":0,"cacheScope":"private","resultType":"complete"`...)
	}
	return append(b, '}')
}

// cursor marks a place in a list for one caller. It needs no memory, so that every replica understands it; that it
// carries the caller keeps one caller's place from being another's.
func cursor(name, method, caller string) string {
	return base64.RawURLEncoding.EncodeToString(append(cursorSum(name, method, caller), name...))
}

// readCursor returns the name that a cursor of this caller for this list stands for.
func readCursor(text, method, caller string) (name string, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < cursorSumSize {
		return "", false
	}
	name = string(raw[cursorSumSize:])
	return name, string(cursorSum(name, method, caller)) == string(raw[:cursorSumSize])
}

const cursorSumSize = 12

func cursorSum(name, method, caller string) []byte {
	sum := sha256.Sum256([]byte(strings.Join([]string{"mcptest cursor", method, caller, name}, "\x00")))
	return sum[:cursorSumSize]
}
