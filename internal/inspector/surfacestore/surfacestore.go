// Package surfacestore remembers what servers offered when the user last looked at them in the page.
package surfacestore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	engine "github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/files"
)

// Limits of the surface store.
const (
	maxSurfaceBytes = 8 << 20 // of one server; larger definitions are not stored
	maxSurfaces     = 100     // the servers that were not used for the longest time are removed first
)

// A Store remembers what each server offered, in files that only the user can read.
type Store struct {
	Dir string // empty stores nothing
}

// A Surface is what a server offered when the user last looked at it. Lists that the page has not read are
// absent. It contains no secrets that mcptest knows.
type Surface struct {
	At           time.Time                    `json:"at"`
	Name         string                       `json:"name,omitempty"`
	Version      string                       `json:"version,omitempty"`
	Protocol     string                       `json:"protocol,omitempty"`
	Instructions string                       `json:"instructions,omitempty"`
	Capabilities json.RawMessage              `json:"capabilities,omitempty"`
	Lists        map[string][]json.RawMessage `json:"lists"` // by kind, such as tools
}

// Key identifies a server: where it is configured, and its address.
func Key(server, address string) string {
	sum := sha256.Sum256([]byte(server + "\n" + address))
	return hex.EncodeToString(sum[:12])
}

// Read returns nil if nothing usable is stored.
func (s *Store) Read(key string) *Surface {
	path := s.file(key)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSurfaceBytes ||
		runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	stored := &Surface{}
	if json.Unmarshal(text, stored) != nil {
		return nil
	}
	return stored
}

// Write stores a surface. The page works without it, so that an error has no consequence but a missing comparison.
func (s *Store) Write(key string, surface *Surface) error {
	text, err := json.Marshal(surface)
	if err != nil || len(text) > maxSurfaceBytes {
		return errors.Join(err, s.Remove(key))
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if err := files.Replace(s.file(key), text, 0o600); err != nil {
		return err
	}
	return s.prune()
}

func (s *Store) Remove(key string) error {
	if err := os.Remove(s.file(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// prune removes the oldest files over the limit.
func (s *Store) prune() error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) <= maxSurfaces {
		return err
	}
	written := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			written[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return written[a.Name()].Compare(written[b.Name()]) })
	for _, e := range entries[:len(entries)-maxSurfaces] {
		err = errors.Join(err, s.Remove(strings.TrimSuffix(e.Name(), ".json")))
	}
	return err
}

func (s *Store) file(key string) string { return filepath.Join(s.Dir, key+".json") }

// With returns the surface with everything that is known of a later one.
func (s *Surface) With(later *Surface) *Surface {
	out := *later
	out.Lists = map[string][]json.RawMessage{}
	for _, lists := range []map[string][]json.RawMessage{s.Lists, later.Lists} {
		for kind, list := range lists {
			out.Lists[kind] = list
		}
	}
	return &out
}

// Compare lists the differences in what both surfaces know.
func (s *Surface) Compare(later *Surface) *engine.Diff {
	both := func(kind string) bool { return s.Lists[kind] != nil && later.Lists[kind] != nil }
	surface := func(of *Surface) *engine.Surface {
		out := &engine.Surface{Name: of.Name, Version: of.Version, Protocol: of.Protocol,
			Instructions: of.Instructions, Capabilities: of.Capabilities, Unordered: true}
		for kind, into := range map[string]*[]json.RawMessage{"tools": &out.Tools, "prompts": &out.Prompts,
			"resources": &out.Resources, "templates": &out.Templates} {
			if both(kind) {
				*into = of.Lists[kind]
			}
		}
		return out
	}
	d := engine.Compare(surface(s), surface(later))
	d.OmitCosmetic()
	return d
}
