package scaffold

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// Merge adds the tests of a scaffold to the text of a suite. All that the text has stays as it is.
func (s *Scaffold) Merge(file string, text []byte) ([]byte, error) {
	for _, section := range s.sections {
		var err error
		if text, err = section.merge(file, text); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// Mergeable reports why tests of tools cannot be added to the text of a suite; nil if they can.
func Mergeable(file string, text []byte) error {
	probe := &scaffoldSection{name: "tools"}
	_, err := probe.merge(file, text)
	return err
}

func (s *scaffoldSection) merge(file string, text []byte) ([]byte, error) {
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	root, problems := document.Parse(file, text)
	if len(problems) > 0 {
		return nil, problems
	}
	items := strings.Join(s.items, "")
	value := root.Get(s.name)
	if value == nil {
		return fmt.Appendf(text, "\n%s:\n%s", s.name, items), nil
	}
	if value.Kind != document.List || len(value.Items) == 0 || isFlow(text, value) {
		return nil, fmt.Errorf("%s:%d: tests can be added only to a list with one item per line, starting with -", file,
			value.Line)
	}
	lines := strings.SplitAfter(string(text), "\n")
	indent := dashIndent(lines, value)
	at := sectionEnd(lines, root, s.name)
	return []byte(strings.Join(lines[:at], "") + indented(items, indent) + strings.Join(lines[at:], "")), nil
}

// isFlow reports whether a list is written in brackets.
func isFlow(text []byte, list *document.Node) bool {
	lines := strings.Split(string(text), "\n")
	line := lines[min(list.Line-1, len(lines)-1)]
	return strings.HasPrefix(strings.TrimLeft(line[min(list.Column-1, len(line)):], " "), "[")
}

// dashIndent is the column of the dashes of a list.
func dashIndent(lines []string, list *document.Node) int {
	for n := list.Items[0].Line - 1; n >= 0; n-- {
		if trimmed := strings.TrimLeft(lines[n], " "); strings.HasPrefix(trimmed, "-") {
			return len(lines[n]) - len(trimmed)
		}
	}
	return 2
}

// sectionEnd is the number of lines up to the end of a section: before the next one, its comments, and empty lines.
func sectionEnd(lines []string, root *document.Node, name string) int {
	start, end := 0, len(lines)
	for _, p := range root.Pairs {
		if p.Key == name {
			start = p.Line
		}
	}
	for _, p := range root.Pairs {
		if p.Line > start && p.Line-1 < end {
			end = p.Line - 1
		}
	}
	for end > start {
		line := lines[end-1]
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			break
		}
		end--
	}
	return end
}

// indented moves the items of a list, which start in the third column, to another column.
func indented(items string, column int) string {
	if column == 2 {
		return items
	}
	lines := strings.SplitAfter(items, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = strings.Repeat(" ", column) + strings.TrimPrefix(line, "  ")
		}
	}
	return strings.Join(lines, "")
}
