package main

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// GitHub draws Mermaid diagrams, a static page does not. The site draws the two kinds of lines that docs/blocks_test.go
// allows, participants and messages, so that it needs no script of several megabytes.

var diagramBlock = regexp.MustCompile(`(?s)<pre><code class="language-mermaid">(.*?)</code></pre>`)

// drawDiagrams replaces the sequence diagrams of a page by pictures.
func drawDiagrams(page string) (string, error) {
	var failed error
	page = diagramBlock.ReplaceAllStringFunc(page, func(block string) string {
		d, err := parseSequence(html.UnescapeString(diagramBlock.FindStringSubmatch(block)[1]))
		if err != nil {
			failed = err
		}
		return d.svg()
	})
	return page, failed
}

// A sequence is a sequence diagram.
type sequence struct {
	ids, names []string
	messages   []sequenceMessage
}

type sequenceMessage struct {
	from, to int
	dashed   bool
	text     string
}

var (
	participantLine = regexp.MustCompile(`^participant (\w+) as (.+)$`)
	messageLine     = regexp.MustCompile(`^(\w+)(--?)>>(\w+): (.+)$`)
)

func parseSequence(source string) (sequence, error) {
	var d sequence
	for i, line := range strings.Split(strings.TrimSpace(source), "\n") {
		line = strings.TrimSpace(line)
		if i == 0 && line == "sequenceDiagram" || line == "" {
			continue
		}
		if m := participantLine.FindStringSubmatch(line); m != nil {
			d.ids, d.names = append(d.ids, m[1]), append(d.names, m[2])
			continue
		}
		m := messageLine.FindStringSubmatch(line)
		if m == nil {
			return d, fmt.Errorf("cannot draw %q: expected a participant or a message", line)
		}
		message := sequenceMessage{slices.Index(d.ids, m[1]), slices.Index(d.ids, m[3]), m[2] == "--", m[4]}
		if message.from < 0 || message.to < 0 || message.from == message.to {
			return d, fmt.Errorf("cannot draw %q: unknown participant", line)
		}
		d.messages = append(d.messages, message)
	}
	return d, nil
}

// The sizes of a picture, in pixels.
const (
	letterWidth = 7.2 // at most, of the font at 13 px
	boxHeight   = 30
	rowHeight   = 38
	margin      = 24
)

// gaps returns the distances between the lines of participants: enough for every text between them.
func (d sequence) gaps() []float64 {
	gaps := make([]float64, max(len(d.names)-1, 0))
	for i := range gaps {
		gaps[i] = letterWidth*float64(utf8.RuneCountInString(d.names[i])+utf8.RuneCountInString(d.names[i+1]))/2 + 48
	}
	for _, m := range d.messages {
		low, high := min(m.from, m.to), max(m.from, m.to)
		missing := letterWidth*float64(utf8.RuneCountInString(m.text)) + 24
		for _, gap := range gaps[low:high] {
			missing -= gap
		}
		for i := low; i < high && missing > 0; i++ {
			gaps[i] += missing / float64(high-low)
		}
	}
	return gaps
}

func (d sequence) svg() string {
	if len(d.names) == 0 {
		return ""
	}
	at := []float64{letterWidth*float64(utf8.RuneCountInString(d.names[0]))/2 + margin}
	for i, gap := range d.gaps() {
		at = append(at, at[i]+gap)
	}
	last := len(at) - 1
	width := at[last] + letterWidth*float64(utf8.RuneCountInString(d.names[last]))/2 + margin
	height := float64(boxHeight + rowHeight*len(d.messages) + margin)
	var b, spoken strings.Builder
	for i, name := range d.names {
		half := letterWidth*float64(utf8.RuneCountInString(name))/2 + 12
		fmt.Fprintf(&b, `<line class="life" x1="%.0f" y1="%d" x2="%.0f" y2="%.0f"/>`, at[i], boxHeight, at[i], height)
		fmt.Fprintf(&b, `<rect x="%.0f" y="1" width="%.0f" height="%d" rx="4"/>`, at[i]-half, 2*half, boxHeight-2)
		fmt.Fprintf(&b, `<text x="%.0f" y="20">%s</text>`, at[i], html.EscapeString(name))
	}
	for i, m := range d.messages {
		y := float64(boxHeight + rowHeight*(i+1))
		from, to := at[m.from], at[m.to]
		back := 8.0 // the length of the arrow head
		if to > from {
			back = -back
		}
		class := "request"
		if m.dashed {
			class = "response"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f"/>`, class, from, y, to+back, y)
		fmt.Fprintf(&b, `<path d="M%.0f %.0fl%.0f -4v8z"/>`, to, y, back)
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`, (from+to)/2, y-7, html.EscapeString(m.text))
		fmt.Fprintf(&spoken, "%s to %s: %s. ", d.names[m.from], d.names[m.to], m.text)
	}
	return fmt.Sprintf(`<figure class="sequence" tabindex="0"><svg role="img" aria-label="%s" width="%.0f" height="%.0f" `+
		`viewBox="0 0 %.0f %.0f">%s</svg></figure>`, html.EscapeString("Sequence diagram. "+strings.TrimSpace(spoken.String())),
		width, height, width, height, b.String())
}
