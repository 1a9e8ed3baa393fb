//go:build linux

package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// unsyncedFile names the store of a child process whose disk stops to sync.
const unsyncedFile = "MCPTEST_TEST_UNSYNCED"

// After a sync that failed the kernel may have dropped what was written, and a second sync that succeeds proves
// nothing. So the store must stop: it neither acknowledges the change nor anything after it.
func TestE6FailedSyncStopsTheStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "catalog.db")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), unsyncedFile+"="+file)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkSound(t, file)
	s := open(t, file)
	// The change that was neither acknowledged nor denied may be there; what was refused may not.
	if got := changes(t, s, 0); got != "before={}" && got != "before={} unsynced={}" {
		t.Errorf("after reopening there is %s, want before and at most unsynced", got)
	}
}

// writeWithoutSync is the child: it commits, breaks syncing, and sees that nothing is acknowledged any more.
func writeWithoutSync(file string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	add := func(name string) error {
		_, err := s.Commit(ctx, store.Change{Key: store.Key{Server: "s", Name: name}, Body: []byte("{}")})
		return err
	}
	if err := add("before"); err != nil {
		return err
	}
	if err := breakSync(); err != nil {
		return fmt.Errorf("break syncing: %w", err)
	}
	for _, name := range []string{"unsynced", "after"} {
		var stopped *store.ClosedError
		if err := add(name); !errors.As(err, &stopped) || stopped.Cause == nil {
			return fmt.Errorf("Commit(%s) = %v, want a store that has stopped", name, err)
		}
	}
	var stopped *store.ClosedError
	if _, err := s.Since(ctx, 0); !errors.As(err, &stopped) {
		return fmt.Errorf("Since = %v, want a store that has stopped", err)
	}
	return nil
}

// A disk that is full in the middle of a change loses nothing that was acknowledged before, and ends the store. Where
// it fills up differs from run to run of the writer: in the log, in its header, in the file when the log is merged into
// it.
func TestE6FullDiskStopsTheStore(t *testing.T) {
	const points = 60
	for i := range points {
		file := filepath.Join(t.TempDir(), "catalog.db")
		if err := open(t, file).Close(); err != nil { // the schema fits
			t.Fatal(err)
		}
		last := map[string]string{}
		limit := 40_000 + i*3_777
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", fullFile, limit, file))
		var said strings.Builder
		child.Stderr = &said
		out, err := child.Output()
		if err == nil || !strings.Contains(said.String(), "the store has stopped") {
			t.Fatalf("a disk that is full at %d bytes: %v, %s; want the store to stop", limit, err, said.String())
		}
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSpace(line)
			last[strings.Split(line, "\t")[1]] = line
		}
		checkSound(t, file)
		checkAcknowledged(t, file, last)
	}
}

// fullFile names the store of a child process, after the size that its files cannot exceed.
const fullFile = "MCPTEST_TEST_FULL"

// writeUntilFull is the child: it writes until the disk is full.
func writeUntilFull(value string) error {
	size, file, _ := strings.Cut(value, " ")
	limit, err := strconv.ParseUint(size, 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(unix.SIGXFSZ) // writes fail with EFBIG instead
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	return write(file)
}

// breakSync makes fsync and fdatasync fail with EIO from here on, in all threads of this process, by a seccomp filter.
func breakSync() error {
	const loadNumber, jumpEqual, give = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS,
		unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	filter := []unix.SockFilter{
		{Code: loadNumber},
		{Code: jumpEqual, K: unix.SYS_FSYNC, Jt: 1},
		{Code: jumpEqual, K: unix.SYS_FDATASYNC, Jf: 1},
		{Code: give, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EIO)},
		{Code: give, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}
