package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// markup is text that would do something if it became a part of the document.
const markup = "<img src=x onerror=alert(1)><script>alert(1)</script>\x1b]0;title\x07\x1b[31m\u202e</td></template>"

// hostileFrames are frames as somebody may write them to attack the one who looks at a recording.
func hostileFrames() []map[string]any {
	const megabyte = 1 << 20
	frame := func(from string, members map[string]any) map[string]any {
		f := map[string]any{"seq": 1, "time": "2026-01-01T12:00:00Z", "conn": 1, "from": from, "stream": "stdio"}
		for name, value := range members {
			f[name] = value
		}
		return f
	}
	message := func(members ...string) string { return `{"jsonrpc":"2.0",` + strings.Join(members, ",") + `}` }
	quoted := func(text string) string { out, _ := json.Marshal(text); return string(out) }
	all := []map[string]any{
		frame("client", map[string]any{"body": message(`"id":1`, `"method":`+quoted(markup), `"params":{"name":`+quoted(markup)+`}`)}),
		frame("server", map[string]any{"seq": -5, "reply_to": -5, "body": message(`"id":`+quoted(markup), `"result":{"content":[`+
			`{"type":"image","mimeType":"image/svg+xml","data":"PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+"},`+
			`{"type":"resource_link","uri":"javascript:alert(1)","name":`+quoted(markup)+`}]}`)}),
		frame("server", map[string]any{"stream": markup, "status": -1, "fault": markup, "error": markup,
			"header": map[string][]string{markup: {markup}, "Link": {"<javascript:alert(1)>"}}, "event": map[string]any{"id": markup,
				"name": markup}, "body": markup}),
		frame("client", map[string]any{"seq": 2, "body": message(`"id":2`, `"method":`+quoted(strings.Repeat("m", megabyte)))}),
		frame("client", map[string]any{"seq": 3, "body": message(`"id":`+quoted(strings.Repeat("i", megabyte)), `"method":"ping"`)}),
		frame("server", map[string]any{"seq": 4, "reply_to": 4, "body": strings.Repeat("[", megabyte)}),
		frame("server", map[string]any{"seq": 5, "reply_to": 6, "fault": strings.Repeat("f", megabyte),
			"body": `{"jsonrpc":"2.0","id":2,"result":{` + strings.Repeat(`"a":0,`, 100_000) + `"a":1}}`}),
		frame("client", map[string]any{"seq": 1 << 53, "time": "0000-01-01T00:00:00Z", "conn": -7, "body64": "/////w=="}),
		frame("server", map[string]any{"seq": 7, "time": "9999-12-31T23:59:59Z", "stream": strings.Repeat("s", megabyte),
			"header": manyHeaders(), "body": message(`"id":3`, `"error":{"code":1e400,"message":`+quoted(markup)+`}`)}),
		frame("server", map[string]any{"stream": "stderr", "body": markup}),
	}
	for i := range 30_000 {
		all = append(all, frame("client", map[string]any{"seq": 10 + i%7, "conn": i, "reply_to": i,
			"body": message(fmt.Sprintf(`"id":%d`, i%5), fmt.Sprintf(`"method":"m%d"`, i))}))
	}
	return all
}

func manyHeaders() map[string][]string {
	header := map[string][]string{"Long": {strings.Repeat("v", 1<<20)}}
	for i := range 20_000 {
		header[fmt.Sprintf("X-%d", i)] = []string{markup}
	}
	return header
}

// writeHostile writes a recording with hostile frames into the state folder of a home.
func writeHostile(t *testing.T, home string) {
	t.Helper()
	dir := filepath.Join(home, "mcptest", "tap")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	peer := map[string]any{"name": markup + strings.Repeat("n", 1<<20), "version": markup}
	session, err := json.Marshal(map[string]any{"id": "../../../etc/passwd", "mcptest": markup, "name": markup,
		"command": []string{markup, strings.Repeat("c", 1<<20)}, "cwd": markup, "pid": -1, "started": "2026-01-01T12:00:00Z",
		"clients": []any{peer, peer}, "server": peer, "frames": -1, "lost": map[string]any{"frames": 1, "bytes": 1,
			"reason": markup}})
	if err != nil {
		t.Fatal(err)
	}
	var frames bytes.Buffer
	for _, f := range hostileFrames() {
		line, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		frames.Write(append(line, '\n'))
	}
	for name, text := range map[string][]byte{"20260101-120000-0bad.json": session, "20260101-120000-0bad.jsonl": frames.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A recording from somebody else is shown as text, whatever it contains, and stays usable.
func TestHostileRecordingOnThePage(t *testing.T) {
	home := t.TempDir()
	writeHostile(t, home)
	in, _ := pageOf(t, home, "tap", "view", "--page")
	p := &viewPage{tab: open(t, in.address), inspector: in}
	p.there(`main[aria-label=Wire]`)
	const rows = `[...document.querySelectorAll("#frames [role=option]")]`
	p.until(rows + `.length > 10`)
	link := in.link(t)
	for seq := 1; seq <= 10; seq++ {
		detail := in.get(t, fmt.Sprintf("/links/%s/frames/%d", link, seq))
		if len(detail) > 3<<20 {
			t.Errorf("the details of frame %d have %d bytes", seq, len(detail))
		}
		for _, look := range []string{"Tree", "Pretty", "Raw"} {
			take(p.tab, chromedp.Evaluate[string](fmt.Sprintf(`location.hash = "#/wire/%s/%d"`, link, seq)))
			p.there(fmt.Sprintf(`[aria-label="Frame %d"]`, seq))
			p.press(look)
			hasNoMarkup(t, p.tab, fmt.Sprintf("frame %d as %s", seq, look))
		}
	}
	if list := in.get(t, "/links/"+link+"/frames?limit=50"); len(list) > 1<<20 {
		t.Errorf("50 rows have %d bytes", len(list))
	}
	p.fill(`[aria-label="ID"]`, "2")
	p.until(rows + `.length > 0`)
	hasNoMarkup(t, p.tab, "the list")
}

// hasNoMarkup fails if text of a recording has become a part of the document.
func hasNoMarkup(t *testing.T, p *tab, what string) {
	t.Helper()
	for _, selector := range []string{"img", "script", "svg[onload]", `a[href^="javascript"]`, "[onerror]", "iframe", "object"} {
		if n := take(p, chromedp.Evaluate[int]("document.querySelectorAll("+quote("#app "+selector)+").length")); n > 0 {
			t.Errorf("%s: the page has %d of %s", what, n, selector)
		}
	}
}
