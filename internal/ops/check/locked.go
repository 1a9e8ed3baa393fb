package check

import (
	"cmp"
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// lockFile is the file of --locked.
func (in *Input) lockFile() string { return cmp.Or(in.LockFile, changes.DefaultLock) }

// readLock reads the lock file; nil without --locked.
func (in *Input) readLock(w *workbench.Workbench) (*changes.LockFile, error) {
	switch {
	case in.Locked:
		return changes.ReadLock(w, in.lockFile(), false)
	case in.LockFile != "":
		return nil, &workbench.UsageError{Message: "--lock-file requires --locked"}
	}
	return nil, nil
}

// compareLock reports what the server offers and the lock file does not approve.
func (c *checkRun) compareLock(ctx context.Context) {
	if c.locked == nil {
		return
	}
	if c.unlisted != nil {
		c.merge(unlocked(c.unlisted))
		return
	}
	r, name, err := c.locked.Check(ctx, c.w, c.in.lockFile(), &c.in.Connection, "", c.session, c.surface)
	if c.lockedAs = name; err != nil {
		r = unlocked(err)
	}
	for _, result := range r.Results {
		c.result.NotTested = append(c.result.NotTested, result.Notes...)
	}
	c.merge(r)
}

// unlocked reports that the server could not be compared.
func unlocked(err error) *finding.Report {
	return &finding.Report{Engine: "lock", Results: []finding.Result{{Name: "lock", Rule: "LOCK-001",
		Broken: "cannot compare with the lock file: " + err.Error()}}}
}
