//go:build unix

package tap

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Limits of what tap may add to a message.
const (
	maxAddedP50 = 150 * time.Microsecond
	maxAddedCPU = 40 * time.Microsecond
)

// overheads are the plans of faults with which the overhead is measured; none of them selects a message.
var overheads = []struct{ name, faults string }{
	{"without faults", ""},
	{"faults of other methods", "tools/list:drop prompts/*:50%:error resources/read:delay"},
	{"faults of other tools", "tools/call:tool=other:drop"},
	{"faults of other occurrences", "tools/call:#1000000:drop tools/call:tool=echo:0.0000001%:error"},
}

// TestOverhead measures round trips with and without tap in one run, and prints both. The limits are asserted with
// MCPTEST_FULL, on an idle machine.
func TestOverhead(t *testing.T) {
	rounds := 2000
	if os.Getenv("MCPTEST_FULL") != "" {
		rounds = 10_000 // so many that the start of the processes hardly counts
	}
	direct := measure(t, exec.CommandContext(t.Context(), self(t), "__cat"), rounds)
	t.Logf("direct: round trip p50 %v, CPU of %d messages %v", direct.p50, 2*rounds, direct.cpu)
	for _, plan := range overheads {
		cmd := tapped(t, t.TempDir(), self(t), "__cat")
		cmd.Env = append(os.Environ(), "TAP_FAULTS="+plan.faults)
		through := measure(t, cmd, rounds)
		added := (through.p50 - direct.p50) / 2 // a round trip is two messages
		cpu := (through.cpu - direct.cpu) / time.Duration(2*rounds)
		t.Logf("%s: round trip p50 %v, added per message: %v, and %v of CPU", plan.name, through.p50, added, cpu)
		if os.Getenv("MCPTEST_FULL") != "" && (added > maxAddedP50 || cpu > maxAddedCPU) {
			t.Errorf("%s: tap adds %v and %v of CPU to a message, want at most %v and %v", plan.name, added, cpu,
				maxAddedP50, maxAddedCPU)
		}
	}
}

// A cost is what round trips took.
type cost struct{ p50, cpu time.Duration }

// measure sends requests one after another to a server that returns them, and returns the median round trip and the
// CPU time of the server with everything that it started.
func measure(t *testing.T, cmd *exec.Cmd, rounds int) cost {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(stdout)
	times := make([]time.Duration, rounds)
	for i := range times {
		began := time.Now()
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo",`+
			`"arguments":{"text":"%s"}}}`+"\n", i, strings.Repeat("x", 300))
		if _, err := io.WriteString(stdin, message); err != nil {
			t.Fatal(err)
		}
		if line, err := in.ReadString('\n'); line != message || err != nil {
			t.Fatalf("%q came back, %v", line, err)
		}
		times[i] = time.Since(began)
	}
	_ = stdin.Close()
	_, _ = io.Copy(io.Discard, in)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(times)
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{times[rounds/2], time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}
