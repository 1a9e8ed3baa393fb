package zoo

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// parricides attack their supervisor and leave a process behind.
func parricides() []Server {
	return []Server{
		{Name: "stops-parent", Defect: "stops its supervisor", Main: func() int { return against(syscall.SIGSTOP) },
			Sight: Sight{}},
		{Name: "keeps-parent-stopped", Defect: "stops its supervisor repeatedly", Main: keepStopped, Sight: Sight{}},
		{Name: "kills-parent", Defect: "kills its supervisor", Main: func() int { return against(syscall.SIGKILL) },
			Sight: Sight{Connect: "killed by signal 9"}},
	}
}

// against sends the signal to the supervisor after starting a process to leave behind.
func against(sig syscall.Signal) int {
	if startSleeper(&syscall.SysProcAttr{Setsid: true}) != nil {
		return 9
	}
	_ = syscall.Kill(supervisor(), sig)
	if sig == syscall.SIGKILL {
		time.Sleep(time.Minute) // this process exits as well, but not immediately
	}
	return wiretest.New(whole).Main()
}

// keepStopped stops the supervisor continuously, and does not exit by itself.
func keepStopped() int {
	signal.Ignore(syscall.SIGTERM)
	go func(parent int) {
		for {
			_ = syscall.Kill(parent, syscall.SIGSTOP)
		}
	}(supervisor())
	_ = withGrandchild(&syscall.SysProcAttr{Setsid: true}, whole)
	select {}
}

// supervisor returns the parent of this process. Any other parent is not touched: it would be the test.
func supervisor() int {
	parent := os.Getppid()
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", parent))
	if !bytes.Contains(line, []byte("\x00"+supervise.Command+"\x00")) {
		os.Exit(9)
	}
	return parent
}
