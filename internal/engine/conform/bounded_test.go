package conform

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// hangGuard is how long a run may take before the test calls it endless. It is far above what the bounds of a run allow.
const hangGuard = 4 * time.Minute

// TestAlwaysAVerdict runs every check on servers of the zoo that die, hang or flood in the middle of a call: the run ends,
// and says that the server was lost.
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
		"dies on every list":    "on tools/list\n\texit 1",
		"hangs on every list":   "on tools/list\n\thang",
		"floods without an end": `on tools/list` + "\n\t" + `repeat 100000000 notify notifications/message {"level":"info","data":"x"}`,
		"hangs on everything":   "on *\n\thang",
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
	ctx, cancel := context.WithTimeout(context.Background(), hangGuard)
	defer cancel()
	opts := &Options{Protocol: "2025-11-25", Timeout: 500 * time.Millisecond, Quiet: 50 * time.Millisecond, AllowCalls: true}
	target := wire.Target{Name: "bad", Grace: 200 * time.Millisecond, Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
		return wiretest.New(script).Serve(ctx, in, out)
	}}
	out, err := Run(ctx, target, opts)
	if err != nil {
		t.Fatalf("%v; want a verdict", err)
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

// TestOutOfTime gives a run less time than it needs: what was not reached is broken and says why.
func TestOutOfTime(t *testing.T) {
	t.Parallel()
	m := mutant{defect: first("tools/list", func(c *exemplar.Call) { <-c.Ctx.Done() })}
	target := wire.Target{Name: "slow", Serve: m.server().Serve, Grace: 200 * time.Millisecond}
	out, err := Run(context.Background(), target, &Options{Protocol: "2025-11-25", Within: 2 * time.Second, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, r := range out.Report.Results {
		if strings.Contains(r.Broken, "time for the whole run is over") {
			late++
		}
	}
	if late == 0 {
		t.Error("no check says that the time is over")
	}
}
