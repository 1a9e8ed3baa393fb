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
)

// A shelf keeps the servers that the page added in a directory of the user's, each in a file that only the user can read. So
// many processes can write at once. Secrets are never given to it.
type shelf struct {
	dir      string   // empty keeps nothing
	problems []string // what could not be read
}

// A keptServer is what a file says.
type keptServer struct {
	id      string
	Server  NewServer `json:"server"`
	Missing []string  `json:"missing,omitempty"` // variables or headers that stand there without their values
	Added   time.Time `json:"added"`
}

// maxKept is how large a file may be.
const maxKept = 256 << 10

var serverID = regexp.MustCompile(`^page-[a-z0-9]{12}$`)

// all reads every file, the oldest server first. One that cannot be read hides no other.
func (s *shelf) all() []keptServer {
	if s.dir == "" {
		return nil
	}
	files, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.problems = append(s.problems, "servers of earlier runs cannot be read: "+err.Error())
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

// read trusts no file that others could have written.
func (s *shelf) read(id string) (keptServer, error) {
	path := s.file(id)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return keptServer{}, err
	case !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return keptServer{}, fmt.Errorf("the kept server %s is open to others", path)
	case info.Size() > maxKept:
		return keptServer{}, fmt.Errorf("the kept server %s has %d bytes", path, info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return keptServer{}, err
	}
	one := keptServer{id: id}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&one); err != nil {
		return keptServer{}, fmt.Errorf("the kept server %s cannot be read: %w", path, err)
	}
	return one, nil
}

// write puts a file in place at once; CreateTemp makes it readable by its owner alone.
func (s *shelf) write(one keptServer) error {
	text, err := json.MarshalIndent(one, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(s.dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone after the rename
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), s.file(one.id))
}

// remove forgets a server, if it was kept.
func (s *shelf) remove(id string) error {
	if s.dir == "" {
		return nil
	}
	if err := os.Remove(s.file(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage("the server is gone, but will be back in the next run: %v", err)
	}
	return nil
}

func (s *shelf) file(id string) string { return filepath.Join(s.dir, id+".json") }
