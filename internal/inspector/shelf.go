package inspector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/files"
)

// A shelf stores the servers that were added in the page in a directory of the user, each in a file that only
// the user can read. This allows concurrent writes by several processes. Secrets are never stored.
type shelf struct {
	dir      string   // empty stores nothing
	problems []string // what could not be read
}

// A keptServer is the content of a file.
type keptServer struct {
	id      string
	Server  NewServer `json:"server"`
	Missing []string  `json:"missing,omitempty"` // variables or headers without their values
	Added   time.Time `json:"added"`
}

// maxKept is the maximum file size.
const maxKept = 256 << 10

var serverID = regexp.MustCompile(`^page-[a-z0-9]{12}$`)

// all reads all files, oldest server first. An unreadable one does not affect the others.
func (s *shelf) all() []keptServer {
	if s.dir == "" {
		return nil
	}
	files, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.problems = append(s.problems, "cannot read saved servers: "+err.Error())
	}
	var kept []keptServer
	for _, file := range files {
		id, isServer := strings.CutSuffix(file.Name(), ".json")
		if !isServer || !serverID.MatchString(id) {
			continue
		}
		one, err := s.read(id)
		if err != nil {
			s.problems = append(s.problems, err.Error()+"; remove it")
			continue
		}
		kept = append(kept, one)
	}
	slices.SortStableFunc(kept, func(a, b keptServer) int { return a.Added.Compare(b.Added) })
	return kept[max(0, len(kept)-maxServers):]
}

// read rejects files that others could have written.
func (s *shelf) read(id string) (keptServer, error) {
	path := s.file(id)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return keptServer{}, err
	case !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return keptServer{}, fmt.Errorf("insecure permissions on saved server %s", path)
	case info.Size() > maxKept:
		return keptServer{}, fmt.Errorf("saved server %s has %d bytes", path, info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return keptServer{}, err
	}
	one := keptServer{id: id}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&one); err != nil {
		return keptServer{}, fmt.Errorf("cannot read saved server %s: %w", path, err)
	}
	return one, nil
}

// write stores a server in a file that only its owner can read.
func (s *shelf) write(one keptServer) error {
	text, err := json.MarshalIndent(one, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	return files.Replace(s.file(one.id), append(text, '\n'), 0o600)
}

// remove deletes a server, if it was stored.
func (s *shelf) remove(id string) error {
	if s.dir == "" {
		return nil
	}
	if err := os.Remove(s.file(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage("removed for this session only; deleting the saved entry failed: %v", err)
	}
	return nil
}

func (s *shelf) file(id string) string { return filepath.Join(s.dir, id+".json") }
