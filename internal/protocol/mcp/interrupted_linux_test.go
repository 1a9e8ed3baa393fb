package mcp

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A process whose start the caller interrupts has the time to remove its lock file.
func TestInterruptedStartLeavesTimeToExit(t *testing.T) {
	t.Parallel()
	lock := filepath.Join(t.TempDir(), "lock")
	script := `: > "$1"; cat > /dev/null; sleep 0.8; rm "$1"; : > "$1.removed"`
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if s, err := Connect(ctx, wire.Target{Command: []string{"sh", "-c", script, "sh", lock}, Grace: 20 * time.Second},
		nil, nil); err == nil {
		_ = s.Close()
		t.Fatal("a silent server was connected")
	}
	if _, err := os.Stat(lock + ".removed"); err != nil {
		t.Error("the server was ended before it removed its lock file")
	}
}
