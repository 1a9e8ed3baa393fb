package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A gitlabIssue is one entry of a Code Quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// writeGitLab writes a Code Quality report, which GitLab shows on a merge request.
func writeGitLab(w io.Writer, r *finding.Report, o *Options) error {
	issues := []gitlabIssue{}
	seen := map[string]int{}
	add := func(f finding.Finding) {
		path, line := cmp.Or(f.Where.File, o.File, "mcptest"), max(f.Where.Line, 1)
		shown := f
		shown.Where.Subject = escapeControl(f.Where.Subject)
		text := strings.Join(visibleLines(shown.Line()), " ")
		key := strings.Join([]string{f.Rule, path, f.Where.Subject, f.Where.Pointer, fmt.Sprint(line)}, "\x00")
		seen[key]++ // one rule may have two findings at one location
		sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%d", key, seen[key])))
		issues = append(issues, gitlabIssue{Description: text, Check: escapeControl(f.Rule),
			Fingerprint: hex.EncodeToString(sum[:]),
			Severity:    gitlabSeverity(f, o), Location: gitlabLocation{Path: escapeControl(path),
				Lines: gitlabLines{Begin: line}}})
	}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			add(f)
		}
		if result.Broken != "" {
			at := finding.Location{Subject: title(result, r.Rules)}
			if result.Where != nil {
				at.File, at.Line = result.Where.File, result.Where.Line
			}
			add(finding.Finding{Rule: "broken", Severity: finding.Critical, Message: result.Broken, Where: at})
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(issues)
}

func gitlabSeverity(f finding.Finding, o *Options) string {
	switch {
	case f.Severity == finding.Info || !o.counts(f):
		return "info"
	case f.Severity == finding.Warning:
		return "minor"
	case f.Severity == finding.Error:
		return "major"
	}
	return "critical"
}
