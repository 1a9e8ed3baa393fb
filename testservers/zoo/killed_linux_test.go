package zoo

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// parentMode is the argument that makes the test binary a client that is going to be killed.
const parentMode = "parent"

// TestB4 kills a client with SIGKILL: nothing of what it started survives, not even what left its process group.
func TestB4NothingSurvivesUs(t *testing.T) {
	for _, name := range []string{"grandchild", "grandchild-setsid", "ignores-eof-and-term"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark := fmt.Sprintf("ZOO_MARK=b4-%s-%d", name, time.Now().UnixNano())
			parent := exec.Command(os.Args[0], parentMode, name, mark)
			out, err := parent.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			started := marked(mark)
			if err != nil || line != "ready\n" || len(started) < 2 {
				t.Errorf("the client says %q, %v and started %v", line, err, started)
			}
			_ = parent.Process.Kill()
			_ = parent.Wait()
			noneLeft(t, mark)
		})
	}
}

// beParent opens a session with a server and waits to be killed.
func beParent(name, mark string) int {
	for _, server := range Servers() {
		if server.Name != name {
			continue
		}
		argv, env := server.Command()
		target := wire.Target{Command: argv, Env: append(env, mark), Supervisor: []string{os.Args[0], supervise.Command}}
		if _, err := mcp.Connect(context.Background(), target, nil,
			&mcp.Options{Protocol: spec.NewestLegacy}); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("ready")
		time.Sleep(time.Minute)
	}
	return 1
}
