package wire

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// An endingMark signals to other processes, of this mcptest and of others, that a process of a command is
// shutting down: a released one may still hold a port or a lock file when the next command starts the same
// server. It is a lock on one byte of a file, which is released with the last process that has the file open.
// Everyone who has the file open also holds a lock on another byte, and the last supervisor that has one deletes the
// file; see supervise.DeleteUnused.
type endingMark struct {
	file    *os.File
	offset  int64 // identifies the command
	earlier bool  // another process of the command was shutting down when this one was started
}

// newEndingMark returns the mark of a command, not yet set; nil if the file cannot be used.
func newEndingMark(path string, t Target) *endingMark {
	file := openMarks()
	if file == nil {
		return nil
	}
	hash := fnv.New64a()
	dir, _ := filepath.Abs(t.Dir)
	for _, word := range append([]string{path, dir}, t.Command...) {
		_, _ = io.WriteString(hash, word+"\x00")
	}
	m := &endingMark{file: file, offset: 1 + int64(hash.Sum64()>>2)}
	m.earlier = m.others()
	return m
}

// openMarks opens the file of all marks of the user; nil if it cannot be used.
func openMarks() *os.File {
	name := filepath.Join(os.TempDir(), fmt.Sprintf("mcptest-%d.lock", os.Getuid()))
	for range 100 { // another process may delete it between these steps
		file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil
		}
		info, err := file.Stat()
		if err != nil || !ownFile(info) {
			_ = file.Close()
			return nil
		}
		if supervise.Use(file.Fd()) {
			return file
		}
		_ = file.Close()
		time.Sleep(time.Millisecond)
	}
	return nil
}

// ownFile reports whether a file is a regular file of this user.
func ownFile(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && int(stat.Uid) == os.Getuid()
}

// files returns the file that holders of the mark have open.
func (m *endingMark) files() []*os.File {
	if m == nil {
		return nil
	}
	return []*os.File{m.file}
}

// set marks that the process is shutting down.
func (m *endingMark) set() {
	if m != nil {
		lock := unix.Flock_t{Type: unix.F_RDLCK, Whence: io.SeekStart, Start: m.offset, Len: 1}
		_ = unix.FcntlFlock(m.file.Fd(), unix.F_OFD_SETLK, &lock)
	}
}

// others reports whether another process of the command is shutting down.
func (m *endingMark) others() bool {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: m.offset, Len: 1}
	return unix.FcntlFlock(m.file.Fd(), unix.F_OFD_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK
}

// wait waits until no other process of the command is shutting down. It returns false if there was none, or if
// one does not exit.
func (m *endingMark) wait(ctx context.Context) bool {
	if m == nil || !m.earlier && !m.others() {
		return false
	}
	for end := time.Now().Add(3*supervise.CloseGrace + killedGrace); m.others(); {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return false
		}
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

func (m *endingMark) close() {
	if m != nil {
		_ = m.file.Close()
	}
}

// discard closes a mark that no supervisor has.
func (m *endingMark) discard() {
	if m != nil {
		supervise.DeleteUnused(m.file.Fd())
		m.close()
	}
}
