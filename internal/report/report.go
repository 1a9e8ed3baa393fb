// Package report renders a finding.Report for users, for programs and for services that read test results.
//
// Much of the text in a report comes from the server under test. It is untrusted: it must not move a cursor, hide text,
// forge a line, create a link or inject a command, in any format.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// Options control how a report is rendered. The zero value shows all findings without color.
type Options struct {
	Color    bool                // text: mark severities with ANSI colors
	Link     func(string) string // text: the URL of a rule, as a hyperlink; nil for none
	Width    int                 // text: wrap at this many columns; 0 does not wrap
	Verbose  bool                // text and markdown: also list passed results and why results were skipped
	Severity finding.Severity    // omit findings below it
	Scrub    func(string) string // removes secrets from every text; nil removes none
	File     string              // sarif and github: the file to point to if a finding has none
	Line     int                 // sarif and github: the line of File
	Verdict  *Verdict            // html and markdown: the verdict, above the results
	Baseline *Applied            // what a baseline suppressed, for the summary

	// Frame returns a frame of the transcript as text, which html shows next to the finding; nil shows only numbers.
	Frame func(seq int) (text string, ok bool)

	// Counts reports by rule and severity whether a finding fails the run; nil means that every finding does.
	Counts func(finding.Finding) bool
}

// A Verdict is the overall result of a report: a line and a table, such as the areas of a server or several servers.
type Verdict struct {
	Line string
	Head []string
	Rows [][]string
}

// Formats lists the formats that Write supports.
var Formats = []string{"text", "json", "junit", "sarif", "markdown", "github", "gitlab", "tap", "html"}

// Write renders a report in one of the Formats.
func Write(w io.Writer, format string, r *finding.Report, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	write, known := writers[format]
	if !known {
		return fmt.Errorf("invalid report format %q, expected one of %s", format, strings.Join(Formats, ", "))
	}
	shown := *o
	shown.Baseline, shown.Verdict = o.Baseline.scrubbed(o.Scrub), o.Verdict.scrubbed(o.Scrub)
	if err := write(w, prepare(r, o), &shown); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

// A writer renders a report that has been prepared.
type writer func(io.Writer, *finding.Report, *Options) error

var writers = map[string]writer{
	"text": writeText, "json": writeJSON, "junit": writeJUnit, "sarif": writeSARIF, "markdown": writeMarkdown,
	"github": writeGitHub,
	"gitlab": writeGitLab, "tap": writeTAP, "html": writeHTML,
}

// scrubbed returns the verdict without secrets and with hidden characters escaped.
func (v *Verdict) scrubbed(scrub func(string) string) *Verdict {
	if v == nil {
		return nil
	}
	clean := func(text string) string {
		if scrub != nil {
			text = scrub(text)
		}
		return escapeControl(text)
	}
	out := &Verdict{Line: clean(v.Line), Head: v.Head}
	for _, row := range v.Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, clean(cell))
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// prepare copies a report without the findings below the floor and without secrets. The original is not changed.
func prepare(r *finding.Report, o *Options) *finding.Report {
	scrub := o.Scrub
	if scrub == nil {
		scrub = func(text string) string { return text }
	}
	clean := *r
	clean.Target, clean.Engine, clean.Version = scrub(r.Target), scrub(r.Engine), scrub(r.Version)
	clean.Rules = slices.Clone(r.Rules)
	clean.Results = make([]finding.Result, len(r.Results))
	for i, result := range r.Results {
		result.Notes = slices.Clone(result.Notes)
		for i, note := range result.Notes {
			result.Notes[i] = scrub(note)
		}
		result.Name, result.Skipped, result.Broken = scrub(result.Name), scrub(result.Skipped), scrub(result.Broken)
		if result.Where != nil {
			at := *result.Where
			at.File = scrub(at.File)
			result.Where = &at
		}
		result.Findings = cleanFindings(result.Findings, o.Severity, scrub)
		clean.Results[i] = result
	}
	return &clean
}

func cleanFindings(findings []finding.Finding, floor finding.Severity, scrub func(string) string) []finding.Finding {
	var kept []finding.Finding
	for _, f := range findings {
		if !f.Severity.AtLeast(floor) {
			continue
		}
		f.Message = scrub(f.Message)
		f.Where.Subject, f.Where.Pointer, f.Where.File = scrub(f.Where.Subject), scrub(f.Where.Pointer),
			scrub(f.Where.File)
		f.Fixes = cleanFixes(f.Fixes, scrub)
		f.Reproduce, f.Evidence = scrub(f.Reproduce), slices.Clone(f.Evidence)
		for i, line := range f.Evidence {
			f.Evidence[i] = scrub(line)
		}
		if slices.ContainsFunc(f.Calls, func(c finding.Call) bool {
			return scrub(c.Tool) != c.Tool || scrub(string(c.Arguments)) != string(c.Arguments)
		}) {
			f.Calls = nil // without the secret they do not show it
		}
		kept = append(kept, f)
	}
	return kept
}

// cleanFixes drops an edit if a secret was removed from its value: the rest may not be valid JSON, and applying it
// would destroy data.
func cleanFixes(fixes []finding.Fix, scrub func(string) string) []finding.Fix {
	var kept []finding.Fix
	for _, fix := range fixes {
		fix.Message = scrub(fix.Message)
		fix.Edits = slices.DeleteFunc(slices.Clone(fix.Edits), func(e finding.Edit) bool {
			return scrub(string(e.Value)) != string(e.Value) || scrub(e.Pointer) != e.Pointer
		})
		kept = append(kept, fix)
	}
	return kept
}
