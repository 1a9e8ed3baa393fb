package load

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// Answers that keep coming are no deadlock, although calls are open all the time.
func TestAnswersBreakTheSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(context.Context, int) error { time.Sleep(3500 * time.Millisecond); return nil }
		s := Drive(t.Context(), Pace{Rate: 1, Duration: time.Minute, Silence: 5 * time.Second}, slow, nil)
		if s.Deadlock || s.Calls != 60 || s.Errors > 0 {
			t.Errorf("deadlock %v, %d calls, %d errors; want 60 calls to their end", s.Deadlock, s.Calls, s.Errors)
		}
	})
}

// Calls that all end without an answer end the load, whether they are refused at once or given up one by one.
func TestNoAnswerIsSilence(t *testing.T) {
	for name, c := range map[string]struct {
		pace Pace
		call Call
	}{
		"refused": {Pace{Rate: 10, Duration: time.Hour, Silence: 5 * time.Second}, func(context.Context, int) error {
			return &Failure{Kind: noResponse, Silent: true, Early: true}
		}},
		"timeouts": {Pace{Concurrency: 1, Duration: time.Hour, Silence: 5 * time.Second},
			func(context.Context, int) error {
				time.Sleep(2 * time.Second)
				return &Failure{Kind: "timeout", Silent: true}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				s := Drive(t.Context(), c.pace, c.call, nil)
				if took := time.Since(begun); !s.Deadlock || took > 20*time.Second {
					t.Errorf("ended after %v, deadlock %v; want it seen soon", took, s.Deadlock)
				}
			})
		})
	}
}

// An error is an answer, and a single call that is refused now and then is no deadlock.
func TestErrorsAreNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		call := func(context.Context, int) error {
			if n++; n%2 == 0 {
				return &Failure{Kind: noResponse, Silent: true, Early: true}
			}
			return &Failure{Kind: "isError"}
		}
		s := Drive(t.Context(), Pace{Rate: 0.1, Duration: 2 * time.Minute, Silence: 5 * time.Second}, call, nil)
		if s.Deadlock || s.Calls != 12 || s.Errors != 12 {
			t.Errorf("deadlock %v, %d calls, %d errors; want 12 calls to the end", s.Deadlock, s.Calls, s.Errors)
		}
	})
}

// A call that was refused at once has no time that could be counted; one that was waited for has.
func TestRefusedHasNoTime(t *testing.T) {
	start := time.Now()
	for _, early := range []bool{true, false} {
		tally := newTally(Pace{Duration: time.Second}, start)
		tally.begin(start, start)
		tally.end(start, start.Add(time.Millisecond), &Failure{Kind: noResponse, Silent: true, Early: early})
		if got := tally.latency.TotalCount(); (got == 0) != early || tally.failed != 1 {
			t.Errorf("early %v: %d times counted, %d failures", early, got, tally.failed)
		}
	}
}

func TestUnanswered(t *testing.T) {
	if f := withoutResponse(&mcp.TimeoutError{Method: "tools/call"}); f.Kind != "timeout" || !f.Silent || f.Early {
		t.Errorf("a timeout is %+v; want its time counted, and no answer", f)
	}
	if f := withoutResponse(errors.New("connection refused")); f.Kind != noResponse || !f.Silent || !f.Early {
		t.Errorf("a refused connection is %+v; want neither time nor answer", f)
	}
}
