package report

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A Summary counts the findings of a report by severity and its results by status.
type Summary struct {
	Critical int `json:"critical"`
	Error    int `json:"error"`
	Warning  int `json:"warning"`
	Info     int `json:"info"`

	NotCounted int `json:"not_counted,omitempty"` // how many of the findings do not fail the run

	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
	Broken  int `json:"broken"`
}

// Summarize counts. Of the options, only Counts matters; nil means that every finding counts.
func Summarize(r *finding.Report, o *Options) Summary {
	var s Summary
	for _, result := range r.Results {
		switch o.status(result) {
		case finding.Passed:
			s.Passed++
		case finding.Failed:
			s.Failed++
		case finding.Skipped:
			s.Skipped++
		case finding.Broken:
			s.Broken++
		}
		for _, f := range result.Findings {
			if !o.counts(f) {
				s.NotCounted++
			}
			switch f.Severity {
			case finding.Critical:
				s.Critical++
			case finding.Error:
				s.Error++
			case finding.Warning:
				s.Warning++
			default:
				s.Info++
			}
		}
	}
	return s
}

// Found returns the counts of findings only, for display.
func (s Summary) Found() string {
	var found []string
	add := func(n int, one, many string) {
		if n > 0 {
			found = append(found, counted(n, one, many))
		}
	}
	add(s.Critical, "critical", "critical")
	add(s.Error, "error", "errors")
	add(s.Warning, "warning", "warnings")
	add(s.Info, "info", "info")
	line := "no findings"
	switch {
	case len(found) > 0:
		line = strings.Join(found, ", ")
	case s.Broken > 0:
		line = fmt.Sprintf("%d not checked", s.Broken)
	}
	if s.NotCounted > 0 {
		line += fmt.Sprintf(" (%d not counted)", s.NotCounted)
	}
	return line
}

// String returns one line for display.
func (s Summary) String() string {
	line := fmt.Sprintf("%s; %d passed, %d failed", s.Found(), s.Passed, s.Failed)
	if s.Skipped > 0 {
		line += fmt.Sprintf(", %d skipped", s.Skipped)
	}
	if s.Broken > 0 {
		line += fmt.Sprintf(", %d broken", s.Broken)
	}
	return line
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// title returns the name of a result, or its rule.
func title(r finding.Result, rules []finding.Rule) string {
	if r.Name != "" {
		return r.Name
	}
	for _, rule := range rules {
		if rule.ID == r.Rule && rule.Doc != "" {
			return rule.ID + " " + rule.Title()
		}
	}
	return r.Rule
}

// locationText returns the location of a finding as one text.
func locationText(l finding.Location) string {
	where := l.Subject
	if l.Pointer != "" {
		where = strings.TrimSpace(where + " " + l.Pointer)
	}
	if l.File == "" {
		return where
	}
	file := l.File
	if l.Line > 0 {
		file = fmt.Sprintf("%s:%d", file, l.Line)
	}
	return strings.TrimSpace(where + " (" + file + ")")
}
