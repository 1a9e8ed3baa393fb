package schema

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// times are samples for texts that are days or times, with one that is later.
var times = []struct{ text, later string }{
	{"2025-01-31", "2025-02-01"},
	{"2025-01-31T12:00:00Z", "2025-02-01T12:00:00Z"},
	{"2025-01-31T12:00:00.000Z", "2025-02-01T12:00:00.000Z"},
	{"2025-01-31T12:00:00+00:00", "2025-02-01T12:00:00+00:00"},
	{"2025-01-31T12:00:00", "2025-02-01T12:00:00"},
	{"2025-01-31 12:00:00", "2025-02-01 12:00:00"},
	{"2025-01-31T12:00", "2025-02-01T12:00"},
	{"2025-01-31T12:00Z", "2025-02-01T12:00Z"},
	{"2025-01-31 12:00", "2025-02-01 12:00"},
	{"31.01.2025", "01.02.2025"},
	{"2025/01/31", "2025/02/01"},
	{"2025-W05", "2025-W06"},
	{"2025-01", "2025-02"},
	{"12:00:00Z", "13:00:00Z"},
	{"12:00:00", "13:00:00"},
	{"12:00", "13:00"},
}

// timeForms are the words for the form of a time, with the sample.
var timeForms = []struct {
	words func() *regexp.Regexp
	text  string
}{
	{lazyregexp.New(`(?i)\byyyy-mm-dd[T ]hh:mm:ssZ\b`), "2025-01-31T12:00:00Z"},
	{lazyregexp.New(`(?i)\byyyy-mm-ddThh:mm(?:\[:ss\])?Z\b`), "2025-01-31T12:00Z"},
	{lazyregexp.New(`(?i)\byyyy-mm-ddThh:mm:ss\b`), "2025-01-31T12:00:00"},
	{lazyregexp.New(`(?i)\byyyy-mm-dd hh:mm:ss\b`), "2025-01-31 12:00:00"},
	{lazyregexp.New(`(?i)\byyyy-mm-ddThh:mm\b`), "2025-01-31T12:00"},
	{lazyregexp.New(`(?i)\byyyy-mm-dd hh:mm\b`), "2025-01-31 12:00"},
	{lazyregexp.New(`(?i)\biso(?:[ -]?8601)? (?:date-?time|date and time|timestamp)\b`), "2025-01-31T12:00:00Z"},
	{lazyregexp.New(`(?i)\byyyy-mm-dd\b|\biso(?:[ -]?8601)? (?:date|day)\b`), "2025-01-31"},
	{lazyregexp.New(`(?i)\byyyy-mm\b`), "2025-01"},
	{lazyregexp.New(`(?i)\brfc[ -]?3339\b|\biso[ -]?8601\b`), "2025-01-31T12:00:00Z"},
	{lazyregexp.New(`\bHH:MM:SS\b|\bhh:mm:ss\b`), "12:00:00"},
	{lazyregexp.New(`\bHH:MM\b|\bhh:mm\b|\bHH:mm\b`), "12:00"},
}

// noTime matches descriptions of durations, which have a form of their own.
var noTime = lazyregexp.New(`(?i)\b(?:durations?|intervals?|iso weeks?|yyyy-www)\b`)

// DescribedTime returns a sample for a text whose description has the form of a day or time; empty if it has none.
func DescribedTime(description string) string {
	if noTime().MatchString(description) {
		return ""
	}
	for _, form := range timeForms {
		if form.words().MatchString(description) {
			return form.text
		}
	}
	return ""
}

// realTime returns a day or time that exists for a text that has its form; the text itself if it has none.
func realTime(text string) string {
	for _, t := range times {
		if masked(t.text) == masked(text) {
			return t.text
		}
	}
	return text
}

func masked(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, text)
}

// ends are the words by which the name of the end of a range differs from that of its start.
var ends = []struct{ start, end string }{
	{"from", "to"}, {"start", "end"}, {"since", "until"}, {"after", "before"}, {"begin", "end"}, {"from", "until"}, {"start", "until"},
	{"check_in", "check_out"}, {"checkin", "checkout"}, {"departure", "return"}, {"depart", "return"},
}

// orderEnds makes the end of a range later than its start, if the last member and one before it are the ends of one.
func orderEnds(filled []Member) {
	last := &filled[len(filled)-1]
	text, _ := Text(last.Value)
	after := Later(text)
	if after == "" {
		return
	}
	for i := range filled[:len(filled)-1] {
		other := &filled[i]
		if same, _ := Text(other.Value); same != text {
			continue
		}
		switch {
		case StartsRange(other.Name, last.Name):
			last.Value = rawjson.Quote(after)
			return
		case StartsRange(last.Name, other.Name):
			other.Value = rawjson.Quote(after)
			return
		}
	}
}

// layouts are forms of days and times, for those of descriptions.
var layouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly}

// Later returns a text that is a day later than a text in one of the usual forms, or an hour if the form has no day; empty for other texts.
func Later(text string) string {
	if at := slices.IndexFunc(times, func(t struct{ text, later string }) bool { return t.text == text }); at >= 0 {
		return times[at].later
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.AddDate(0, 0, 1).Format(layout)
		}
	}
	return ""
}

// StartsRange reports whether an argument is the start of a range whose end is another one, by their names.
func StartsRange(start, end string) bool {
	start, end = Snake(start), Snake(end)
	return slices.ContainsFunc(ends, func(words struct{ start, end string }) bool {
		return strings.Contains(end, words.end) && strings.Replace(end, words.end, words.start, 1) == start
	})
}
