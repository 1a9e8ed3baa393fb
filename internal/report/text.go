package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/jsonfold"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// writeText shows findings by subject, then what could not be finished, then the counts. The severity of a finding that
// does not count is shown in parentheses.
func writeText(w io.Writer, r *finding.Report, o *Options) error {
	out := bufio.NewWriter(w)
	t := &textWriter{Writer: out, o: o, ruleWidth: ruleWidth(r, o.Width), severityWidth: len(finding.Critical)}
	if Summarize(r, o).NotCounted > 0 {
		t.severityWidth += len("()")
	}
	for _, group := range bySubject(r) {
		t.group(group)
	}
	t.results(r)
	t.baseline()
	t.summary(r)
	return out.Flush()
}

type textWriter struct {
	*bufio.Writer
	o             *Options
	ruleWidth     int
	severityWidth int
	location      string // of the finding that is written
	inDiff        bool   // the line that is written belongs to a unified diff
}

func (t *textWriter) group(findings []finding.Finding) {
	if subject := findings[0].Where.Subject; subject != "" {
		fmt.Fprintln(t, t.paint("1", escapeControl(subject)))
	} else {
		fmt.Fprintln(t, t.paint("1", "(server)"))
	}
	for _, f := range findings {
		t.finding(f)
	}
	fmt.Fprintln(t)
}

func (t *textWriter) finding(f finding.Finding) {
	severity, rule, severityWidth := escapeControl(string(f.Severity)), escapeControl(f.Rule), t.severityWidth
	if !t.o.counts(f) {
		severity = "(" + severity + ")"
	}
	head := fmt.Sprintf("  %s%s  %s%s  ", t.paint(colors[f.Severity], severity), pad(severity, severityWidth),
		t.paint("1", t.link(rule)), pad(rule, t.ruleWidth))
	indent := 2 + severityWidth + 2 + t.ruleWidth + 2
	where := f.Where
	where.Subject = ""
	lines := visibleLines(f.Detail())
	at := escapeControl(locationText(where))
	if at != "" {
		lines[0] = at + ": " + lines[0]
	}
	for _, fix := range f.Fixes {
		for i, line := range visibleLines(fix.Message) {
			lines = append(lines, map[bool]string{true: "fix: ", false: "     "}[i == 0]+line)
		}
	}
	if len(f.Where.Frames) > 0 {
		lines = append(lines, "frames: "+numbers(f.Where.Frames))
	}
	f.Evidence = foldEvidence(f.Evidence, t.o.Width-indent)
	lines = append(lines, proof(f)...)
	long := utf8.RuneCountInString(rule) > t.ruleWidth && t.o.Width > 0
	if long {
		head = strings.TrimRight(head, " ") + "\n"
	}
	t.WriteString(head)
	t.location = at
	t.lines(lines, indent, !long)
	t.location, t.inDiff = "", false
}

// diffStart is the first line of a unified diff in a message.
const diffStart = "--- expected"

// diffColors are the colors of the lines of a unified diff, by their first character.
var diffColors = map[byte]string{'-': "31", '+': "32", '@': "36"}

// continuesDiff reports whether a line belongs to a unified diff, after a line that does or does not.
func continuesDiff(line string, before bool) bool {
	return line == diffStart || before && line != "" && strings.ContainsRune("+-@ ", rune(line[0]))
}

// painted returns a line with the location that it begins with in color.
func (t *textWriter) painted(line string) string {
	if t.inDiff {
		return t.paint(diffColors[line[0]], line)
	}
	rest, found := strings.CutPrefix(line, t.location+":")
	if t.location == "" || !found {
		return line
	}
	return t.paint("34", t.location) + ":" + rest
}

// Prefixes of a line of evidence from a server, and of the command of a finding.
const quote, reproduce = "  | ", "reproduce: "

// proof returns the evidence of a finding and the command to reproduce it, for display.
func proof(f finding.Finding) []string {
	var lines []string
	for _, said := range f.Evidence {
		for i, line := range visibleLines(strings.ReplaceAll(said, "\n\t", "\n    ")) {
			if i > 0 {
				// so that a line from a server cannot be mistaken for one of ours
				line = strings.TrimRight(quote+line, " ")
			}
			lines = append(lines, line)
		}
	}
	if f.Reproduce != "" {
		lines = append(lines, reproduce+escapeControl(f.Reproduce))
	}
	return lines
}

// lines writes lines below each other; the first continues the current line if first is set.
func (t *textWriter) lines(lines []string, indent int, first bool) {
	for _, line := range lines {
		t.inDiff = continuesDiff(line, t.inDiff)
		if command, ok := strings.CutPrefix(line, reproduce); ok {
			text := Command(strings.Repeat(" ", indent)+reproduce, command, t.o.Width)
			if first {
				text = strings.TrimLeft(text, " ")
			}
			first = false
			fmt.Fprintln(t, text)
			continue
		}
		width := t.o.Width - indent
		if t.inDiff {
			width = 0 // its columns matter
		}
		for i, part := range wrap(line, width) {
			before := indent
			if i > 0 {
				before += len(hang)
			}
			if width := utf8.RuneCountInString(part); t.o.Width > 0 && width > t.o.Width-before && width < t.o.Width {
				before = t.o.Width - width // a long word, such as a pointer, moves to the left instead of being broken
				if first {
					fmt.Fprintln(t)
					first = false
				}
			}
			if !first {
				t.WriteString(strings.Repeat(" ", before))
			}
			first = false
			fmt.Fprintln(t, t.painted(part))
		}
	}
}

