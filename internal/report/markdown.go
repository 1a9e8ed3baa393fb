package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// writeMarkdown writes a table of findings, for a comment on a pull request or a job summary.
func writeMarkdown(w io.Writer, r *finding.Report, o *Options) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "## mcptest %s: %s\n\n", markdown(r.Engine), markdown(r.Target))
	o.Verdict.markdown(out)
	fmt.Fprintln(out, Summarize(r, o))
	if findings := r.Findings(); len(findings) > 0 {
		fmt.Fprint(out, "\n| Severity | Rule | Where | Finding |\n|---|---|---|---|\n")
		for _, f := range findings {
			fmt.Fprintf(out, "| %s | %s | %s | %s |\n", markdownSeverity(f, o), markdown(f.Rule),
				markdown(locationText(f.Where)), markdownFinding(f))
		}
	}
	markdownResults(out, r, o)
	if line := o.Baseline.String(); line != "" {
		fmt.Fprintf(out, "\n%s\n\n", line)
		for _, entry := range o.Baseline.Stale {
			fmt.Fprintf(out, "- stale: %s\n", markdown(entry.String()))
		}
	}
	return out.Flush()
}

// markdown writes the verdict as a line and a table.
func (v *Verdict) markdown(out io.Writer) {
	if v == nil {
		return
	}
	fmt.Fprintf(out, "**%s**\n\n", markdown(v.Line))
	if len(v.Rows) == 0 {
		return
	}
	fmt.Fprintf(out, "| %s |\n|%s\n", strings.Join(v.Head, " | "), strings.Repeat("---|", len(v.Head)))
	for _, row := range v.Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, markdown(cell))
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
	}
	fmt.Fprintln(out)
}

func markdownSeverity(f finding.Finding, o *Options) string {
	if !o.counts(f) {
		return markdown(string(f.Severity)) + ", not counted"
	}
	return markdown(string(f.Severity))
}

func markdownFinding(f finding.Finding) string {
	lines := strings.Split(strings.TrimRight(f.Detail(), "\n"), "\n")
	for i, line := range lines {
		lines[i] = markdown(line)
	}
	for _, fix := range f.Fixes {
		lines = append(lines, "Fix: "+markdown(fix.Message))
	}
	for _, line := range proof(f) {
		lines = append(lines, markdown(line))
	}
	return strings.Join(lines, "<br>")
}

func markdownResults(out *bufio.Writer, r *finding.Report, o *Options) {
	first := true
	for _, result := range r.Results {
		status := o.status(result)
		if status == finding.Failed || status != finding.Broken && !o.Verbose {
			continue
		}
		if first {
			fmt.Fprintln(out)
			first = false
		}
		fmt.Fprintf(out, "- %s: %s", status, markdown(title(result, r.Rules)))
		if why := result.Broken + result.Skipped; why != "" {
			fmt.Fprintf(out, ": %s", markdown(why))
		}
		fmt.Fprintln(out)
	}
}

// markdown escapes text so that it is shown literally: no markup, HTML, mentions or automatic links.
func markdown(text string) string { return markdownEscapes.Replace(escapeControl(text)) }

var markdownEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "#", "&#35;", "://", "&#58;//", "www.", "www&#46;",
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "(", `\(`, ")", `\)`, "|", `\|`, "~", `\~`, "!",
	`\!`, "$", `\$`,
)
