package bench

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// conformTime is how long every check of a real server may take, with the starts of its processes: what a person waits
// for who changes a server and wants to know.
const conformTime = 15 * time.Second

// TestConformOfARealServer judges server-everything over stdio, from start to exit, and prints how long that takes.
// Most of it is the server's, which starts a dozen times, so that the bar counts where nothing else runs; that the
// checks wait side by side and start the server no more often, the tests of conform hold by a clock of their own.
func TestConformOfARealServer(t *testing.T) {
	in := npm.Require(t)
	binary := buildMcptest(t)
	best := time.Hour
	for range 2 {
		cmd := exec.Command(binary, "conform", "--json", "--", in.Node, in.Script("server-everything"))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
		start := time.Now()
		out, err := cmd.Output()
		took := time.Since(start)
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() > 1 || err != nil && exit == nil || len(out) == 0 {
			t.Fatalf("conform: %v, %d bytes of report", err, len(out))
		}
		t.Logf("every check of server-everything in %v, %v of it work", took,
			cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		if best = min(best, took); best <= conformTime {
			return
		}
	}
	checkTime(t, "every check of server-everything", best, conformTime)
}