// results always lists broken results, and the others if requested.
func (t *textWriter) results(r *finding.Report) {
	said := false
	for _, result := range r.Results {
		status, why := t.o.status(result), ""
		switch status {
		case finding.Broken:
			why = result.Broken
		case finding.Skipped:
			why = result.Skipped
		}
		if status == finding.Failed && len(result.Notes) == 0 ||
			status != finding.Broken && !t.o.Verbose && len(result.Notes) == 0 {
			continue
		}
		lines := []string{escapeControl(title(result, r.Rules))}
		if why != "" {
			more := visibleLines(why)
			lines = append([]string{lines[0] + ": " + more[0]}, more[1:]...)
		}
		if result.Elapsed > 0 && t.o.Verbose {
			lines[len(lines)-1] += " (" + result.Elapsed.Round(time.Millisecond).String() + ")"
		}
		for _, note := range result.Notes {
			lines = append(lines, "note: "+escapeControl(note))
		}
		fmt.Fprintf(t, "%s%s  ", t.paint(statusColors[status], string(status)), pad(string(status), 7))
		t.lines(lines, 7+2, true)
		said = true
	}
	if said {
		fmt.Fprintln(t)
	}
}

func (t *textWriter) baseline() {
	if t.o.Baseline == nil {
		return
	}
	for _, entry := range t.o.Baseline.Stale {
		fmt.Fprintln(t, Hang("stale in the baseline: "+escapeControl(entry.String()), t.o.Width))
	}
	if line := t.o.Baseline.String(); line != "" {
		fmt.Fprintln(t, line)
	}
}

func (t *textWriter) summary(r *finding.Report) {
	line := Summarize(r, t.o).String()
	if r.Target != "" {
		line = escapeControl(r.Target) + ": " + line
	}
	fmt.Fprintln(t, Hang(line, t.o.Width))
}

var colors = map[finding.Severity]string{finding.Critical: "1;31", finding.Error: "31", finding.Warning: "33",
	finding.Info: "36"}

// SeverityColor returns the ANSI code for a severity.
func SeverityColor(s finding.Severity) string { return colors[s] }

var statusColors = map[finding.Status]string{finding.Broken: "35", finding.Passed: "32", finding.Skipped: "2"}

func (t *textWriter) paint(color, text string) string {
	if !t.o.Color || color == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// bySubject groups the findings by subject, in order of first occurrence, with the most severe first in each group.
func bySubject(r *finding.Report) [][]finding.Finding {
	var groups [][]finding.Finding
	index := map[string]int{}
	for _, f := range r.Findings() {
		at, known := index[f.Where.Subject]
		if !known {
			at = len(groups)
			index[f.Where.Subject] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], f)
	}
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b finding.Finding) int { return b.Severity.Rank() - a.Severity.Rank() })
	}
	return groups
}

// ruleWidth returns the width of the column of rules. On a narrow terminal a long rule gets its own line.
func ruleWidth(r *finding.Report, columns int) int {
	width, most := 0, 40
	if columns > 0 && columns < 100 {
		most = len("PROMPT-001")
	}
	for _, f := range r.Findings() {
		width = max(width, utf8.RuneCountInString(escapeControl(f.Rule)))
	}
	return min(width, most)
}

func pad(text string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// hang is the additional indentation of a continuation line: text from a server cannot be mistaken for one of our
// lines.
const hang = "  "

// wrap breaks a line at spaces, with room for hang; a width under 20 is too narrow and disables wrapping. A word that
// is too long is not broken, and neither are lines from a server, so that they can be copied.
func wrap(line string, width int) []string {
	if width < 20 || utf8.RuneCountInString(line) <= width || strings.HasPrefix(line, quote) {
		return []string{line}
	}
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	var lines []string
	current, full := indent, width
	for _, word := range strings.Split(text, " ") {
		if current != indent && utf8.RuneCountInString(current)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, strings.TrimRight(current, " "))
			current = indent
			width = full - len(hang)
		}
		if current != indent {
			current += " "
		}
		current += word
	}
	return append(lines, current)
}

// link makes the ID of a rule a hyperlink to its page, if the terminal supports that.
func (t *textWriter) link(rule string) string {
	if t.o.Link == nil {
		return rule
	}
	return Hyperlink(rule, t.o.Link(rule))
}

// Hyperlink makes text a link for terminals that support it. The text must be visible, and the URL must be ours.
func Hyperlink(text, url string) string { return "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\" }

// Messages in a report on a terminal take this space.
const (
	foldedWidth = 30 // columns that folding needs
	foldedLines = 8
	foldedItems = 3
	foldedDepth = 3
)

// messageLabel is what precedes a message in evidence.
var messageLabel = lazyregexp.New(`^(sent|received):? $`)

// foldEvidence shortens JSON after a label, such as a message, to the space of a terminal. Other formats have all of
// it.
func foldEvidence(evidence []string, columns int) []string {
	if columns < foldedWidth {
		return evidence
	}
	all := slices.Clone(evidence)
	for i, said := range all {
		at := strings.IndexAny(said, "{[")
		if at < 0 || !messageLabel().MatchString(said[:at]) || utf8.RuneCountInString(said) <= columns {
			continue
		}
		lines, err := jsonfold.Lines([]byte(said[at:]),
			jsonfold.Options{Width: columns - len(quote), Lines: foldedLines,
				Items: foldedItems, Depth: foldedDepth, Hide: map[string]bool{"_meta": true}, Cut: strings.HasSuffix(said, "…")})
		if err == nil {
			all[i] = strings.TrimRight(said[:at], " ") + "\n" + strings.Join(lines, "\n")
		}
	}
	return all
}
