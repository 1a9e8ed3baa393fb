package tapview

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) {
	time.Local = time.UTC // for the golden files
	leaktest.Main(m)
}

// hostile is what a server may put anywhere: commands for the terminal, line breaks, bytes that are not UTF-8, and
// characters that change the direction of text.
const hostile = "\x1b[2J\x1b]0;owned\x07\x9b31m\r\n\xff\u202eevil"

// sample is a session with one of each kind of message.
var sample = []string{
	`client {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`,
	`server {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"serverInfo":{"name":"s","version":"1"}}}`,
	`stderr ` + hostile,
	`client {"jsonrpc":"2.0","method":"notifications/initialized"}`,
	`client {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"\u001b[2Jecho","arguments":{"a":1}}}`,
	`server {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"needle"}]}}`,
	`client {"jsonrpc":"2.0","id":"three","method":"tools/call","params":{"name":"日本語のツール"}}`,
	`server {"jsonrpc":"2.0","id":"three","error":{"code":-32602,"message":"\u001b[2J"}}`,
	`server log: ready ` + hostile,
	`client {"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
}

// view1 returns the view of frames "side body".
func view1(t *testing.T, width, height int, color bool, lines ...string) *model {
	t.Helper()
	dir := t.TempDir()
	ended := time.Date(2026, 11, 17, 12, 0, 9, 0, time.UTC)
	s := &tap.Session{ID: "one", Command: []string{"server" + hostile}, Started: ended, Ended: &ended, Dir: "/here",
		Clients: []tap.Peer{{Name: "client" + hostile, Version: "1"}}, Pending: 1}
	var text []byte
	for i, line := range lines {
		from, body, _ := strings.Cut(line, " ")
		f := wire.Frame{Seq: i + 1, Conn: 1, From: wire.Side(from), Stream: "stdio", Body: []byte(body),
			Time: ended.Add(time.Duration(i) * 12345 * time.Microsecond)}
		if from == "stderr" {
			f.From, f.Stream, f.Seq = wire.Server, wire.StderrStream, 0
		}
		written, err := wire.RecordLine(f)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, written...)
	}
	if err := os.WriteFile(tap.FramesFile(dir, "one"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	feed := newFeed()
	feed.read(t.Context(), dir, s)
	m := newModel(feed, Source{Dir: dir, Session: s, Here: "/here"}, color)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	m.Update(fresh{s})
	return m
}

// press types keys; names of more than one letter are in angle brackets.
func press(m *model, keys string) (quit bool) {
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "home": tea.KeyHome, "tab": tea.KeyTab,
		"up": tea.KeyUp, "pgdown": tea.KeyPgDown}
	for _, key := range regexp.MustCompile(`<\w+>|.`).FindAllString(keys, -1) {
		k := tea.KeyPressMsg{Text: key}
		if code, ok := named[strings.Trim(key, "<>")]; ok {
			k = tea.KeyPressMsg{Code: code}
		} else {
			k.Code = []rune(key)[0]
		}
		_, cmd := m.Update(k)
		quit = cmd != nil && fmt.Sprintf("%T", cmd()) == "tea.QuitMsg"
	}
	return quit
}

func TestScreens(t *testing.T) {
	for name, test := range map[string]struct {
		width, height int
		keys          string
	}{
		"list":    {80, 24, ""},
		"narrow":  {44, 12, "<up>"},
		"errors":  {80, 16, "e"},
		"detail":  {80, 24, "/needle<enter><enter>"},
		"command": {80, 12, "<home>jjjjjjc"},
		"suite":   {80, 24, "<home>jjjjjt"},
		"help":    {80, 24, "?"},
		"small":   {20, 4, ""},
	} {
		m := view1(t, test.width, test.height, false, sample...)
		press(m, test.keys)
		got, file := m.render()+"\n", filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Whatever is recorded, typed and shown, the screen fits the terminal, and nothing of it is a command for the terminal.
func TestFitsTheTerminal(t *testing.T) {
	style := regexp.MustCompile("\x1b\\[[0-9]+m")
	rapid.Check(t, func(rt *rapid.T) {
		color := rapid.Bool().Draw(rt, "color")
		more := rapid.SliceOfN(rapid.String(), 0, 3).Draw(rt, "bodies")
		lines := append([]string{}, sample...)
		for _, body := range more {
			lines = append(lines, "server "+body, "stderr "+body)
		}
		m := view1(t, rapid.IntRange(1, 140).Draw(rt, "width"), rapid.IntRange(1, 40).Draw(rt, "height"), color, lines...)
		keys := rapid.StringMatching(`(<(enter|esc|home|tab|up|pgdown)>|[edmicptr/?nNjkgG q]){0,12}`).Draw(rt, "keys")
		press(m, keys)
		rendered := strings.Split(m.render(), "\n")
		if len(rendered) > m.height {
			rt.Errorf("%d lines, want at most %d", len(rendered), m.height)
		}
		for _, line := range rendered {
			if got := ansi.StringWidth(line); got > m.width {
				rt.Errorf("a line of %d columns, want at most %d: %q", got, m.width, line)
			}
			if color {
				line = style.ReplaceAllString(line, "")
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
				rt.Errorf("a command for the terminal in %q", line)
			}
		}
	})
}

func TestKeys(t *testing.T) {
	at := func(m *model) int { return m.current().Seq }
	m := view1(t, 80, 24, false, sample...)
	if at(m) != 9 {
		t.Errorf("it starts at frame %d, want the last", at(m))
	}
	if press(m, "/needle<enter>"); at(m) != 5 {
		t.Errorf("the search found frame %d, want 5", at(m))
	}
	if press(m, "p"); at(m) != 4 {
		t.Errorf("the pair of 5 is %d, want 4", at(m))
	}
	for keys, want := range map[string]int{"e": 4, "d": 5, "dd": 4, "ddd": 1, "dddd": 10, "i2<enter>": 2,
		"ithree<enter>": 2, "mtools/call<enter>": 4, "mtools/call<enter>e": 2, "mtools/call<enter>e<esc>": 10} {
		m := view1(t, 80, 24, false, sample...)
		if press(m, keys); len(m.shown) != want {
			t.Errorf("%s shows %d rows, want %d", keys, len(m.shown), want)
		}
	}
	if m := view1(t, 80, 24, false, sample...); !press(m, "q") || press(m, "<enter>q") || press(m, "/q") {
		t.Error("q quits, but only in the list")
	}
	if press(m, "<home>/nowhere<enter>"); !strings.Contains(m.render(), "not found: nowhere") {
		t.Error("a search without a match is not reported")
	}
	if press(m, "<home>jc"); !strings.HasPrefix(m.copied, "mcptest raw --bare --body '{") {
		t.Errorf("the handshake is copied as %q", m.copied)
	}
}

// New frames are followed on the last row only, and complete their requests.
func TestFollows(t *testing.T) {
	m := view1(t, 80, 24, false, sample...)
	add := func(from wire.Side, body string) {
		m.feed.log.Record(wire.Frame{From: from, Conn: 1, Stream: "stdio", Body: []byte(body)})
		m.feed.pending = append(m.feed.pending, entry{seq: m.feed.log.Len()})
		m.Update(fresh{m.session})
	}
	if row := m.rows[m.bySeq[9]]; m.verdict(&row) != "no response" {
		t.Errorf("the verdict on the last request is %q", m.verdict(&row))
	}
	add(wire.Server, `{"jsonrpc":"2.0","id":4,"result":{"tools":[]}}`)
	if row := m.rows[m.bySeq[9]]; row.Pair != 10 || row.Verdict != "ok" || m.current().Seq != 10 {
		t.Errorf("after its response: %+v, cursor at %d", row, m.current().Seq)
	}
	press(m, "<home>")
	add(wire.Server, `{"jsonrpc":"2.0","method":"notifications/message"}`)
	if m.current().Seq != 1 || len(m.shown) != 12 {
		t.Errorf("the cursor moved to %d", m.current().Seq)
	}
}

// Why a recording cannot be read to its end is text in red.
func TestDamagedRecording(t *testing.T) {
	m := view1(t, 200, 12, true, sample...)
	m.failure = errors.New("line 3: \x1b[5mnot JSON")
	if got := m.render(); !strings.Contains(got, "\x1b[31mcannot read more: line 3: ") || strings.Contains(got, "\x1b[5m") ||
		strings.Contains(got, `\x1b[31m`) {
		t.Errorf("screen:\n%q", got)
	}
}
