package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

func TestComparison(t *testing.T) {
	before := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	after := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ name, old, new, want string }{
		{"equal", `{"a":1,"b":[true,null]}`, `{"b":[true,null],"a":1.0}`, ``},
		{"value", `{"a":"x"}`, `{"a":"y"}`, `value /a`},
		{"type", `{"a":1}`, `{"a":"1"}`, `type /a`},
		{"boolean", `{"a":true}`, `{"a":false}`, `value /a`},
		{"removed and added", `{"a":1}`, `{"b":1}`, `removed /a, added /b`},
		{"order", `[{"x":1},{"x":2}]`, `[{"x":2},{"x":1}]`, ``},
		{"an element less", `[1,2,3]`, `[3,1]`, `removed /*`},
		{"by name", `[{"name":"a","d":"1"},{"name":"b"}]`, `[{"name":"b"},{"name":"a","d":"2"}]`, `value /a/d`},
		{"other names", `[{"name":"a"}]`, `[{"name":"b"}]`, `removed /a, added /b`},
		{"other ids", `[{"id":"a"}]`, `[{"id":"b"}]`, ``},
		{"name removed", `[{"name":"a"},{"name":"b"}]`, `[{"name":"b"}]`, `removed /a`},
		{"uuid", `{"x":"job 0c1f6c3e-1111-4a3b-9d2e-000000000001 started"}`,
			`{"x":"job 9d2e6c3e-2222-4a3b-9d2e-00000000ffff started"}`, ``},
		{"text around a uuid", `"job 0c1f6c3e-1111-4a3b-9d2e-000000000001 started"`,
			`"job 0c1f6c3e-1111-4a3b-9d2e-000000000001 ended"`, `value `},
		{"hash", `"9f86d081884c7d659a2feaa0c55ad015"`, `"aa86d081884c7d659a2feaa0c55ad0ff"`, ``},
		{"word", `"internationalization"`, `"internationalisation"`, `value `},
		{"times of the runs", `"2026-03-01T12:00:01Z, 12:00:01 PM"`, `"2026-09-01T12:00:03.5Z, 1:00:03 AM"`, ``},
		{"time of something else", `"2020-03-01T12:00:01Z"`, `"2021-03-01T12:00:01Z"`, `value `},
		{"epoch", `{"t":1772366400}`, `{"t":1788264000123}`, ``},
		{"number like an epoch", `{"t":1572366400}`, `{"t":1588264000}`, `value /t`},
		{"duration", `"took 12 ms"`, `"took 1.5 ms"`, ``},
		{"seconds without a fraction", `"waits 1 seconds"`, `"waits 2 seconds"`, `value `},
		{"text in base64", `{"blob":"SXQgaXMgMTI6MDA6MDA="}`, `{"blob":"SXQgaXMgMTM6MTE6MjI="}`, ``},
		{"another text in base64", `{"blob":"SXQgaXMgMTI6MDA6MDA="}`, `{"blob":"SXQgd2FzIDEyOjAwOjAw"}`, `value /blob`},
		{"binary data", `{"data":"/wAB"}`, `{"data":"/wAC"}`, `value /data`},
		{"redacted value", `{"pin":"[redacted]","x":1}`, `{"pin":1234,"x":1}`, ``},
		{"redacted part", `"key [redacted] is valid"`, `"key abc is valid"`, ``},
		{"text around a redacted part", `"key [redacted] is valid"`, `"key abc is invalid"`, `value `},
		{"id", `{"note_id":7,"n":7}`, `{"note_id":9,"n":9}`, `value /n`},
		{"json in text", `{"text":"{\"a\":1,\"b\":2}"}`, `{"text":"{\"b\":3,\"a\":1}"}`, `value /text/b`},
		{"mirrored content", `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`,
			`{"content":[{"type":"text","text":"{\"a\":2}"}],"structuredContent":{"a":2}}`,
			`value /structuredContent/a`},
		{"mirrored text", `{"content":[{"type":"text","text":"a"}],"structuredContent":{"result":"a"}}`,
			`{"content":[{"type":"text","text":"b"}],"structuredContent":{"result":"b"}}`,
			`value /structuredContent/result`},
		{"other content", `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`,
			`{"content":[{"type":"text","text":"{\"a\":2}"}],"structuredContent":{"a":1}}`, `value /content/*/text/a`},
		{"_meta", `{"_meta":{"a":1}}`, `{}`, ``},
	} {
		x := &comparison{before: before, after: after, ids: map[string]string{}}
		x.values("", "", json.RawMessage(c.old), json.RawMessage(c.new), 0)
		var got []string
		for _, d := range x.changes {
			got = append(got, fmt.Sprintf("%s %s", d.kind, d.path))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: got %q, want %q", c.name, text, c.want)
		}
	}
}

// A new ID replaces the recorded one in later requests.
func TestIDsAreReplaced(t *testing.T) {
	c := &comparison{ids: map[string]string{}}
	c.values("", "", json.RawMessage(`{"id":7,"key":"9f86d081884c7d659a2feaa0c55ad015"}`),
		json.RawMessage(`{"id":8,"key":"aa86d081884c7d659a2feaa0c55ad0ff"}`), 0)
	got := string(replaceIDs(json.RawMessage(
		`{"note_id":7,"count":7,"keys":["9f86d081884c7d659a2feaa0c55ad015","other"]}`), "", c.ids, 0))
	want := `{"note_id":8,"count":7,"keys":["aa86d081884c7d659a2feaa0c55ad0ff","other"]}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c = &comparison{arguments: `{"id":7}`, ids: map[string]string{}}
	c.values("", "", json.RawMessage(`{"id":7}`), json.RawMessage(`{"id":8}`), 0)
	if len(c.changes) != 1 {
		t.Errorf("an ID that the client chose: %v, want a difference", c.changes)
	}
}

// Nested arrays without names must not take time that grows with each level.
func TestComparisonIsBounded(t *testing.T) {
	nested := func(leaf string) string {
		text := leaf
		for range 4 {
			text = "[" + strings.TrimSuffix(strings.Repeat(text+",", 20), ",") + "]"
		}
		return text
	}
	c := &comparison{}
	c.values("", "", json.RawMessage(nested("1")), json.RawMessage(nested("2")), 0)
	if len(c.changes) == 0 || c.work > 2*maxWork {
		t.Errorf("%d values compared, %d changes", c.work, len(c.changes))
	}
}

// Large texts are compared line by line: times may differ, and a large difference is found at once.
func TestLargeTexts(t *testing.T) {
	before, after := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	padding := strings.Repeat("a line with the number 12 in it\n", 50_000)
	for name, tt := range map[string]struct {
		old, new string
		changes  int
	}{
		"other times":       {padding + "at 2026-01-01T12:00:00Z", padding + "at 2026-02-01T12:00:05Z", 0},
		"another word":      {padding + "yes\n", padding + "no\n", 1},
		"one line more":     {padding, padding + "12:00:00", 1},
		"nothing in common": {strings.Repeat("12:30 2026-01-01T00:00:00Z 1234 ", 2_000_000), "x", 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := &comparison{before: before, after: after}
			began := cputime.Used()
			c.values("", "", rawjson.Quote(tt.old), rawjson.Quote(tt.new), 0)
			if used := cputime.Used() - began; used > 5*time.Second || len(c.changes) != tt.changes {
				t.Errorf("%d changes, want %d; %v of CPU time", len(c.changes), tt.changes, used)
			}
		})
	}
}
