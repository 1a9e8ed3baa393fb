package tapview

import (
	"bytes"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// A filter selects rows. The zero value selects all.
type filter struct {
	method string // part of the method
	id     string // as JSON, or the text of a string
	from   string // client, server or stderr
	errors bool   // only what went wrong
}

// matches reports whether a row is selected. While the session runs, a request without a response is no error.
func (f *filter) matches(r *row, running bool) bool {
	if !r.isFrame() {
		return f.method == "" && f.id == "" && (f.from == "" || f.from == "stderr") && !f.errors
	}
	return (f.method == "" || strings.Contains(r.Method, f.method)) &&
		(f.id == "" || r.IDJSON == f.id || strings.Trim(r.IDJSON, `"`) == f.id) &&
		(f.from == "" || r.From == f.from) && (!f.errors || failed(r, running))
}

// failed reports whether something is wrong with a frame.
func failed(r *row, running bool) bool {
	return r.Kind == "error" || r.Kind == "other" || r.Verdict != "" && r.Verdict != view.Succeeded || r.Fault != "" ||
		len(r.Odd) > 0 || r.Status >= 400 || r.Kind == "request" && r.Pair == 0 && !running
}

// nextFrom returns the filter for the next direction: all, client, server, stderr.
func (f filter) nextFrom() filter {
	f.from = map[string]string{"": "client", "client": "server", "server": "stderr"}[f.from]
	return f
}

// String describes the filter.
func (f filter) String() string {
	var parts []string
	for _, p := range []struct{ name, value string }{{"method ", f.method}, {"id ", f.id}, {"from ", f.from}} {
		if p.value != "" {
			parts = append(parts, p.name+p.value)
		}
	}
	if f.errors {
		parts = append(parts, "errors")
	}
	return strings.Join(parts, ", ")
}

// find moves the cursor to the next row, or the previous one, that contains the searched text, ignoring case.
func (m *model) find(step int) {
	needle := []byte(strings.ToLower(m.search))
	if len(needle) == 0 {
		m.status = "no search text; press / to enter one"
		return
	}
	for n, at := 0, m.cursor; n < len(m.shown); n++ {
		at = (at + step + len(m.shown)) % len(m.shown)
		if m.contains(&m.rows[m.shown[at]], needle) {
			m.cursor, m.follow = at, false
			return
		}
	}
	m.status = "not found: " + m.search
}

func (m *model) contains(r *row, needle []byte) bool {
	if !r.isFrame() {
		return strings.Contains(strings.ToLower(r.stderr), string(needle))
	}
	f, kept := m.feed.log.Frame(r.Seq)
	return kept && bytes.Contains(bytes.ToLower(f.Body), needle) ||
		strings.Contains(strings.ToLower(r.Method+" "+r.Name+" "+r.Verdict), string(needle))
}
