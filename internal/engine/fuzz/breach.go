package fuzz

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// digits differ from case to case where the defect is the same.
var digits = regexp.MustCompile(`0x[0-9a-f]+|\d+`)

func keyOf(rule finding.Rule, tool string, b *breach) string {
	return rule.ID + "\x00" + tool + "\x00" + digits.ReplaceAllString(b.cause, "#")
}

// breach remembers a defect, makes it as small as it can be, and leaves a server that answers. It reports whether to go on.
func (r *runner) breach(ctx context.Context, p planned, rule finding.Rule, b *breach, s *sight) bool {
	key := keyOf(rule, p.subject.name, b)
	if f := r.found[key]; f != nil {
		f.Times++
		return r.recover(ctx, s)
	}
	f := &Found{Rule: rule, Breach: b.message, Severity: rule.Severity, Times: 1, Stderr: lastLines(r.session.Stderr(), 5)}
	if b.severity != "" {
		f.Severity = b.severity
	}
	if s.Exchange != nil && s.Exchange.Reply != nil {
		f.Frames = []int{s.Exchange.Request.Frame.Seq, s.Exchange.Reply.Frame.Seq}
	}
	r.found[key] = f
	r.order = append(r.order, key)
	r.minimize(ctx, p, f, key)
	if rule.ID == "FUZZ-002" && !f.Repeats { // it was slow once: that is no hang
		delete(r.found, key)
		r.order = r.order[:len(r.order)-1]
	}
	return r.recover(ctx, s)
}

// recover leaves a session that can be used: the old one if it still answers, else a new one.
func (r *runner) recover(ctx context.Context, s *sight) bool {
	if s.Err == nil && !s.Late && r.session != nil && r.session.Err() == nil {
		return ctx.Err() == nil
	}
	if r.session != nil && r.session.Err() == nil && r.healthy(ctx) {
		return ctx.Err() == nil
	}
	return r.fresh(ctx) == nil
}

// minimize looks for the smallest steps that break the same property in the same way on a fresh session. What one call
// alone shows is made smaller by its values; else the sequence is made shorter.
func (r *runner) minimize(ctx context.Context, p planned, f *Found, key string) {
	history := slices.Clone(r.history)
	f.Steps = []Step{p.step}
	ctx, cancel := context.WithTimeout(ctx, r.opts.Shrink)
	defer cancel()
	shows := func(steps []Step) (again bool, b *breach) {
		found := r.replay(ctx, steps, p.repeat)
		for _, seen := range found {
			if keyOf(seen.rule, seen.tool, seen.breach) == key {
				return true, seen.breach
			}
		}
		return false, nil
	}
	if again, _ := shows(f.Steps); again {
		f.Repeats = true
		f.Steps[0] = r.smaller(ctx, p.subject, p.step, f, func(step Step) (bool, *breach) { return shows([]Step{step}) })
		return
	}
	if again, _ := shows(history); !again {
		return
	}
	f.Repeats = true
	f.Steps = shorter(history, func(steps []Step) bool { again, _ := shows(steps); return again && ctx.Err() == nil })
	for i := range f.Steps {
		t := r.subject(f.Steps[i].Tool)
		if t == nil {
			continue
		}
		f.Steps[i] = r.smaller(ctx, t, f.Steps[i], f, func(step Step) (bool, *breach) {
			steps := slices.Clone(f.Steps)
			steps[i] = step
			return shows(steps)
		})
	}
}

func (r *runner) subject(name string) *subject {
	for _, t := range r.tools {
		if t.name == name {
			return t
		}
	}
	return nil
}

// A replayed is what a step of a replay breaks.
type replayed struct {
	rule   finding.Rule
	tool   string
	breach *breach
}

// replay does steps on a fresh session and returns what they break. The last one is done twice where its shape is in
// question.
func (r *runner) replay(ctx context.Context, steps []Step, repeat bool) []replayed {
	if r.fresh(ctx) != nil {
		return nil
	}
	var all []replayed
	for i, step := range steps {
		t := r.subject(step.Tool)
		if t == nil || ctx.Err() != nil {
			return all
		}
		t.gen.Judge(&step.Case)
		s := r.send(ctx, t, step)
		if rule, b := judge(s); b != nil {
			all = append(all, replayed{rule, step.Tool, b})
		}
		if last := i == len(steps)-1; last && s.Err == nil {
			if repeat {
				if b := differentShape(s, r.send(ctx, t, step)); b != nil {
					all = append(all, replayed{ruleOf("FUZZ-011"), step.Tool, b})
				}
			}
			if !r.healthy(ctx) && ctx.Err() == nil {
				all = append(all, replayed{ruleOf("FUZZ-009"), step.Tool, deadBreach()})
			}
		}
		if s.Err != nil && !s.Late {
			return all
		}
	}
	return all
}

// healthy reports whether a plain request is answered.
func (r *runner) healthy(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, r.opts.Hang)
	defer cancel()
	method := "ping"
	if r.session.Era == "modern" {
		method = "server/discover"
	}
	_, err := r.session.Call(ctx, method, nil)
	return err == nil
}

func deadBreach() *breach {
	return &breach{cause: "silent", message: "after the call, the server does not answer a plain request any more"}
}

// checkHealth asks for a sign of life, and looks at what the process holds.
func (r *runner) checkHealth(ctx context.Context, p planned) bool {
	start := time.Now()
	if !r.healthy(ctx) {
		if ctx.Err() != nil {
			return false
		}
		return r.breach(ctx, p, ruleOf("FUZZ-009"), deadBreach(), &sight{Case: p.step.Case, Err: context.DeadlineExceeded, Late: time.Since(start) >= r.opts.Hang})
	}
	if b := r.growth.look(r.session.Pid(), r.done); b != nil {
		return r.breach(ctx, p, ruleOf("FUZZ-010"), b, &sight{Case: p.step.Case})
	}
	return true
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return shorten(strings.Join(lines[max(0, len(lines)-n):], "\n"))
}
