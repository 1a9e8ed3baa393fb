package tap

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// restartLimit is how long after a session a client may start the same server again to have reconnected.
const restartLimit = time.Minute

// FaultReport returns what the client of a session did after each fault; nil if the session has no faults.
func FaultReport(ctx context.Context, dir string, s *Session) (*fault.Report, error) {
	if s.Faults == nil {
		return nil, nil
	}
	in := &fault.Session{Injected: s.Faults.Injected, Count: s.Faults.Count, ClientClosed: s.Faults.ClientClosed,
		ClientExited: s.Faults.ClientExited, Ended: time.Now()}
	if s.Ended != nil {
		in.Ended = *s.Ended
	}
	if in.Count == 0 { // there is nothing to search for in the recording, which may be large
		return fault.Assess(in), nil
	}
	err := Frames(ctx, dir, s, false, func(f wire.Frame) error {
		in.Frames = append(in.Frames, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !s.Running() {
		in.Restarted = restarted(dir, s)
		in.NoRestart = in.Restarted == nil && s.Ended != nil && time.Since(*s.Ended) > restartLimit
	}
	return fault.Assess(in), nil
}

// writeFaults writes the report of a session that has ended.
func writeFaults(o Options, rec *recorder) {
	if o.Faults == nil || o.Report == nil {
		return
	}
	s, err := Read(o.Dir, rec.session.ID)
	if err != nil {
		return // there is no recording, which tap list shows
	}
	report, err := FaultReport(context.Background(), o.Dir, s)
	if err != nil {
		return
	}
	for _, line := range FaultLines(report, s.Faults.Seed) {
		fmt.Fprintln(o.Report, "mcptest tap: "+line)
	}
}

// restarted returns when the client of a stdio session started the same server again soon after it; nil if it did not.
func restarted(dir string, s *Session) *time.Time {
	all, err := List(dir)
	if err != nil || len(s.Command) == 0 {
		return nil
	}
	slices.Reverse(all) // the earliest first
	for _, next := range all {
		last := s.Started
		if s.Ended != nil {
			last = *s.Ended
		}
		if next.ID != s.ID && next.Started.After(s.Started) && next.Started.Before(last.Add(restartLimit)) &&
			slices.Equal(next.Command, s.Command) && sameParent(&next, s) {
			return &next.Started
		}
	}
	return nil
}

func sameParent(a, b *Session) bool {
	return a.Parent != nil && b.Parent != nil && a.Parent.PID == b.Parent.PID
}

// FaultLines returns a report as lines of text.
func FaultLines(r *fault.Report, seed uint64) []string {
	if r.Count == 0 {
		return []string{fmt.Sprintf("faults: none injected (seed %d): no message was selected", seed)}
	}
	lines := []string{fmt.Sprintf("faults: %d injected (seed %d)", r.Count, seed)}
	for _, reaction := range r.Reactions {
		lines = append(lines, "  "+reaction.Text())
	}
	if more := r.Count - len(r.Reactions); more > 0 {
		lines = append(lines, fmt.Sprintf("  … and %d more", more))
	}
	if r.Grade == "" {
		return append(lines, "resilience of the client: no grade, the recording shows no reaction")
	}
	text := fmt.Sprintf("resilience of the client: %s, recovered from %d of %d faults", r.Grade, r.Recovered, r.Assessed)
	if without := len(r.Reactions) - r.Assessed; without > 0 {
		text += fmt.Sprintf("; no evidence for %d", without)
	}
	return append(lines, text)
}
