package connections

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// launch resolves a command line or a path that an assistant passed. The text alone decides the first question: no
// file is looked at before the user allows it, so that errors do not disclose which files exist. The process is started
// only if the user allowed exactly this one.
func (p *Policy) launch(ctx context.Context, w *workbench.Workbench, name string, l *target.Launch,
	book *grantBook) (*target.Resolved, error) {
	refused := &RefusedError{Message: fmt.Sprintf("%q is not started: the user has not allowed it", name),
		Command: p.approveCommand(name, w.System.Dir)}
	if p.NoSpawn || p.Approvals == nil {
		return nil, &RefusedError{Message: fmt.Sprintf("%q starts a local process, which is not allowed here", name),
			Hint: "connect to a URL, or have the user run mcptest serve over stdio"}
	}
	first := launchRequest(l)
	if !slices.Contains(p.Names, name) && !book.granted(ctx, first.ID) {
		refused.Request = first
		return nil, refused
	}
	found, err := l.Resolve(w.System)
	if err != nil {
		return nil, err
	}
	start, err := startRequest(p.Approvals, found)
	if err != nil {
		return nil, err
	}
	if book.granted(ctx, start.ID) {
		return found, nil
	}
	if how := answered(ctx, first.ID); how != "" && l.Command != nil {
		return found, book.save(start, how) // the answer was for this command: from now on, for this program
	}
	start.After, refused.Request = first.ID, start
	return nil, refused
}

// launchRequest asks for what the text of a launch says.
func launchRequest(l *target.Launch) *workbench.GrantRequest {
	return &workbench.GrantRequest{ID: l.ID(), What: l.What(), Lines: l.Lines()}
}

// startRequest asks to start the process of a launch.
func startRequest(a *target.Approvals, found *target.Resolved) (*workbench.GrantRequest, error) {
	id, lines, err := a.Start(found)
	return &workbench.GrantRequest{ID: id, What: "start a server with this command", Lines: lines}, err
}

// ApproveLaunch stores that the user approved the process of a launch.
func ApproveLaunch(a *target.Approvals, l *target.Launch, found *target.Resolved) error {
	start, err := startRequest(a, found)
	if err != nil {
		return err
	}
	for _, r := range []*workbench.GrantRequest{launchRequest(l), start} {
		if err := a.Remember(r.ID, r.What, r.Lines); err != nil {
			return err
		}
	}
	return nil
}
