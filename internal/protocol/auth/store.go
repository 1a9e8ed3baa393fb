package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mcptest-dev/mcptest/internal/files"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// A Store stores grants in a directory of the user, each in a file that only the user can read, named by the
// hash of the server's URL. So a token is found only for its server, and several processes can write
// concurrently.
type Store struct{ dir string }

// NewStore stores grants in dir, which need not exist.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// maxGrant is the maximum file size.
const maxGrant = 1 << 20

// Load returns the grant for the server at this URL, or nil if there is none.
func (s *Store) Load(server string) (*Grant, error) {
	file, canonical, err := s.file(server)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the stored token: %w", err)
	case !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("stored token %s is readable by others; remove it", file)
	case info.Size() > maxGrant:
		return nil, fmt.Errorf("stored token %s has %d bytes; remove it", file, info.Size())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the stored token: %w", err)
	}
	g := &Grant{}
	if err := json.Unmarshal(text, g); err != nil {
		return nil, fmt.Errorf("cannot read stored token %s: %w; remove it", file, rawjson.Problem(text, err))
	}
	if g.Server != canonical || g.AccessToken == "" {
		return nil, fmt.Errorf("stored token %s is not for %s; remove it", file, canonical)
	}
	return g, nil
}

// Save stores a grant. When it returns, the file is complete or unchanged.
func (s *Store) Save(g *Grant) error {
	file, _, err := s.file(g.Server)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("store the token: %w", err)
	}
	if err := files.Replace(file, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("store the token: %w", err)
	}
	return nil
}

// Remove deletes the grant for a server and reports whether there was one.
func (s *Store) Remove(server string) (bool, error) {
	file, _, err := s.file(server)
	if err != nil {
		return false, err
	}
	err = os.Remove(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (s *Store) file(server string) (file, canonical string, err error) {
	canonical, err = Canonical(server)
	if err != nil {
		return "", "", err
	}
	sum := sha256.Sum256([]byte(canonical))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:])+".json"), canonical, nil
}
