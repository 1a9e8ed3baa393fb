//go:build unix

package engines

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestProgramLeavesNothing ends what a program has started, and keeps the end of its output alone.
func TestProgramLeavesNothing(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(time.Second, func() { cancel(enough) })
	output, err := runProgram(ctx, wire.Target{Command: []string{"sh", "-c", "sleep 300 & echo $!; wait"}, Env: wire.BaseEnv(),
		Dir: t.TempDir()})
	child, failed := strconv.Atoi(strings.TrimSpace(output))
	if !errors.Is(err, enough) || failed != nil {
		t.Fatalf("%q, %v", output, err)
	}
	for end := time.Now().Add(10 * time.Second); syscall.Kill(child, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d is left", child)
		}
	}
	output, err = runProgram(t.Context(), wire.Target{Command: []string{"sh", "-c", "yes | head -c 4000000; echo last; exit 3"},
		Env: wire.BaseEnv(), Dir: t.TempDir()})
	if err == nil || len(output) > 3*maxOutput || !strings.HasSuffix(output, "last") {
		t.Errorf("%d bytes, %v", len(output), err)
	}
}
