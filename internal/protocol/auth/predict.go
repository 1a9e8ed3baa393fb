package auth

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An Outcome is where a client gets with a server.
type Outcome string

// The outcomes.
const (
	ReachesConsent Outcome = "reaches-consent" // nothing before the user's consent stops it
	Fails          Outcome = "fails"
	MayFail        Outcome = "may-fail"  // it follows from a claim without evidence
	AsksUser       Outcome = "asks-user" // for a client ID
	NoToken        Outcome = "no-token"  // the server responds without one
)

// A Prediction is what a client would do with a server, up to the user's consent.
type Prediction struct {
	Client  string      `json:"client"`
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"` // of the client whose behavior is known
	Outcome Outcome     `json:"outcome"`
	Step    Name        `json:"step,omitempty"`    // at which it stops
	Problem string      `json:"problem,omitempty"` // why
	Change  hint.Text   `json:"change,omitempty"`  // what the server must change
	Because []UsedClaim `json:"because,omitempty"` // the claims from which it follows
	// NotTried are the steps that need the consent of a user
	NotTried []Name `json:"not_tried,omitempty"`
}

// A UsedClaim is a claim that decided the outcome.
type UsedClaim struct {
	Rule RuleName `json:"rule"`
	Claim
}

// A walk follows the ladder of one client.
type walk struct {
	*Flow
	ladder *Ladder
	result *Prediction
	cause  hint.Text // what the server must change first: why the client does without metadata
	undo   []func(ctx context.Context)

	unusable bool // the server has protected resource metadata that names no authorization server
}

// Predict follows the ladder of a client from a rejected request to the consent of the user, which it does not ask
// for. The client that it registers is deleted again if the server supports that.
func (f *Flow) Predict(ctx context.Context, refused wire.Frame, l *Ladder) (*Prediction, error) {
	w := &walk{Flow: f, ladder: l, result: &Prediction{Client: l.ID, Name: l.Name, Version: l.Version,
		Outcome: ReachesConsent, NotTried: []Name{Callback, Token, Call}}}
	defer func() {
		for _, undo := range w.undo {
			undo(context.WithoutCancel(ctx))
		}
	}()
	demand := f.refusal(refused)
	if r := w.findResource(ctx, demand); !w.stopped() {
		if as := w.findServer(ctx, r); !w.stopped() {
			if c := w.becomeClient(ctx, as); !w.stopped() {
				w.requestConsent(ctx, as, c, w.requiredScopes(demand, r, as), r)
			}
		}
	}
	return w.result, ctx.Err()
}

func (w *walk) stopped() bool { return w.result.Outcome != ReachesConsent }

// rule returns the value of a rule, which decides what happens next.
func (w *walk) rule(name RuleName) string {
	claim := w.ladder.Rules[name]
	if !slices.ContainsFunc(w.result.Because, func(u UsedClaim) bool { return u.Rule == name }) {
		w.result.Because = append(w.result.Because, UsedClaim{name, claim})
	}
	return claim.Value
}

// value returns the value of a rule without an effect on the certainty.
func (w *walk) value(name RuleName) string { return w.ladder.Rules[name].Value }

// stop ends the walk at a step: the client fails there, if all claims that lead there have evidence.
func (w *walk) stop(s *Step, change hint.Text, format string, args ...any) {
	w.result.Outcome = Fails
	for _, used := range w.result.Because {
		if !used.Certain() {
			w.result.Outcome = MayFail
		}
	}
	if w.cause != "" {
		change, format = w.cause, format+" (the client gets here because it cannot use the metadata above)"
	}
	s.fail(change, format, args...)
	w.result.Step, w.result.Problem, w.result.Change = s.Name, s.Problem, change
	w.result.NotTried = nil
}

// goesOn notes what the client does instead of failing.
func (w *walk) goesOn(s *Step, format string, args ...any) {
	s.State, s.Result = Absent, "none"
	if s.Request != nil {
		s.Result = "not used"
	}
	s.note("%s", w.ladder.Name+" "+fmt.Sprintf(format, args...))
}

// misses notes why the client does without a document; the first reason counts.
func (w *walk) misses(change hint.Text) { w.cause = hint.Text(first(string(w.cause), string(change))) }

// clearReasons removes claims about problems that had no effect.
func (w *walk) clearReasons() { w.result.Because = nil }
