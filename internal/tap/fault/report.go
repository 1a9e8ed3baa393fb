package fault

import (
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An Outcome is what a client did after a fault.
type Outcome string

// The outcomes.
const (
	Retried     Outcome = "retried"     // it sent the same request again
	Reconnected Outcome = "reconnected" // it started a new session
	Continued   Outcome = "continued"   // it sent other requests
	Aborted     Outcome = "aborted"     // it canceled the request or closed the connection
	Hung        Outcome = "hung"        // it did nothing for hungAfter or longer, and did not end the session itself
	Unknown     Outcome = "unknown"     // the recording does not show it
)

// hungAfter is how long a client without a response must do nothing before it hangs.
const hungAfter = 10 * time.Second

// A Reaction is an injected fault and what the client did next.
type Reaction struct {
	Injection
	Outcome Outcome       `json:"outcome"`
	After   time.Duration `json:"after_ns,omitempty"`
	Detail  string        `json:"detail,omitempty"`
}

// A Report is what the client of a session did after each fault. Grade is empty without evidence.
type Report struct {
	Count     int        `json:"count"` // of all faults; Reactions may have fewer
	Reactions []Reaction `json:"reactions"`
	Recovered int        `json:"recovered"`
	Assessed  int        `json:"assessed"` // faults whose outcome is known
	Grade     string     `json:"grade,omitempty"`
}

// A Session is what a report needs of a recording.
type Session struct {
	Frames       []wire.Frame
	Injected     []Injection
	Count        int
	ClientClosed *time.Time // when the client closed its end of stdio
	ClientExited bool       // its process had ended then: it did not close it itself
	Ended        time.Time  // of the session; now if it runs
	Restarted    *time.Time // when the client started the same server again
	NoRestart    bool       // it had enough time to do so, and did not
}

// Assess returns what the client did after each fault.
func Assess(s *Session) *Report {
	a := newAssessment(s)
	r := &Report{Count: s.Count, Reactions: []Reaction{}}
	for _, i := range s.Injected {
		reaction := a.reaction(i)
		r.Reactions = append(r.Reactions, reaction)
		switch reaction.Outcome {
		case Unknown:
			continue
		case Retried, Reconnected, Continued:
			r.Recovered++
		}
		r.Assessed++
	}
	r.Grade = grade(r.Recovered, r.Assessed)
	return r
}

// grade returns the grade of a client that recovered from some of the faults; empty if there were none.
func grade(recovered, all int) string {
	if all == 0 {
		return ""
	}
	share := float64(recovered) / float64(all)
	for _, g := range []struct {
		least float64
		name  string
	}{{1, "A"}, {0.75, "B"}, {0.5, "C"}, {0.25, "D"}} {
		if share >= g.least {
			return g.name
		}
	}
	return "F"
}

// Text returns a reaction as one line.
func (r *Reaction) Text() string {
	what := r.Method
	if r.Tool != "" {
		what += " " + r.Tool
	}
	text := fmt.Sprintf("%s on %s (message %d from the %s): ", r.Effect, what, r.Seq, r.From)
	if r.Outcome == Unknown {
		return text + "no evidence: " + r.Detail
	}
	return fmt.Sprintf("%s%s after %s: %s", text, r.Outcome, r.After.Round(time.Millisecond), r.Detail)
}
