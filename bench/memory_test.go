package bench

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How much more memory may be in use after many calls than after few.
const (
	heapSlack = 4 << 20
	rssSlack  = 24 << 20
)

// TestMemoryIsFlat makes many calls that are recorded to a file, and wants the memory in use to stay what it was once
// the recording had filled what it keeps in memory.
func TestMemoryIsFlat(t *testing.T) {
	calls := 100_000
	if testing.Short() {
		calls = 20_000
	}
	if n, err := strconv.Atoi(os.Getenv("MCPTEST_BENCH_CALLS")); err == nil {
		calls = n
	}
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	log := wire.NewTranscript(&wire.TranscriptOptions{Out: file})
	call := ours(t, "modern", log)
	const warm = 10_000
	repeat(t, call, warm)
	before := measure()
	repeat(t, call, calls-warm)
	after := measure()
	t.Logf("after %6d calls: heap %s, resident %s", warm, mib(before.heap), mib(before.rss))
	t.Logf("after %6d calls: heap %s, resident %s", calls, mib(after.heap), mib(after.rss))
	if after.heap > before.heap+heapSlack {
		t.Errorf("the heap grew from %s to %s", mib(before.heap), mib(after.heap))
	}
	if after.rss > before.rss+rssSlack {
		t.Errorf("the resident memory grew from %s to %s", mib(before.rss), mib(after.rss))
	}
	if err := log.Err(); err != nil {
		t.Error(err)
	}
	if got := recorded(t, path); got != log.Len() || got < 2*calls {
		t.Errorf("the file has %d frames, want all %d, two for each of %d calls at least", got, log.Len(), calls)
	}
}

// repeat makes so many calls, some of them at a time.
func repeat(t *testing.T, call client, calls int) {
	t.Helper()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range calls / 8 {
				if err := call(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// memory is what is in use.
type memory struct{ heap, rss int }

// measure collects the garbage first. Where there is no /proc, the resident memory is not known and stays 0.
func measure() memory {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	m := memory{heap: int(stats.HeapAlloc)}
	status, _ := os.ReadFile("/proc/self/status")
	if _, rest, found := bytes.Cut(status, []byte("VmRSS:")); found {
		kib, _ := strconv.Atoi(string(bytes.Fields(rest)[0]))
		m.rss = kib << 10
	}
	return m
}

func mib(bytes int) string { return strconv.FormatFloat(float64(bytes)/(1<<20), 'f', 1, 64) + " MiB" }

// recorded counts the frames of a transcript file.
func recorded(t *testing.T, path string) int {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	frames := 0
	err = wire.ReadTranscript(bufio.NewReader(file), func(wire.Frame) error { frames++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return frames
}
