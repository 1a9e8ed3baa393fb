package changes

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Check reports what a server offers and the lock file does not approve, and the name of the server in the file.
// Cosmetic changes are approved: they accept the same and say the same.
func (l *LockFile) Check(ctx context.Context, w *workbench.Workbench, file string, c *workbench.Connection, as string, s *mcp.Session,
	lists *mcp.Surface) (*finding.Report, string, error) {
	r := &finding.Report{Engine: "lock"}
	name, known := l.Find(w, c, as)
	if !known {
		rule := change.FindRule("LOCK-002")
		r.Rules = append(r.Rules, rule)
		r.Results = append(r.Results, finding.Result{Rule: rule.ID, Findings: []finding.Finding{{Rule: rule.ID,
			Severity: rule.Severity, Message: fmt.Sprintf("%s has no server %q", file, name),
			Reproduce: "mcptest lock " + c.Words()}}})
		return r, name, nil
	}
	before, err := l.ApprovedSurface(file, name)
	if err != nil {
		return nil, name, err
	}
	now, err := SurfaceOf(s, lists, name)
	if err != nil {
		return nil, name, err
	}
	readTexts(ctx, w, s, now)
	d := change.Compare(before, now)
	Suspicious(r, d)
	rule := change.FindRule("LOCK-001")
	result := finding.Result{Rule: rule.ID, Notes: d.Remarks}
	for _, item := range d.Items {
		for _, one := range item.Changes {
			if one.Verdict == change.Cosmetic {
				continue
			}
			f := DiffFinding(rule, item, one)
			f.Message = fmt.Sprintf("%s (%s)", f.Message, VerdictTitles[one.Verdict])
			result.Findings = append(result.Findings, f)
		}
	}
	r.Rules, r.Results = append(r.Rules, rule), append(r.Results, result)
	return r, name, nil
}
