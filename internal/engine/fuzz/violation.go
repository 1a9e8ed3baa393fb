package fuzz

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/growth"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// digits matches numbers and quoted text, which differ from case to case for the same defect.
var digits = lazyregexp.New("0x[0-9a-f]+|\\d+|`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"")

func keyOf(rule finding.Rule, tool string, b *violation) string {
	return rule.ID + "\x00" + tool + "\x00" + digits().ReplaceAllString(b.cause, "#")
}

// sameDefect reports whether two keys represent the same defect. The cause of a process exit is not always known in
// time; an unknown cause matches any exit.
func sameDefect(a, b string) bool {
	if a == b {
		return true
	}
	short, long := min(a, b), max(a, b)
	if strings.HasSuffix(long, unknownEnd) {
		short, long = long, short
	}
	end := strings.TrimSuffix(short, unknownEnd)
	return end != short && strings.HasPrefix(long, end+"\x00")
}

// unknownEnd is the suffix of the key of a crash with an unknown cause.
const unknownEnd = "\x00" + unknownCause

// known is a defect that was found before; nil if there is none.
func (r *runner) known(key string) *Found {
	for _, k := range r.order {
		if sameDefect(k, key) {
			return r.found[k]
		}
	}
	return nil
}

// violation records a defect, minimizes it, and leaves a responsive server. It reports whether to continue.
func (r *runner) breach(ctx context.Context, p scheduledCase, rule finding.Rule, b *violation, s *observation) bool {
	key := keyOf(rule, p.subject.name, b)
	known := r.known(key)
	if known != nil || !s.early {
		r.count(p.subject, s)
	}
	if known != nil {
		known.Times++
		return r.recoverAfter(ctx, p.subject, s)
	}
	f := &Found{Rule: rule, Breach: b.message, Severity: rule.Severity, Times: 1, Cases: r.done, After: r.searched(),
		Sign: r.signMethod(), Stderr: r.stderr(), Frames: b.frames(s.Exchange)}
	if b.severity != "" {
		f.Severity = b.severity
	}
	f.Output, _ = schema.Get(p.subject.raw, "/outputSchema")
	r.found[key] = f
	r.order = append(r.order, key)
	if r.defersMinimizing(rule) {
		f.Steps = []Step{p.step}
		r.deferred = append(r.deferred, deferred{p, f, key, slices.Clone(r.history)})
		return r.recoverAfter(ctx, p.subject, s)
	}
	before := ""
	if b.cause == hidden {
		before = r.session.Stderr()
	}
	r.minimize(ctx, p, f, key)
	if b.cause == hidden {
		r.reveal(f, before)
	}
	switch {
	// it was slow once, or is only suspected: not a hang
	case silent(rule.ID) && !f.Repeats && (s.early || ctx.Err() == nil):
		delete(r.found, key)
		r.order = r.order[:len(r.order)-1]
		if (ctx.Err() != nil || f.Unrepeated) && !slices.Contains(r.unsure, p.subject.name) {
			r.unsure = append(r.unsure, p.subject.name)
			r.skipped[p.subject.name] = notRepeated
		}
		p.subject.latency.mistrust(r.opts.Hang) // one false alarm is enough
		r.latency.mistrust(r.opts.Hang)
	// a connection was closed while the call was sent, or calls failed at random
	case (b.cause == unfinishedCause || rule.ID == unexplainedRule.ID) && !f.Repeats:
		delete(r.found, key)
		r.order = r.order[:len(r.order)-1]
	case s.Late:
		p.subject.hung = true
		if s.early {
			r.count(p.subject, s)
		}
	}
	return r.recoverAfter(ctx, p.subject, s)
}

// searched is the time spent searching for defects.
func (r *runner) searched() time.Duration { return time.Since(r.started) - r.shrinking }

// recoverAfter is recover, and counts the time as that of a tool: a server that starts slowly and crashes in each call of
// one tool would leave no time for the others.
func (r *runner) recoverAfter(ctx context.Context, t *fuzzTarget, s *observation) bool {
	began := time.Now()
	defer func() { t.turns.spent += time.Since(began) }()
	return r.recover(ctx, s)
}

// recover leaves a usable session: the old one if it still responds, else a new one.
func (r *runner) recover(ctx context.Context, s *observation) bool {
	if r.session != nil && r.session.Err() == nil && (s.Err == nil || r.usable(ctx)) {
		r.regained()
		return ctx.Err() == nil
	}
	if err := r.fresh(ctx); err != nil {
		r.ended = "cannot restart the server: " + err.Error()
		return false
	}
	return true
}

// framesOf lists the messages of an exchange as sent and received.
func framesOf(ex *mcp.Exchange) []string {
	if ex == nil || ex.Reply == nil {
		return nil
	}
	return []string{"sent: " + clip.Sized(string(ex.Request.Frame.Body), maxDisplayed),
		"received: " + clip.Sized(string(ex.Reply.Frame.Body), maxDisplayed)}
}

// frames lists the messages that show a violation: those of the call that it is compared with, and its own.
func (b *violation) frames(ex *mcp.Exchange) []string {
	return append(framesOf(b.compared), framesOf(ex)...)
}

func (r *runner) subject(name string) *fuzzTarget {
	for _, t := range r.tools {
		if t.name == name {
			return t
		}
	}
	return nil
}

func deadBreach() *violation {
	return &violation{cause: "silent", message: "server stops responding after the call"}
}

// checkHealth runs a health check and samples the resources of the process.
func (r *runner) checkHealth(ctx context.Context, p scheduledCase) bool {
	if !r.healthy(ctx) {
		if ctx.Err() != nil {
			return false
		}
		return r.breach(ctx, p, ruleOf("FUZZ-009"), deadBreach(),
			&observation{Case: p.step.Case, Err: context.DeadlineExceeded, Late: r.session.Err() == nil,
				early: r.waits(nil) < r.opts.Hang})
	}
	if !growth.Due(r.done) {
		return true
	}
	if b := leakOf(r.usage.Look(r.session, r.done)); b != nil {
		p = r.grower(ctx, p, b.cause)
		return r.breach(ctx, p, ruleOf("FUZZ-010"), b, &observation{Case: p.step.Case})
	}
	return true
}

// stderr is the last stderr output of the process.
func (r *runner) stderr() string {
	if r.session == nil {
		return ""
	}
	return clip.Sized(strings.Join(wire.StderrSummary(r.session.Stderr(), 5), "\n"), maxDisplayed)
}
