package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lockedDemo is the demo server with a lock file, which it removes 0.4 s after the end of its input.
const lockedDemo = `set -C
echo $$ >"$1" 2>/dev/null || { echo locked >&2; exit 1; }
"$2" demo
sleep 0.4
rm "$1"
`

// A server that holds a lock file and exits 0.4 s after the end of its input is started again, replaced and renamed
// like any other, and is not started beside itself for a client of the other era.
func TestGatewayWithALockedServer(t *testing.T) {
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	script, lock := filepath.Join(t.TempDir(), "locked.sh"), filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(script, []byte(lockedDemo), 0o600); err != nil {
		t.Fatal(err)
	}
	config := func(name, mode string) string {
		return fmt.Sprintf(`{"mcpServers":{%q:{"command":"sh","args":[%q,%q,%q],"env":{"MODE":%q}}}}`, name, script,
			lock, binary, mode)
	}
	g := startGateway(t, config("demo", "one"))
	g.ready(t, g.token, "demo__echo")

	g.write(t, config("demo", "two")) // it is replaced
	g.await(t, "config reloaded")
	g.ready(t, g.token, "demo__echo")

	g.write(t, config("other", "two")) // it is renamed
	g.ready(t, g.token, "other__echo")

	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	<-g.gone
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(lock); err != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the lock file was left: a process was ended before it had the time to exit")
		}
	}
	if strings.Contains(g.log.String(), "cannot reach upstream") {
		t.Errorf("a process was started beside another:\n%s", g.log)
	}
}
