//go:build linux

package store_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// lossFile names the folder of a child process that loses power.
const lossFile = "MCPTEST_TEST_LOSS"

// Power is lost at some moment. What was not synced by then is on the disk or not, each write for itself, the last one
// perhaps in part. All that was acknowledged is there, and the file is sound.
func TestE6PowerLossKeepsWhatWasAcknowledged(t *testing.T) {
	out := runChild(t, lossFile, t.TempDir())
	t.Logf("%s", bytes.TrimSpace(out))
}

// runChild runs this binary as a child that works in a folder, where the kernel lets system calls be watched.
func runChild(t *testing.T, mode, folder string) []byte {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), mode+"="+folder)
	out, err := child.CombinedOutput()
	if bytes.Contains(out, []byte(errUnwatched)) {
		t.Skipf("left out: %s", out)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// errUnwatched is how a child says that it cannot do its work on this kernel.
const errUnwatched = "the kernel does not let system calls be watched"

// images is how many disks are made up.
const images = 50

// losePower is the child: it writes, and then looks at what the disk would hold had the power been lost.
func losePower(folder string) error {
	w, err := newWarden()
	if err != nil {
		return err
	}
	ctx := context.Background()
	file := filepath.Join(folder, "run", "catalog.db")
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	defer s.Close()
	d := &disk{synced: map[string][]byte{}, waiting: map[string][]event{}}
	for _, name := range []string{file, file + "-wal"} {
		d.synced[name], _ = os.ReadFile(name) // a log may not be there yet
	}
	w.record()
	for n := range 120 {
		records, err := s.Commit(ctx, store.Change{Key: keyOf(n), Seen: store.Any, Body: bodyOf(n)})
		if err != nil {
			return err
		}
		w.note(event{kind: "acknowledged", name: records[0].Key.Name, at: records[0].Revision})
	}
	trace := w.recorded()
	for i := range images {
		if err := d.lose(ctx, filepath.Join(folder, fmt.Sprint(i)), file, trace[:1+rand.Intn(len(trace))]); err != nil {
			return fmt.Errorf("image %d: %w", i, err)
		}
	}
	fmt.Printf("%d images of a disk after up to %d operations\n", images, len(trace))
	return nil
}

// An event is something that happened to the disk, or that was told.
type event struct {
	kind string // write, truncation, sync, acknowledged
	name string // of the file or the tool
	at   int64  // offset, size or revision
	data []byte
}

// A disk is what is surely on it, and what may be.
type disk struct {
	synced  map[string][]byte
	waiting map[string][]event
}

// lose replays what happened up to the loss, makes up a disk and looks at it.
func (d *disk) lose(ctx context.Context, folder, file string, trace []event) error {
	image := &disk{synced: map[string][]byte{}, waiting: map[string][]event{}}
	for name, data := range d.synced {
		image.synced[name] = bytes.Clone(data)
	}
	acknowledged := map[string]int64{}
	for _, e := range trace {
		switch e.kind {
		case "acknowledged":
			acknowledged[e.name] = e.at
		case "sync":
			for _, old := range image.waiting[e.name] {
				image.apply(old)
			}
			delete(image.waiting, e.name)
		default:
			image.waiting[e.name] = append(image.waiting[e.name], e)
		}
	}
	image.settle()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for name, data := range image.synced {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), data, 0o600); err != nil {
			return err
		}
	}
	return hasAll(ctx, filepath.Join(folder, filepath.Base(file)), acknowledged)
}

// settle decides about each operation that was not synced.
func (d *disk) settle() {
	for _, waiting := range d.waiting {
		for i, e := range waiting {
			if rand.Intn(2) == 0 {
				continue
			}
			if i == len(waiting)-1 && e.kind == "write" {
				e.data = e.data[:rand.Intn(len(e.data)+1)]
			}
			d.apply(e)
		}
	}
}

func (d *disk) apply(e event) {
	data := d.synced[e.name]
	end := e.at + int64(len(e.data))
	if grown := end - int64(len(data)); grown > 0 {
		data = append(data, make([]byte, grown)...)
	}
	if e.kind == "truncation" {
		data = data[:e.at]
	}
	copy(data[e.at:], e.data)
	d.synced[e.name] = data
}

// hasAll sees that a store has all that was acknowledged, or what came after it.
func hasAll(ctx context.Context, file string, acknowledged map[string]int64) error {
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	defer s.Close()
	records, err := s.Since(ctx, 0)
	if err != nil {
		return err
	}
	found := map[string]int64{}
	for _, r := range records {
		found[r.Key.Name] = r.Revision
	}
	for name, revision := range acknowledged {
		if found[name] < revision {
			return fmt.Errorf("%s is of revision %d, but %d was acknowledged", name, found[name], revision)
		}
	}
	return soundness(file)
}

// record notes all operations from here on; they are let through.
func (w *warden) record() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recording = true
}

func (w *warden) note(e event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trace = append(w.trace, e)
}

// recorded ends the recording.
func (w *warden) recorded() []event {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recording = false
	return w.trace
}

// eventOf is an operation as it is recorded. What cannot be read ends the child: a trace with holes proves nothing.
func eventOf(n *notification) event {
	name, err := os.Readlink("/proc/self/fd/" + strconv.FormatUint(n.arguments[0], 10))
	e := event{kind: operationOf(n), name: name}
	switch e.kind {
	case "write":
		e.at = int64(n.arguments[3])
		var missing error
		if e.data, missing = n.data(); missing != nil {
			err = missing
		}
	case "truncation":
		e.at = int64(n.arguments[1])
	}
	if err != nil || strings.HasSuffix(name, "(deleted)") {
		fmt.Fprintln(os.Stderr, "an operation could not be recorded:", name, err)
		os.Exit(1)
	}
	return e
}

// operationOf names what a system call does to the disk.
func operationOf(n *notification) string {
	return map[int32]string{unix.SYS_PWRITE64: "write", unix.SYS_FSYNC: "sync", unix.SYS_FDATASYNC: "sync",
		unix.SYS_FTRUNCATE: "truncation"}[n.number]
}
