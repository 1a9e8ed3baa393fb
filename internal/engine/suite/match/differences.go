package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of what a mismatch shows.
const (
	maxDifferences = 20
	maxDiffLines   = 60
	maxDiffLine    = 300
	maxDiffInput   = 1 << 20 // bytes of a text; longer ones are shown in short
)

// A difference is one location where two values differ; a value that is nil does not exist.
type difference struct {
	at        string // JSON Pointer; empty for the whole value
	got, want json.RawMessage
}

// describe explains how a value differs from the expected one: every location, and texts of several lines as a unified
// diff. Note is added to what was expected.
func describe(got, want json.RawMessage, note string) error {
	if got == nil {
		return mismatch(nil, "%s%s", clip.Sized(string(want), MaxDisplayed), note)
	}
	all := differences(got, want)
	if len(all) == 1 {
		return all[0].mismatch(note)
	}
	var lines []string
	for i, d := range all {
		if i == maxDifferences {
			lines = append(lines, fmt.Sprintf("… and %d more", len(all)-i))
			break
		}
		lines = append(lines, d.line())
	}
	return &Mismatch{Text: fmt.Sprintf("%d differences%s:\n%s", len(all), note, strings.Join(lines, "\n"))}
}

// mismatch describes the only difference of two values.
func (d difference) mismatch(note string) error {
	if text := d.diff(); text != "" {
		at := ""
		if d.at != "" {
			at = "at " + d.at + ", "
		}
		return &Mismatch{Text: fmt.Sprintf("%sthe text differs%s:\n%s", at, note, text)}
	}
	shown := showValue(d.got)
	if d.at != "" {
		shown += " at " + d.at
	}
	return &Mismatch{Got: shown, Want: showValue(d.want) + note}
}

// line describes one difference of several.
func (d difference) line() string {
	if text := d.diff(); text != "" {
		return d.at + ": the text differs:\n" + text
	}
	return fmt.Sprintf("%s: expected %s, got %s", d.at, showValue(d.want), showValue(d.got))
}

// diff returns a unified diff of two texts; empty if one of them is not a text of several lines.
func (d difference) diff() string {
	if schema.Kind(d.got) != '"' || schema.Kind(d.want) != '"' {
		return ""
	}
	got, want := Flat(d.got), Flat(d.want)
	if !strings.Contains(got, "\n") && !strings.Contains(want, "\n") || len(got)+len(want) > maxDiffInput {
		return ""
	}
	if bytes.Equal(ended(got), ended(want)) {
		return "" // only the end of the last line differs, which a diff does not show
	}
	raw := diff.Diff("expected", ended(want), "got", ended(got))
	_, raw, _ = bytes.Cut(raw, []byte("\n")) // its title
	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if more := len(lines) - maxDiffLines; more > 0 {
		lines = append(lines[:maxDiffLines], fmt.Sprintf("… and %d more lines", more))
	}
	for i, line := range lines {
		lines[i] = clip.Sized(line, maxDiffLine)
	}
	return strings.Join(lines, "\n")
}

// ended is a text whose last line ends, so that a missing end is not a difference of its own.
func ended(text string) []byte {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []byte(text)
}
