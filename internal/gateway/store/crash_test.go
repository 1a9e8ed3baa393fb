package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/leaktest"
)

// writerFile names the store that a child process of this test writes to.
const writerFile = "MCPTEST_TEST_WRITER"

// TestMain becomes the writer or another child when a test asks for it.
func TestMain(m *testing.M) {
	for name, child := range map[string]func(string) error{writerFile: write, unsyncedFile: writeWithoutSync,
		fullFile: writeUntilFull, replicaFile: replicate, pointsFile: failEverywhere, lossFile: losePower} {
		if value := os.Getenv(name); value != "" {
			if err := child(value); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	leaktest.Main(m)
}

// write changes tools as fast as it can, and says so of each once the store has acknowledged it: "n version", in the
// order of the changes. It goes round a few keys, so that there are updates and removals too.
func write(file string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		key := keyOf(n)
		r, err := s.Get(ctx, key)
		seen := r.Version
		if err != nil {
			seen = 0
		}
		change := store.Change{Key: key, Seen: seen, Body: bodyOf(n)}
		if seen > 0 && n%7 == 0 {
			change.Body = nil
		}
		records, err := s.Commit(ctx, change)
		if err != nil {
			return err
		}
		fmt.Println(acknowledgement(records[0]))
	}
}

func keyOf(n int) store.Key { return store.Key{Server: "s", Name: fmt.Sprint("tool", n%13)} }

// bodyOf is big enough for a change to fill several pages now and then.
func bodyOf(n int) []byte {
	body, err := json.Marshal(map[string]string{"n": fmt.Sprint(n), "text": strings.Repeat("x", n*37%9000)})
	if err != nil {
		panic(err)
	}
	return body
}

// acknowledgement is a line that says what a record is now.
func acknowledgement(r store.Record) string {
	return fmt.Sprintf("%d\t%s\t%d\t%d\t%t", r.Revision, r.Key.Name, r.Version, len(r.Body), r.Body == nil)
}

func TestE6NothingAcknowledgedIsLostByKill(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("kills 200 processes")
	}
	file := filepath.Join(t.TempDir(), "catalog.db")
	last := map[string]string{} // by name: the last acknowledgement
	total := 0
	for range 200 {
		total += writeAndKill(t, file, last, 1+rand.Intn(12), time.Duration(rand.Intn(3000))*time.Microsecond)
		checkSound(t, file)
		checkAcknowledged(t, file, last)
	}
	t.Logf("200 kills, %d changes acknowledged", total)
	if total < 400 {
		t.Errorf("only %d changes were acknowledged; want the writer to be killed at work", total)
	}
}

// writeAndKill runs the writer until it has acknowledged some changes and a little longer.
func writeAndKill(t *testing.T, file string, last map[string]string, enough int, longer time.Duration) int {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), writerFile+"="+file)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	count := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		last[strings.Split(lines.Text(), "\t")[1]] = lines.Text()
		if count++; count == enough {
			time.AfterFunc(longer, func() { _ = child.Process.Kill() })
		}
	}
	if count < enough {
		t.Fatalf("the writer stopped by itself after %d changes", count)
	}
	_ = child.Wait() // it was killed
	return count
}

// checkSound asks SQLite whether the file is what it should be.
func checkSound(t *testing.T, file string) {
	t.Helper()
	if verdict, err := quickCheck(file); err != nil || verdict != "ok" {
		t.Fatalf("quick_check says %q, %v; want ok", verdict, err)
	}
}

func quickCheck(file string) (verdict string, err error) {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.QueryRow(`PRAGMA quick_check`).Scan(&verdict)
	return verdict, err
}

// checkAcknowledged compares the store with what was acknowledged. One change may have been made that was not: the
// process was killed before it could say so. Then it counts as acknowledged from here on.
func checkAcknowledged(t *testing.T, file string, last map[string]string) {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	records, err := s.Since(t.Context(), 1) // removed ones too
	if err != nil {
		t.Fatal(err)
	}
	newest, unsaid := int64(0), 0
	for _, line := range last {
		newest = max(newest, revisionOf(t, line))
	}
	found := map[string]string{}
	for _, r := range records {
		found[r.Key.Name] = acknowledgement(r)
		if r.Revision > newest {
			unsaid++
			last[r.Key.Name] = acknowledgement(r)
		}
	}
	for name, line := range last {
		if found[name] != line && revisionOf(t, line) > 1 {
			t.Fatalf("%s is %q, but %q was acknowledged", name, found[name], line)
		}
	}
	if unsaid > 1 {
		t.Fatalf("%d changes were never acknowledged; the writer makes one at a time", unsaid)
	}
}

func revisionOf(t *testing.T, line string) int64 {
	t.Helper()
	revision, err := strconv.ParseInt(strings.Split(line, "\t")[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

// A log that was cut short, or has a wrong bit, loses what came after, and nothing before: each commit whose log was on
// the disk up to there is found, and the file is sound.
func TestE6DamagedLogLosesNothingBeforeTheDamage(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "catalog.db")
	ends, states := writeLog(t, file, 60)
	main, log := read(t, file), read(t, file+"-wal")
	if len(log) < 50_000 {
		t.Fatalf("the log has %d bytes; want one that can be damaged in many places", len(log))
	}
	for i := range 200 {
		at := rand.Intn(len(log))
		damaged := append([]byte(nil), log...)
		if i%2 == 0 {
			damaged = damaged[:at]
		} else {
			damaged[at] ^= 1 << rand.Intn(8)
		}
		copied := filepath.Join(folder, fmt.Sprintf("%d.db", i))
		keep(t, copied, main)
		keep(t, copied+"-wal", damaged)
		checkSound(t, copied)
		checkPrefix(t, copied, at, ends, states)
	}
}

// writeLog makes commits, and returns how long the log was after each, and what the store held.
func writeLog(t *testing.T, file string, commits int) (ends []int, states []string) {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) // not before: closing would clear the log away
	for n := range commits {
		if _, err := s.Commit(t.Context(), store.Change{Key: keyOf(n), Seen: store.Any,
			Body: bodyOf(n * 11)}); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(read(t, file+"-wal")))
		states = append(states, changes(t, s, 0))
	}
	return ends, states
}

func checkPrefix(t *testing.T, file string, damage int, ends []int, states []string) {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatalf("damage at %d: %v", damage, err)
	}
	defer s.Close()
	got, sure := changes(t, s, 0), -1
	for i, end := range ends {
		if end <= damage {
			sure = i
		}
	}
	for i := max(sure, 0); i < len(states); i++ {
		if got == states[i] {
			return
		}
	}
	if sure >= 0 || got != "" {
		t.Errorf("damage at %d of the log: the store is not as it was after commit %d or later", damage, sure)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func keep(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
