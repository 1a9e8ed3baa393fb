//go:build unix

package tap

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A delayed message keeps tap alive only as long as somebody may read it.
func TestDelayEndsWithClient(t *testing.T) {
	for _, spec := range []string{"tools/call:#1:delay=5m", "tools/call:from=client:#1:delay=5m", "tools/call:#1:reorder=5m"} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			cmd := tapped(t, t.TempDir(), self(t), "__answer")
			cmd.Env = append(os.Environ(), "TAP_FAULTS="+spec)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout = write
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = write.Close()
			fmt.Fprintln(in, toolCall(1, "a"))
			if !strings.Contains(spec, "reorder") { // the second response shows that the first was delayed
				fmt.Fprintln(in, toolCall(2, "b"))
				if _, err := read.Read(make([]byte, 1000)); err != nil {
					t.Fatal(err)
				}
			}
			_, _ = in.Close(), read.Close()
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("tap exits with %v", err)
				}
			case <-time.After(time.Minute):
				_ = cmd.Process.Kill()
				t.Error("tap runs a minute after the client and the server have ended")
			}
		})
	}
}
