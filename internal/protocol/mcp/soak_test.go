package mcp

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// heap is what lives after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Memory stays flat over many calls with recording to a file.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds")
	}
	if raceDetector {
		t.Skip("what the race detector keeps of the past is counted too")
	}
	const many = 20_000
	argv, env := wiretest.Command(legacyGreeting +
		"on x\n\tnotify notifications/message {\"data\":\"$fill(100)\"}\n\tresult {\"x\":\"$fill(1000)\"}\n")
	log := wire.NewTranscript(&wire.TranscriptOptions{Out: io.Discard, KeepFrames: 100})
	s, err := Connect(t.Context(), wire.Target{Command: argv, Env: env}, log, &Options{Protocol: spec.NewestLegacy})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var answers atomic.Int64
	defer watch(t, s, &answers)()
	calls := func(n int) {
		var work sync.WaitGroup
		for range 16 {
			work.Go(func() {
				for range n / 16 {
					if _, err := s.Call(context.Background(), "x", nil); err != nil {
						t.Error(err)
						return
					}
					answers.Add(1)
				}
			})
		}
		work.Wait()
	}
	calls(2 * maxEnded) // fills what is kept of the past
	before, routines := heap(), runtime.NumGoroutine()
	calls(many)
	after := heap()
	if grown := int64(after) - int64(before); grown > 4<<20 {
		t.Errorf("the heap grew by %d KiB over %d calls", grown>>10, many)
	}
	fewer(t, routines)
}

// Streams that a server leaves open after its answer are cut, so that they do not pile up.
func TestLingeringStreamsAreCut(t *testing.T) {
	s, _ := playHTTP(t, spec.NewestModern, "on x\n\tsse\n\tresult {}\n\thang\n", Options{})
	before := runtime.NumGoroutine()
	for range 20 {
		result(t, s, "x", nil)
	}
	fewer(t, before+4)
}

// fewer waits until there are no more goroutines than that.
func fewer(t *testing.T, most int) {
	t.Helper()
	for deadline := time.Now().Add(atMost); runtime.NumGoroutine() > most; time.Sleep(linger / 20) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, want at most %d", runtime.NumGoroutine(), most)
		}
	}
}
