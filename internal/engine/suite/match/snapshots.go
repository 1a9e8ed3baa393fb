package match

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

// A Store is where snapshots are stored, and how.
type Store struct {
	Read  func(path string) ([]byte, error)
	Write func(path string, data []byte) error
	Mode  SnapshotMode
	Scrub func(string) string // removes secrets from stored values; may be nil
}

// Snapshots are the stored values of one suite file, by test and target.
type Snapshots struct {
	path  string
	store Store

	mu      sync.Mutex
	kept    map[string]json.RawMessage
	used    map[string]bool
	changed bool
	Written int // how many were created or updated
}

// SnapshotPath is the file that stores the snapshots of a suite.
func SnapshotPath(suite string) string { return suite + ".snapshots.json" }

// OpenSnapshots reads the stored values; a missing file contains none.
func OpenSnapshots(suite string, store Store) (*Snapshots, error) {
	s := &Snapshots{path: SnapshotPath(suite), store: store, kept: map[string]json.RawMessage{}, used: map[string]bool{}}
	data, err := store.Read(s.path)
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
	if s.store.Scrub != nil {
		if clean := json.RawMessage(s.store.Scrub(string(got))); json.Valid(clean) {
			got = clean
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[key] = true
	want, ok := s.kept[key]
	switch {
	case ok && Equal(got, want):
		return nil
	case !ok && s.store.Mode == ReadOnly:
		return mismatch(got, "snapshot missing: run the test outside CI and commit %s", s.path)
	case !ok, s.store.Mode == UpdateAll:
		s.kept[key], s.changed = bytes.Clone(got), true
		s.Written++
		return nil
	}
	return describe(got, want, ", as in the snapshot (run with --update-snapshots to accept the change)")
}

// Save writes the changes. In update mode, if every test ran, unused snapshots are deleted.
func (s *Snapshots) Save(complete bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store.Mode == UpdateAll && complete {
		for _, key := range slices.Collect(maps.Keys(s.kept)) {
			if !s.used[key] {
				delete(s.kept, key)
				s.changed = true
			}
		}
	}
	if !s.changed || s.store.Mode == ReadOnly {
		return nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s.kept); err != nil {
		return err
	}
	return s.store.Write(s.path, out.Bytes())
}
