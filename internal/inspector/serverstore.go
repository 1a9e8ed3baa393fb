package inspector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/files"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// A serverStore stores the servers that were added in the page in a directory of the user, each in a file that only
// the user can read. This allows concurrent writes by several processes. Secrets are never stored.
type serverStore struct {
	dir      string   // empty stores nothing
	problems []string // what could not be read
}

// A savedServer is the content of a file.
type savedServer struct {
	id      string
	Server  view.NewServer `json:"server"`
	Missing []string       `json:"missing,omitempty"` // variables or headers without their values
	Added   time.Time      `json:"added"`
}

// maxKept is the maximum file size.
const maxKept = 256 << 10

var serverID = lazyregexp.New(`^page-[a-z0-9]{12}$`)

// all reads all files, oldest server first. An unreadable one does not affect the others.
func (s *serverStore) all() []savedServer {
	if s.dir == "" {
		return nil
	}
	files, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.problems = append(s.problems, "cannot read saved servers: "+err.Error())
	}
	var kept []savedServer
	for _, file := range files {
		id, isServer := strings.CutSuffix(file.Name(), ".json")
		if !isServer || !serverID().MatchString(id) {
			continue
		}
		one, err := s.read(id)
		if err != nil {
			s.problems = append(s.problems, err.Error()+"; remove it")
			continue
		}
		kept = append(kept, one)
	}
	slices.SortStableFunc(kept, func(a, b savedServer) int { return a.Added.Compare(b.Added) })
	return kept[max(0, len(kept)-maxServers):]
}

// read rejects files that others could have written.
func (s *serverStore) read(id string) (savedServer, error) {
	path := s.file(id)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return savedServer{}, err
	case !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return savedServer{}, fmt.Errorf("insecure permissions on saved server %s", path)
	case info.Size() > maxKept:
		return savedServer{}, fmt.Errorf("saved server %s has %d bytes", path, info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return savedServer{}, err
	}
	one := savedServer{id: id}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&one); err != nil {
		return savedServer{}, fmt.Errorf("cannot read saved server %s: %w", path, rawjson.Problem(text, err))
	}
	return one, nil
}

// write stores a server in a file that only its owner can read.
func (s *serverStore) write(one savedServer) error {
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
func (s *serverStore) remove(id string) error {
	if s.dir == "" {
		return nil
	}
	if err := os.Remove(s.file(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return view.Usage("removed for this session only; deleting the saved entry failed: %v", err)
	}
	return nil
}

func (s *serverStore) file(id string) string { return filepath.Join(s.dir, id+".json") }
