package conform

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// patienceWithAll is how long a run may take on a server that is lost again and again, by a clock that stands while
// anybody works. It is far below the two minutes of a run.
const patienceWithAll = time.Minute

// TestAlwaysAVerdict runs every check on servers of the zoo that die, hang or flood in the middle of a call: the run
// ends, and says that the server was lost.
func TestAlwaysAVerdict(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"exit-in-call", "hang-in-call", "never-reads", "notification-flood", "late-answer"} {
		for _, animal := range zoo.Servers() {
			if animal.Name == name {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					verdict(t, animal.Script, name != "notification-flood" && name != "late-answer")
				})
			}
		}
	}
	for name, script := range map[string]string{
		"dies on every list":  "on tools/list\n\texit 1",
		"hangs on every list": "on tools/list\n\thang",
		"floods without an end": `on tools/list` + "\n\t" +
			`repeat 100000000 notify notifications/message {"level":"info","data":"x"}`,
		"hangs on everything": "on *\n\thang",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sound := `
on initialize
	result {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"bad","version":"1"}}
`
			if name != "hangs on everything" {
				sound += "on ping\n\tresult {}\non *\n\terror -32601 unknown\n"
			}
			verdict(t, sound+script, true)
		})
	}
}

// verdict runs all checks on a script and wants them to come to an end.
func verdict(t *testing.T, script string, lost bool) {
	t.Helper()
	if raced && strings.Contains(t.Name(), "flood") {
		t.Skip("left out: a flood takes long under the race detector, and is read like other messages")
	}
	opts := &Options{Protocol: "2025-11-25", Permit: safety.Permit{All: true}}
	target := wire.Target{Name: "bad", Grace: 200 * time.Millisecond,
		Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			return wiretest.New(script).Serve(ctx, in, out)
		}}
	var out *Outcome
	var took time.Duration
	run := func(*testing.T) {
		started := time.Now()
		out, _ = Run(context.Background(), target, opts)
		took = time.Since(started)
	}
	deaf := strings.HasSuffix(t.Name(), "never-reads")
	if deaf {
		opts.Timeout = 500 * time.Millisecond
		run(t) // writers that wait for each other hold that clock
	} else {
		synctest.Test(t, run)
	}
	if out == nil {
		t.Fatal("no verdict")
	}
	if took > patienceWithAll && !deaf {
		t.Errorf("the run took %v, want at most %v", took, patienceWithAll)
	}
	for _, r := range out.Report.Results {
		if r.Rule == "RUN-002" && lost && r.Status() != finding.Failed {
			t.Errorf("RUN-002 %s; want that the loss of the server is told", r.Status())
		}
		if r.Rule == "LIFE-001" && r.Status() != finding.Passed {
			t.Errorf("LIFE-001 %s %s; want what does not need the broken part judged", r.Status(), r.Broken)
		}
	}
	if lost && out.Grade == "A" {
		t.Errorf("grade A for a server that is lost")
	}
}

// TestOutOfTime gives a run less time than it needs: what was not reached is broken, says why, and counts neither way.
func TestOutOfTime(t *testing.T) {
	t.Parallel()
	m := mutant{defect: first("tools/list", func(c *exemplar.Call) { <-c.Ctx.Done() })}
	target := wire.Target{Name: "slow", Serve: m.server().Serve, Grace: 200 * time.Millisecond}
	out, err := judged(t, target, &Options{Protocol: "2025-11-25", Within: 2 * time.Second, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, r := range out.Report.Results {
		if strings.Contains(r.Broken, "time limit reached") {
			late++
		}
	}
	if late == 0 {
		t.Error("no check says that the time is over")
	}
	if got := out.Unreached(); got != late {
		t.Errorf("%d checks are said not to have been reached, want %d", got, late)
	}
	if out.Score != 100 {
		t.Errorf("score %d; want 100, since nothing was found in what was reached", out.Score)
	}
	if left := out.SkipUnreached("no time"); left != late || out.Score != 100 {
		t.Errorf("%d checks left out, score %d; want %d, and the same score", left, out.Score, late)
	}
}

// The time limit of the run is not a fault of the server: a check that it interrupts has no findings, not even when it
// is repeated.
func TestTimeLimitIsNotAFinding(t *testing.T) {
	t.Parallel()
	attempts := 0
	check := &Check{Rule: finding.Rule{ID: "TEST-001"}, Run: func(ctx context.Context, p *CheckContext) error {
		if attempts++; attempts == 1 {
			return io.ErrUnexpectedEOF
		}
		<-ctx.Done()
		p.Report(Evidence{}, "no response")
		return nil
	}}
	r := &run{opts: (&Options{Protocol: "2025-11-25"}).filled(), target: wire.Target{Serve: mutant{}.server().Serve},
		checks: []*Check{check}}
	var out *Outcome
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errTimeLimit)
		defer cancel()
		rounds, err := r.rounds(ctx)
		if err != nil {
			t.Fatal(err)
		}
		rounds[0].runChecks(ctx)
		rounds[0].close()
		out = r.outcome(rounds)
	})
	result := out.Report.Results[0]
	if attempts != 2 || result.Broken != errTimeLimit.Error() || len(result.Findings) > 0 {
		t.Errorf("attempt %d: broken %q, findings %v; expected an interrupted second attempt without findings",
			attempts, result.Broken, shown(result.Findings))
	}
}

// TestNothingReached judges by nothing: that is no A, neither before nor after it is left out.
func TestNothingReached(t *testing.T) {
	out := &Outcome{Report: &finding.Report{Rules: []finding.Rule{life001.Rule},
		Results: []finding.Result{{Rule: "LIFE-001", Broken: errTimeLimit.Error()}}}}
	out.grade()
	if out.Grade != "F" || out.Score != 0 {
		t.Errorf("grade %s, score %d; want F and 0", out.Grade, out.Score)
	}
	if out.SkipUnreached("no time"); out.Grade != "F" || out.Report.Metrics["score"] != 0 {
		t.Errorf("grade %s, score %v with the rest left out; want F and 0", out.Grade, out.Report.Metrics["score"])
	}
}
