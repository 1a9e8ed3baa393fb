package changes

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// diffReport is a difference as findings, for sarif, github, junit and the other formats.
func diffReport(d *change.Diff) *finding.Report {
	r := &finding.Report{Engine: "diff", Target: d.Old.Source + " → " + d.New.Source, Started: time.Now()}
	for _, v := range change.Verdicts() {
		rule := change.RuleOf(v)
		result := finding.Result{Rule: rule.ID}
		for _, item := range d.Items {
			for _, c := range item.Changes {
				if c.Verdict == v && v != change.Cosmetic {
					result.Findings = append(result.Findings, DiffFinding(rule, item, c))
				}
			}
		}
		r.Rules = append(r.Rules, rule)
		r.Results = append(r.Results, result)
	}
	Suspicious(r, d)
	return r
}

// Suspicious adds the suspicious changes to a report.
func Suspicious(r *finding.Report, d *change.Diff) {
	for _, rule := range change.Rules() {
		if rule.Family() != "SEC" {
			continue
		}
		result := finding.Result{Rule: rule.ID}
		for _, item := range d.Items {
			for _, s := range item.Suspicions {
				if s.Rule == rule.ID {
					result.Findings = append(result.Findings,
						finding.Finding{Rule: rule.ID, Severity: rule.Severity, Message: s.Message,
							Where: finding.Location{Subject: itemName(item), Pointer: s.Path}})
				}
			}
		}
		r.Rules = append(r.Rules, rule)
		r.Results = append(r.Results, result)
	}
}

func DiffFinding(rule finding.Rule, item change.Item, c change.Change) finding.Finding {
	f := finding.Finding{Rule: rule.ID, Severity: rule.Severity, Message: c.Message,
		Where: finding.Location{Subject: itemName(item), Pointer: c.Path}}
	if proof := c.Counterexample; proof != nil {
		f.Message += ": " + proofText(proof)
		if proof.Method == "tools/call" && proof.Arguments != nil {
			f.Reproduce = fmt.Sprintf("mcptest tools call %s TARGET --args %s", workbench.QuoteWord(proof.Name),
				workbench.QuoteWord(string(proof.Arguments)))
		}
	}
	return f
}

func proofText(p *change.Counterexample) string {
	value := p.Arguments
	if p.Result != nil {
		value = p.Result
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", clip.Runes(string(value), 200), p.Rejection))
}

// diffMarkdown is a difference as a comment on a pull request.
func diffMarkdown(r *DiffResult) string {
	d := r.Diff
	var b strings.Builder
	fmt.Fprintf(&b, "### %s → %s\n\n", cell(d.Old.Source), cell(d.New.Source))
	if len(d.Items) == 0 {
		b.WriteString("No differences.\n")
		markdownRemarks(&b, d)
		return b.String()
	}
	b.WriteString(cell(conclusion(d)) + "\n")
	if lines := suspicionLines(d); len(lines) > 0 {
		b.WriteString("\n**Suspicious changes**, review them before you approve:\n\n")
		for _, line := range lines {
			fmt.Fprintf(&b, "- %s: %s (%s)\n", cell(shorten(line.names)), cell(line.Message), line.Rule)
		}
	}
	for _, v := range change.Verdicts() {
		lines := diffLines(d, v)
		if len(lines) == 0 {
			continue
		}
		title := VerdictTitles[v]
		fmt.Fprintf(&b, "\n<details%s><summary><b>%s</b> (%d)</summary>\n\n| where | change | proof |\n|---|---|---|\n",
			map[bool]string{true: " open"}[v == change.Breaking], title, len(lines))
		for _, line := range lines {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(shorten(line.names)), cell(line.change.Message),
				markdownProof(line.change))
		}
		b.WriteString("\n</details>\n")
	}
	if a := r.Affected; a != nil {
		fmt.Fprintf(&b, "\nTokens of the definitions (estimated): %d before, %d now.\n", a.Tokens.Old, a.Tokens.New)
		for _, h := range a.Hosts {
			if len(h.Lost) > 0 {
				fmt.Fprintf(&b, "\n- %s rejects or drops now: %s\n", h.Host, cell(shorten(h.Lost)))
			}
		}
		if a.Calls != nil {
			fmt.Fprintf(&b, "\n%d of %d recorded calls are rejected now.\n", len(a.Calls.Failing), a.Calls.Checked)
			for _, c := range a.Calls.Failing[:min(len(a.Calls.Failing), maxNames)] {
				fmt.Fprintf(&b, "\n- %s: <code>%s %s</code> %s\n", cell(c.Source), cell(c.Name),
					cell(clip.Runes(string(c.Arguments), 120)), cell(c.Rejection))
			}
		}
	}
	for _, a := range d.Artifacts {
		fmt.Fprintf(&b, "\n- %s: %s (%d of %s)\n", VerdictTitles[a.Verdict], cell(a.Message), a.Tools,
			workbench.Plural(a.Of, "tool"))
	}
	markdownRemarks(&b, d)
	return b.String()
}

func markdownRemarks(b *strings.Builder, d *change.Diff) {
	for _, remark := range d.Remarks {
		fmt.Fprintf(b, "\n- %s\n", cell(remark))
	}
}

func markdownProof(c change.Change) string {
	if c.Counterexample == nil {
		return cell(c.Basis)
	}
	value := c.Counterexample.Arguments
	if c.Counterexample.Result != nil {
		value = c.Counterexample.Result
	}
	if value == nil {
		value = json.RawMessage(c.Counterexample.Method)
	}
	return "<code>" + cell(clip.Runes(string(value), 120)) + "</code> " + cell(c.Counterexample.Rejection)
}

// cell escapes text of a server for a table in Markdown.
func cell(text string) string {
	text = report.Visible(text)
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "\\|", "`", "\\`", "*", "\\*", "_", "\\_",
		"[", "\\[", "]", "\\]",
		"\r", " ", "\n", " ", "@", "&#64;").Replace(text)
	return text
}
