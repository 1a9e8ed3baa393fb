package gateway

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

type countedWrites struct {
	mu    sync.Mutex
	text  bytes.Buffer
	count int
}

func (w *countedWrites) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	return w.text.Write(p)
}

func (w *countedWrites) state() (string, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String(), w.count
}

// A line after a pause is written at once, those that follow it quickly together, and nothing later than promised.
func TestLogBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &countedWrites{}
		b := &logBuffer{out: out}
		check := func(want string, count int) {
			t.Helper()
			if got, writes := out.state(); got != want || writes != count {
				t.Errorf("%d writes of %q, want %d of %q", writes, got, count, want)
			}
		}
		write := func(line string) { _, _ = b.Write([]byte(line)) }
		write("a")
		check("a", 1)
		write("b")
		write("c")
		check("a", 1)
		time.Sleep(logInterval)
		synctest.Wait()
		check("abc", 2)
		write("d")
		b.Flush()
		check("abcd", 3)
		time.Sleep(2 * logInterval)
		synctest.Wait()
		check("abcd", 3)
		write("e")
		write(strings.Repeat("f", logBytes))
		check("abcde"+strings.Repeat("f", logBytes), 5)
	})
}

// A warning is not held back, and neither is what was logged before it.
func TestWarningsAreWrittenAtOnce(t *testing.T) {
	out := &countedWrites{}
	b := &logBuffer{out: out}
	log := slog.New(&scrubbing{Handler: slog.NewTextHandler(b, nil), text: strings.ToUpper, flush: b.Flush})
	log.Info("first")
	log.Info("second")
	log.Warn("third", "error", "x")
	if got, _ := out.state(); !strings.Contains(got, "second") || !strings.Contains(got, "third error=X") {
		t.Errorf("after a warning the log is %q", got)
	}
}
