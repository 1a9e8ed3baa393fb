package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// writeGitHub writes workflow commands, which GitHub shows as annotations, and the counts.
func writeGitHub(w io.Writer, r *finding.Report, o *Options) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Findings() {
		fmt.Fprintf(out, "::%s %s::%s\n", githubLevel(f, o), githubProperties(f, o), githubMessage(f))
	}
	for _, result := range r.Results {
		if result.Status() == finding.Broken {
			broken := finding.Finding{Rule: "broken: " + title(result, r.Rules)}
			if result.Where != nil {
				broken.Where = *result.Where
			}
			fmt.Fprintf(out, "::error %s::%s\n", githubProperties(broken, o), githubData(escapeControl(result.Broken)))
		}
	}
	if o.Baseline != nil {
		for _, entry := range o.Baseline.Stale {
			fmt.Fprintf(out, "::notice title=stale baseline::%s\n", githubData(escapeControl(entry.String())))
		}
	}
	fmt.Fprintf(out, "mcptest %s: %s\n", escapeControl(r.Engine), Summarize(r, o))
	return out.Flush()
}

func githubLevel(f finding.Finding, o *Options) string {
	switch {
	case !o.counts(f):
		return "notice"
	case f.Severity.AtLeast(finding.Error):
		return "error"
	case f.Severity == finding.Warning:
		return "warning"
	}
	return "notice"
}

func githubProperties(f finding.Finding, o *Options) string {
	file, line := f.Where.File, f.Where.Line
	if file == "" {
		file, line = o.File, o.Line
	}
	var properties []string
	if file != "" {
		properties = append(properties, "file="+githubProperty(file))
	}
	if line > 0 {
		properties = append(properties, "line="+strconv.Itoa(line))
	}
	where := f.Where
	where.File = ""
	return strings.Join(append(properties, "title="+githubProperty(strings.TrimSpace(f.Rule+" "+locationText(where)))),
		",")
}

func githubMessage(f finding.Finding) string {
	lines := visibleLines(f.Detail()) // the title has the subject
	for _, fix := range f.Fixes {
		lines = append(lines, "fix: "+escapeControl(fix.Message))
	}
	lines = append(lines, proof(f)...)
	return githubData(strings.Join(lines, "\n"))
}

// githubData escapes the message of a command, so that it remains a single line and a single command.
func githubData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func githubProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubData(escapeControl(text)))
}
