//go:build unix

package stdinwake

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

// While tokens go round through pipes that are read by system calls, the world is stopped some hundred thousand times.
// Without Start one of these stops takes a minute.
func TestStopsOfTheWorldAreShort(t *testing.T) {
	if os.Getenv("MCPTEST_FULL") == "" {
		t.Skip("takes half a minute; MCPTEST_FULL=1 runs it")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	defer Start()()
	var passing sync.WaitGroup
	defer passing.Wait()
	for range 2 {
		defer pass(t, &passing)()
	}
	longest := time.Duration(0)
	for start := time.Now(); time.Since(start) < 30*time.Second; {
		var m runtime.MemStats
		begin := time.Now()
		runtime.ReadMemStats(&m) // stops the world
		longest = max(longest, time.Since(begin))
	}
	t.Logf("the longest stop took %v", longest)
	if longest > 20*time.Second {
		t.Errorf("the world stood still for %v, want about a second at most", longest)
	}
}

// pass lets a token go to and fro between two goroutines until the function that it returns is called.
func pass(t *testing.T, passing *sync.WaitGroup) (stop func()) {
	t.Helper()
	var to, fro [2]int
	if err := syscall.Pipe(to[:]); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Pipe(fro[:]); err != nil {
		t.Fatal(err)
	}
	forward := func(from, next int) {
		defer syscall.Close(next) // ends the other
		defer syscall.Close(from)
		token := make([]byte, 1)
		for {
			if n, err := syscall.Read(from, token); err == syscall.EINTR {
				continue
			} else if n != 1 || token[0] == 0 {
				return
			}
			if _, err := syscall.Write(next, token); err != nil {
				return
			}
		}
	}
	passing.Go(func() { forward(to[0], fro[1]) })
	passing.Go(func() { forward(fro[0], to[1]) })
	_, _ = syscall.Write(to[1], []byte{1})
	return func() { _, _ = syscall.Write(to[1], []byte{0}) }
}
