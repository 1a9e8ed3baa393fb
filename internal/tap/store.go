package tap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// The files of a session.
const (
	framesSuffix  = ".jsonl" // a transcript
	sessionSuffix = ".json"  // a Session
)

// Limits of the folder of recordings. The oldest are deleted when a new one starts.
const (
	MaxAge   = 30 * 24 * time.Hour
	MaxBytes = 1 << 30
)

// maxDescription is the maximum size of the description of a session.
const maxDescription = 8 << 20

// FramesFile returns the transcript of a session.
func FramesFile(dir, id string) string { return filepath.Join(dir, id+framesSuffix) }

// List returns the recorded sessions of a folder, the latest first.
func List(dir string) ([]Session, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Session
	for _, e := range entries {
		id, isSession := strings.CutSuffix(e.Name(), sessionSuffix)
		if !isSession {
			continue
		}
		if s, err := Read(dir, id); err == nil {
			all = append(all, *s)
		}
	}
	slices.SortFunc(all, func(a, b Session) int { return b.Started.Compare(a.Started) })
	return all, nil
}

// Read reads the description of a session. Its size is that of the file: a killed tap has not written it.
func Read(dir, id string) (*Session, error) {
	name := filepath.Join(dir, id+sessionSuffix)
	if info, err := os.Stat(name); err == nil && info.Size() > maxDescription {
		return nil, fmt.Errorf("recording %s is damaged: its description is larger than %d MiB", id, maxDescription>>20)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var s Session
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&s); err != nil {
		return nil, fmt.Errorf("recording %s is damaged: %w", id, rawjson.Problem(text, err))
	}
	s.ID = id // not what the file contains, which could be a path
	if info, err := os.Stat(FramesFile(dir, id)); err == nil {
		s.Bytes = info.Size()
	}
	return &s, nil
}

// Find returns a session by its ID, a unique beginning or end of it, or its name; the latest one if id is empty.
func Find(dir, id string) (*Session, error) {
	all, err := List(dir)
	if err != nil {
		return nil, err
	}
	var found []Session
	for _, s := range all {
		if s.ID == id || id == "" || s.Name == id {
			return &s, nil
		}
		if strings.HasPrefix(s.ID, id) || strings.HasSuffix(s.ID, id) {
			found = append(found, s)
		}
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("no recordings in %s", dir)
	case len(found) == 0:
		return nil, fmt.Errorf("no recording %q", id)
	case len(found) > 1:
		return nil, fmt.Errorf("%q matches %d recordings, expected one", id, len(found))
	}
	return &found[0], nil
}

// prune deletes recordings that are too old, and the oldest ones if all are too large together. Running ones are
// kept.
func prune(dir, own string) {
	all, err := List(dir)
	if err != nil {
		return
	}
	var total int64
	for _, s := range all {
		if s.ID == own || s.Running() {
			total += s.Bytes
			continue
		}
		if total += s.Bytes; total <= MaxBytes && time.Since(s.Started) <= MaxAge {
			continue
		}
		total -= s.Bytes
		_ = os.Remove(FramesFile(dir, s.ID))
		_ = os.Remove(filepath.Join(dir, s.ID+sessionSuffix))
	}
}
