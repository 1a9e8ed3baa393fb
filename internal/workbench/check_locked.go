package workbench

import (
	"cmp"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// lockFile is the file of --locked.
func (in *CheckInput) lockFile() string { return cmp.Or(in.LockFile, DefaultLock) }

// readLock reads the lock file; nil without --locked.
func (in *CheckInput) readLock(w *Workbench) (*lockFile, error) {
	switch {
	case in.Locked:
		return w.readLock(in.lockFile(), false)
	case in.LockFile != "":
		return nil, &UsageError{Message: "--lock-file requires --locked"}
	}
	return nil, nil
}

// compareLock reports what the server offers and the lock file does not approve. Cosmetic changes are approved: they
// accept the same and say the same.
func (c *checking) compareLock() {
	if c.locked == nil {
		return
	}
	r := &finding.Report{Engine: "lock"}
	defer func() { c.merge(r) }()
	add := func(id string, f finding.Finding) {
		rule := change.FindRule(id)
		f.Rule, f.Severity = rule.ID, rule.Severity
		r.Rules = append(r.Rules, rule)
		r.Results = append(r.Results, finding.Result{Rule: rule.ID, Findings: []finding.Finding{f}})
	}
	name, known := c.locked.find(c.w, &c.in.Connection, "")
	if c.lockedAs = name; !known {
		add("LOCK-002", finding.Finding{Message: fmt.Sprintf("%s has no server %q", c.in.lockFile(), name),
			Reproduce: "mcptest lock " + c.in.Connection.words()})
		return
	}
	before, err := c.locked.surface(c.in.lockFile(), name, "")
	if err != nil || c.unlisted != nil {
		r.Results = append(r.Results, finding.Result{Name: "lock", Rule: "LOCK-001", Broken: fmt.Sprint("cannot compare with the lock file: ", cmp.Or(err, c.unlisted))})
		return
	}
	now, err := surfaceOf(c.session, c.surface, c.in.Connection.shown())
	if err != nil {
		r.Results = append(r.Results, finding.Result{Name: "lock", Rule: "LOCK-001", Broken: "cannot compare with the lock file: " + err.Error()})
		return
	}
	d := change.Compare(before, now)
	suspicious(r, d)
	rule := change.FindRule("LOCK-001")
	result := finding.Result{Rule: rule.ID}
	for _, item := range d.Items {
		for _, one := range item.Changes {
			if one.Verdict == change.Cosmetic {
				continue
			}
			f := diffFinding(rule, item, one)
			f.Message = fmt.Sprintf("%s (%s)", f.Message, verdictTitles[one.Verdict])
			result.Findings = append(result.Findings, f)
		}
	}
	r.Rules, r.Results = append(r.Rules, rule), append(r.Results, result)
}
