package docs

import (
	"encoding/xml"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw the pictures of the terminal again")

const columns = 112 // of the terminal in a picture

// drawings are the pictures of commands in docs/img, and how many rows of the output they show before what is left
// out; 0 for all.
var drawings = []struct {
	name, command string
	rows          int
}{
	{"check", "mcptest check demo-flawed", 17},
	{"fleet", "mcptest check --all --config fleet.json", 0},
}

// fleet is the config file of the servers in a picture.
const fleet = `{"mcpServers": {"notes": {"command": "mcptest", "args": ["demo"]},
  "legacy-notes": {"command": "mcptest", "args": ["demo-flawed"]}, "tickets": {"command": "tickets-server"},
  "archive": {"command": "mcptest", "args": ["demo"], "disabled": true}}}`

// TestPictures compares the pictures of commands with what the commands print, numbers aside. With -update they are
// drawn again, in the colors of a terminal (which needs the program script).
func TestPictures(t *testing.T) {
	for _, d := range drawings {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			comparePicture(t, d.name, d.command, d.rows)
		})
	}
}

func comparePicture(t *testing.T, name, pictured string, rows int) {
	p := newPlace(t, filepath.Join(root, "README.md"))
	if err := os.WriteFile(filepath.Join(p.dir, "fleet.json"), []byte(fleet), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("img", name+".svg")
	if *update {
		o, status := p.run("env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 script -qec 'stty cols 112; "+pictured+
			" 2>/dev/null' /dev/null", nil)
		if status == "0" || o.out.Len() == 0 {
			t.Fatalf("exit %s, expected findings\n%s", status, o.all())
		}
		picture := draw(pictured, strings.ReplaceAll(o.out.String(), "\r", ""), rows)
		if err := os.WriteFile(path, []byte(picture), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	svg, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := p.run(p.local(pictured), nil)
	drawn := textOf(t, svg)
	if want := "$ " + pictured + "\n"; !strings.HasPrefix(drawn, want) ||
		!shows(plain(drawn[len(want):]), plain(o.out.String())) {
		t.Errorf("%s shows\n%s\nit prints\n%s\nto draw it again: go test ./docs -run TestPictures -update", path,
			drawn, o.out.String())
	}
}

// plain makes all numbers alike, and leaves out the bars of a terminal and what the short fuzz came to in its time.
func plain(s string) string {
	s = regexp.MustCompile(`(?m)^([A-F–])  [█░]+`).ReplaceAllString(s, "$1")
	s = regexp.MustCompile(`(robustness  ).*`).ReplaceAllString(s, "$1")
	return regexp.MustCompile(`\d+`).ReplaceAllString(s, "0")
}

// textOf is the text of a picture, line by line.
func textOf(t *testing.T, svg []byte) string {
	t.Helper()
	var doc struct {
		Lines []struct {
			Inner string `xml:",innerxml"`
		} `xml:"text"`
	}
	if err := xml.Unmarshal(svg, &doc); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range doc.Lines {
		b.WriteString(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(l.Inner, "")) + "\n")
	}
	return b.String()
}

// draw makes a picture of a terminal with the beginning and the end of what was printed.
func draw(command, printed string, rows int) string {
	lines := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	if rows > 0 {
		lines = append(lines[:rows:rows], "…", lines[len(lines)-1])
	}
	lines = append([]string{"$ " + command}, lines...)
	const width, lineHeight, top = 900, 19, 48
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" `+
		`font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="12.4">`+"\n",
		width, top+lineHeight*len(lines)+4, width)
	b.WriteString(`<rect width="100%" height="100%" rx="9" fill="#1b1f24"/>` + "\n")
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="5.5" fill="%s"/>`+"\n", 18+18*i, color)
	}
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="14" y="%d" fill="#d5dae0" xml:space="preserve">%s</text>`+"\n", top+lineHeight*i,
			painted(line))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

var ansi = regexp.MustCompile("\x1b\\[([0-9;]+)m([^\x1b]*)\x1b\\[0m")

// painted is a line of a terminal with its colours; what is too long for the picture ends in "…".
func painted(line string) string {
	colors := map[string]string{"1;31": `fill="#ff7b72" font-weight="bold"`, "31": `fill="#ff7b72"`,
		"33": `fill="#e3b341"`, "1;33": `fill="#e3b341" font-weight="bold"`,
		"1;32": `fill="#56d364" font-weight="bold"`, "1": `font-weight="bold"`, "34": `fill="#79c0ff"`,
		"1;36": `fill="#76e3ea" font-weight="bold"`, "2": `fill="#8b949e"`}
	if m := ansi.FindStringSubmatchIndex(line); m != nil {
		return html.EscapeString(line[:m[0]]) + "<tspan " + colors[line[m[2]:m[3]]] + ">" +
			html.EscapeString(line[m[4]:m[5]]) + "</tspan>" + painted(line[m[1]:])
	}
	if r := []rune(line); len(r) > columns {
		line = string(r[:columns]) + "…"
	}
	return html.EscapeString(line)
}
