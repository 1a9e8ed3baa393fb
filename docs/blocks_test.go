package docs

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A block is a fenced block of a page. What a comment before the fence says of it steers its test:
//
//	<!-- test: exit 1 -->         the commands exit with these statuses, in order; the rest with 0
//	<!-- test: file NAME -->      the block is kept in this file, for the commands after it
//	<!-- test: not run, WHY -->   nothing is done with it
//	<!-- test: only checked -->   a suite is validated and not run
type block struct {
	page  string
	line  int // of its first line
	lang  string
	text  string
	notes []string // what the comment before it says
}

var (
	fence = regexp.MustCompile("^( *)```([a-z]*)$")
	note  = regexp.MustCompile(`^ *<!-- test: (.*) -->$`)
)

// blocksOf reads the fenced blocks of a page.
func blocksOf(t *testing.T, page string) []*block {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []*block
	var open *block
	var notes []string
	indent := ""
	for i, line := range strings.Split(string(text), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case m == nil && open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		case m == nil:
			if n := note.FindStringSubmatch(line); n != nil {
				notes = append(notes, n[1])
			} else if strings.TrimSpace(line) != "" {
				notes = nil
			}
		case open == nil:
			indent = m[1]
			open = &block{page: page, line: i + 2, lang: m[2], notes: notes}
			notes = nil
		default:
			blocks, open = append(blocks, open), nil
		}
	}
	if open != nil {
		t.Errorf("%s: the block has no end", open)
	}
	return blocks
}

// String says where the block stands.
func (b *block) String() string {
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(b.page, root+"/"), b.line)
}

// said returns what a note of this kind says.
func (b *block) said(kind string) (string, bool) {
	for _, n := range b.notes {
		if rest, ok := strings.CutPrefix(n, kind); ok {
			return strings.TrimLeft(rest, ", "), true
		}
	}
	return "", false
}

// A command is what a person types, and what it shows if the page says so.
type command struct {
	text   string
	output string
	shown  bool // the page shows what it prints
	exit   []string
}

// commands are those of a block of shell lines or of a session with output.
func (b *block) commands() []*command {
	var all []*command
	var more bool // the last line goes on
	for _, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		typed, isTyped := line, true
		if b.lang == "console" {
			typed, isTyped = strings.CutPrefix(line, "$ ")
		}
		switch {
		case more:
			all[len(all)-1].text += "\n" + line
		case !isTyped && len(all) > 0:
			all[len(all)-1].output += line + "\n"
			continue
		case strings.TrimSpace(typed) == "" || strings.HasPrefix(typed, "#"):
			continue
		default:
			all = append(all, &command{text: typed, shown: b.lang == "console"})
		}
		more = strings.HasSuffix(line, `\`)
	}
	b.statuses(all)
	return all
}

// statuses says what each command may exit with. One whose output is shown may also find something: then the output says so.
func (b *block) statuses(all []*command) {
	text, given := b.said("exit ")
	list := strings.Fields(text)
	for i, c := range all {
		switch {
		case i < len(list):
			c.exit = []string{list[i]}
		case !given && c.shown:
			c.exit = []string{"0", "1"}
		default:
			c.exit = []string{"0"}
		}
	}
}
