package fuzz

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Replay does the steps of a defect once, on a fresh session, and says whether they still break the rule.
func Replay(ctx context.Context, o Options, rule string, steps []Step) (*Result, error) {
	if o.Hang == 0 {
		o.Hang = DefaultHang
	}
	o.Tools = nil
	o.May = func(json.RawMessage) (bool, string) { return true, "" }
	for _, s := range steps {
		if s.Tool != "" && !slices.Contains(o.Tools, s.Tool) {
			o.Tools = append(o.Tools, s.Tool)
		}
	}
	r := &runner{opts: o, found: map[string]*Found{}, mined: newMine(), sent: map[string]int{}}
	started := time.Now()
	if err := r.fresh(ctx); err != nil {
		return nil, err
	}
	defer func() { r.close() }()
	if _, err := r.choose(ctx); err != nil {
		return nil, err
	}
	for _, seen := range r.replay(ctx, steps, rule == "FUZZ-011") {
		key := keyOf(seen.rule, seen.tool, seen.breach)
		if r.found[key] != nil {
			continue
		}
		f := &Found{Rule: seen.rule, Breach: seen.breach.message, Severity: seen.rule.Severity, Steps: steps, Repeats: true, Times: 1}
		if seen.breach.severity != "" {
			f.Severity = seen.breach.severity
		}
		r.found[key] = f
		r.order = append(r.order, key)
	}
	r.done = len(steps)
	return r.result(started, nil), ctx.Err()
}
