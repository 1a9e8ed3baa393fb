//go:build linux

package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// pointsFile names the folder of a child process whose disk fails at every point, one after the other.
const pointsFile = "MCPTEST_TEST_POINTS"

// The disk fails at the first, the second, the third operation and so on: with an error, without room, or having
// written a part. Whatever fails, nothing that was acknowledged is lost, the file is sound, and the store has stopped.
func TestE6EveryOperationMayFail(t *testing.T) {
	t.Logf("%s", bytes.TrimSpace(runChild(t, pointsFile, t.TempDir())))
}

// points is how many operations are made to fail.
const points = 200

// failEverywhere is the child.
func failEverywhere(folder string) error {
	w, err := newWarden()
	if err != nil {
		return err
	}
	hit := map[string]int{}
	for n := 1; n <= points; n++ {
		kind := []string{"EIO", "ENOSPC", "short"}[n%3]
		what, err := failAt(w, filepath.Join(folder, fmt.Sprint(n), "catalog.db"), n, kind)
		if err != nil {
			return fmt.Errorf("operation %d, %s of %s: %w", n, kind, what, err)
		}
		hit[what]++
	}
	fmt.Println("failed:", hit)
	if hit[""] > points/10 || hit["write"] < points/10 || hit["sync"] < points/20 {
		return fmt.Errorf("too few operations failed: %v", hit)
	}
	return nil
}

// failAt writes to a fresh store until the nth operation of the disk has failed, and looks at what is left.
func failAt(w *warden, file string, n int, kind string) (what string, err error) {
	ctx := context.Background()
	s, err := store.Open(ctx, file)
	if err != nil {
		return "", err
	}
	w.arm(n, kind)
	last, doubt, failed := writeUntilFailure(ctx, s)
	var stopped *store.ClosedError
	if failed != nil && !errors.As(failed, &stopped) {
		return w.disarm(), fmt.Errorf("the store says %v; want it to have stopped", failed)
	}
	if _, again := s.Commit(ctx, store.Change{Key: keyOf(0), Seen: store.Any, Body: bodyOf(0)}); failed != nil &&
		!errors.As(again, &stopped) {
		return w.disarm(), fmt.Errorf("after a failure a change was rejected with %v; want a store that has stopped",
			again)
	} else if failed == nil && again == nil {
		last[keyOf(0).Name] = "" // not looked at
	}
	_ = s.Close() // may be where it fails
	if what = w.disarm(); what == "sync" && failed == nil {
		return what, errors.New("a failed sync went unnoticed")
	}
	return what, compareWith(ctx, file, last, doubt)
}

// writeUntilFailure makes changes and returns the acknowledgement of the last change to each key, and the change that
// was neither acknowledged nor denied.
func writeUntilFailure(ctx context.Context, s store.Store) (last map[string]string, doubt string, err error) {
	last = map[string]string{}
	for n := range 60 {
		key := keyOf(n)
		r, err := s.Get(ctx, key)
		var missing *store.NotFoundError
		if err != nil && !errors.As(err, &missing) {
			return last, key.Name, err
		}
		records, err := s.Commit(ctx, store.Change{Key: key, Seen: r.Version, Body: bodyOf(n)})
		if err != nil {
			return last, key.Name, err
		}
		last[key.Name] = acknowledgement(records[0])
	}
	return last, "", nil
}

// compareWith sees that a store has what was acknowledged. The change in doubt may be there or not.
func compareWith(ctx context.Context, file string, last map[string]string, doubt string) error {
	s, err := store.Open(ctx, file)
	if err != nil {
		return fmt.Errorf("reopen: %w", err)
	}
	defer s.Close()
	records, err := s.Since(ctx, 0)
	if err != nil {
		return err
	}
	found := map[string]string{}
	for _, r := range records {
		found[r.Key.Name] = acknowledgement(r)
	}
	for name, want := range last {
		if got := found[name]; got != want && name != doubt && want != "" || got == "" && want != "" {
			return fmt.Errorf("%s is %q, but %q was acknowledged", name, got, want)
		}
	}
	return soundness(file)
}

// A warden is told of each write, truncation and sync of this process before it happens, by seccomp's user
// notification, and decides whether it does.
type warden struct {
	listener int

	mu        sync.Mutex
	left      int    // operations until one fails; 0 if none is to
	kind      string // how
	hit       string // what has failed
	recording bool
	trace     []event
}

