package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

const askPerson = "\n\tsend " +
	"{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{}}\n\twait response"

// A person may think for longer than the server may be silent.
func TestPersonStopsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		think := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			time.Sleep(2 * time.Minute)
			return raw(`{"action":"decline"}`), nil
		}
		rules := "on x\n\tsleep 8s" + askPerson + "\n\tsleep 8s\n\tresult 1\n"
		s, _ := play(t, spec.NewestLegacy, rules, Options{Timeout: 10 * time.Second, Elicitation: think})
		defer s.Close()
		start := time.Now()
		if got := result(t, s, "x", nil); got != "1" || time.Since(start) != 2*time.Minute+16*time.Second {
			t.Errorf("result %s after %v, want 1 after 2m16s", got, time.Since(start))
		}
	})
}

// The clock runs again once the server has its answer.
func TestSilenceAfterTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		think := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			time.Sleep(25 * time.Second)
			return raw(`{"action":"decline"}`), nil
		}
		s, _ := play(t, spec.NewestLegacy, "on x"+askPerson+"\n\thang\n",
			Options{Timeout: 10 * time.Second, Elicitation: think})
		defer s.Close()
		start := time.Now()
		_, err := s.Call(context.Background(), "x", nil)
		var timeout *TimeoutError
		if took := time.Since(start); !errors.As(err, &timeout) || timeout.Hard || took != 35*time.Second {
			t.Errorf("%v after %v, want a timeout after 35s", err, took)
		}
	})
}

// The time spent asking does not count towards the hard limit, but nothing else lifts it.
func TestHardLimitWithoutTheAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		think := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			time.Sleep(time.Minute)
			return raw(`{"action":"decline"}`), nil
		}
		steps := askPerson + strings.Repeat("\n\tsleep 8s\n\tnotify notifications/progress "+
			"{\"progressToken\":$token,\"progress\":1}", 50)
		s, _ := play(t, spec.NewestLegacy, "on x"+steps+"\n", Options{Timeout: 10 * time.Second, Elicitation: think})
		defer s.Close()
		start := time.Now()
		_, err := s.Do(context.Background(), Request{Method: "x", OnProgress: func(Progress) {}})
		var timeout *TimeoutError
		if took := time.Since(start); !errors.As(err, &timeout) || !timeout.Hard || took != 110*time.Second {
			t.Errorf("%v after %v, want a hard limit after 110s", err, took)
		}
	})
}

// A ping is no question: a server cannot keep a call waiting with it.
func TestPingStopsNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pings := strings.Repeat("\n\tsleep 5s\n\tsend {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ping\"}", 10)
		s, _ := play(t, spec.NewestLegacy, "on x"+pings+"\n", Options{Timeout: 12 * time.Second})
		defer s.Close()
		start := time.Now()
		if _, err := s.Call(context.Background(), "x", nil); !errors.Is(err, context.DeadlineExceeded) ||
			time.Since(start) != 12*time.Second {
			t.Errorf("%v after %v, want a timeout after 12s", err, time.Since(start))
		}
	})
}
