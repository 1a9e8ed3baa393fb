package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// A SnapshotMode selects what happens to values that differ from the stored ones.
type SnapshotMode int

// The modes.
const (
	WriteNew  SnapshotMode = iota // new ones are stored, others must be equal
	ReadOnly                      // new ones also fail: a CI run must not create them
	UpdateAll                     // changed ones are stored, unused ones are deleted
)

// Snapshots are the stored values of one suite file, by test and target.
type Snapshots struct {
	path  string
	files Files
	mode  SnapshotMode
	scrub func(string) string // removes secrets from stored values; may be nil

	mu      sync.Mutex
	kept    map[string]json.RawMessage
	used    map[string]bool
	changed bool
	Written int // how many were created or updated
}

// SnapshotPath is the file that stores the snapshots of a suite.
func SnapshotPath(suite string) string { return suite + ".snapshots.json" }

// openSnapshots reads the stored values; a missing file contains none.
func openSnapshots(suite string, files Files, mode SnapshotMode, scrub func(string) string) (*Snapshots, error) {
	s := &Snapshots{path: SnapshotPath(suite), files: files, mode: mode, scrub: scrub,
		kept: map[string]json.RawMessage{}, used: map[string]bool{}}
	data, err := files.Read(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &s.kept); err != nil {
		return nil, fmt.Errorf("%s: %w; delete it, or restore it from the repository", s.path, rawjson.Problem(data, err))
	}
	return s, nil
}

func (s *Snapshots) match(key string, got json.RawMessage) error {
	if s == nil {
		return errors.New("no file for the snapshot was named")
	}
	if s.scrub != nil {
		if clean := json.RawMessage(s.scrub(string(got))); json.Valid(clean) {
			got = clean
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[key] = true
	want, ok := s.kept[key]
	switch {
	case ok && equal(got, want):
		return nil
	case !ok && s.mode == ReadOnly:
		return mismatch(got, "snapshot missing: run the test outside CI and commit %s", s.path)
	case !ok, s.mode == UpdateAll:
		s.kept[key], s.changed = bytes.Clone(got), true
		s.Written++
		return nil
	}
	return describe(got, want, ", as in the snapshot (run with --update-snapshots to accept the change)")
}

// save writes the changes. In update mode, if every test ran, unused snapshots are deleted.
func (s *Snapshots) save(complete bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mode == UpdateAll && complete {
		for _, key := range slices.Collect(maps.Keys(s.kept)) {
			if !s.used[key] {
				delete(s.kept, key)
				s.changed = true
			}
		}
	}
	if !s.changed || s.mode == ReadOnly {
		return nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s.kept); err != nil {
		return err
	}
	return s.files.Write(s.path, out.Bytes())
}