// The kernel's structures and requests, from linux/seccomp.h.
type notification struct {
	id          uint64
	pid, flags  uint32
	number      int32
	arch        uint32
	instruction uint64
	arguments   [6]uint64
}

type verdict struct {
	id    uint64
	value int64
	err   int32
	flags uint32
}

const (
	receive    = 0xC0502100 // SECCOMP_IOCTL_NOTIF_RECV
	respond    = 0xC0182101 // SECCOMP_IOCTL_NOTIF_SEND
	letThrough = 1          // SECCOMP_USER_NOTIF_FLAG_CONTINUE
	notify     = 0x7fc00000 // SECCOMP_RET_USER_NOTIF
)

// newWarden watches from here on, in all threads of this process.
func newWarden() (*warden, error) {
	const loadNumber, jumpEqual, give = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS,
		unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	filter := []unix.SockFilter{
		{Code: loadNumber},
		{Code: jumpEqual, K: unix.SYS_PWRITE64, Jt: 4},
		{Code: jumpEqual, K: unix.SYS_FSYNC, Jt: 3},
		{Code: jumpEqual, K: unix.SYS_FDATASYNC, Jt: 2},
		{Code: jumpEqual, K: unix.SYS_FTRUNCATE, Jt: 1},
		{Code: give, K: unix.SECCOMP_RET_ALLOW},
		{Code: give, K: notify},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, err
	}
	const flags = unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags,
		uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return nil, fmt.Errorf("%s: %w", errUnwatched, errno)
	}
	w := &warden{listener: int(fd)}
	go w.watch()
	return w, nil
}

// watch decides about one operation after the other. It makes none of those itself that it is told of.
func (w *warden) watch() {
	for {
		var n notification
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(w.listener), receive,
			uintptr(unsafe.Pointer(&n))); errno != 0 {
			continue // whoever asked has gone
		}
		v := w.decide(&n)
		v.id = n.id
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(w.listener), respond, uintptr(unsafe.Pointer(&v)))
	}
}

func (w *warden) decide(n *notification) verdict {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.recording {
		w.trace = append(w.trace, eventOf(n))
	}
	if w.left == 0 {
		return verdict{flags: letThrough}
	}
	if w.left--; w.left > 0 {
		return verdict{flags: letThrough}
	}
	w.hit = operationOf(n)
	switch {
	case w.kind == "ENOSPC" && w.hit != "sync":
		return verdict{err: -int32(unix.ENOSPC)}
	case w.kind == "short" && w.hit == "write":
		return w.writePart(n)
	}
	return verdict{err: -int32(unix.EIO)}
}

// writePart writes the first half, by another system call, and has the disk fail for the rest of it.
func (w *warden) writePart(n *notification) verdict {
	half := int(n.arguments[2]) / 2
	if half == 0 {
		return verdict{err: -int32(unix.EIO)}
	}
	data, err := n.data()
	if err != nil {
		return verdict{err: -int32(unix.EIO)}
	}
	written, err := unix.Pwritev(int(n.arguments[0]), [][]byte{data[:half]}, int64(n.arguments[3]))
	if err != nil {
		return verdict{err: -int32(unix.EIO)}
	}
	w.left, w.kind = 1, "EIO"
	return verdict{value: int64(written)}
}

// data is what a write is to write.
func (n *notification) data() ([]byte, error) {
	data := make([]byte, n.arguments[2])
	if len(data) == 0 {
		return nil, nil
	}
	local := unix.Iovec{Base: &data[0]}
	local.SetLen(len(data))
	_, err := unix.ProcessVMReadv(os.Getpid(), []unix.Iovec{local},
		[]unix.RemoteIovec{{Base: uintptr(n.arguments[1]), Len: len(data)}}, 0)
	return data, err
}

// arm makes the nth operation from now on fail.
func (w *warden) arm(n int, kind string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.kind, w.hit = n, kind, ""
}

// disarm lets everything through again, and returns what has failed.
func (w *warden) disarm() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = 0
	return w.hit
}

// soundness asks SQLite whether a file is what it should be.
func soundness(file string) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	verdict, err := quickCheck(file)
	if err != nil || !strings.EqualFold(verdict, "ok") {
		return fmt.Errorf("quick_check says %q, %v; want ok", verdict, err)
	}
	return nil
}
