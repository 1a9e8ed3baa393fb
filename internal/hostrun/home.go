package hostrun

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A home is the temporary folder of a run.
type home struct{ root string }

// newHome creates the folder. Its path is short: the path of a socket is limited to about 100 characters.
func newHome() (*home, error) {
	root, err := os.MkdirTemp("", "mcptest-host-")
	if err != nil {
		return nil, err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	h := &home{root}
	for _, dir := range []string{h.dir(), h.work(), h.temp()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			_ = h.remove()
			return nil, err
		}
	}
	return h, nil
}

func (h *home) dir() string  { return filepath.Join(h.root, "home") }
func (h *home) work() string { return filepath.Join(h.root, "work") }
func (h *home) temp() string { return filepath.Join(h.root, "tmp") }

// socket returns the path of a socket.
func (h *home) socket(name string) string { return filepath.Join(h.root, name) }

// write writes the config files.
func (h *home) write(files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(h.dir(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// environment returns the whole environment of a host: the path of programs and the locale of the user, and nothing
// else of theirs.
func (h *home) environment(more []string) []string {
	own := []string{"HOME=" + h.dir(), "TMPDIR=" + h.temp(), "TMP=" + h.temp(), "TEMP=" + h.temp(),
		"USERPROFILE=" + h.dir(), "APPDATA=" + filepath.Join(h.dir(), "AppData"),
		"LOCALAPPDATA=" + filepath.Join(h.dir(), "AppData"), "TERM=dumb", "NO_COLOR=1", "CI=1", "NO_PROXY=*"}
	env := slices.Concat(own, more)
	for _, pair := range wire.BaseEnv() {
		name, _, _ := strings.Cut(pair, "=")
		if !slices.ContainsFunc(env, func(set string) bool {
			return strings.EqualFold(set[:strings.Index(set, "=")], name)
		}) {
			env = append(env, pair)
		}
	}
	return env
}

// remove deletes the folder. Programs that have just been killed may still create files.
func (h *home) remove() error {
	var err error
	for range 10 {
		if err = os.RemoveAll(h.root); err == nil {
			return nil
		}
		_ = filepath.WalkDir(h.root, func(path string, d os.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(path, 0o700)
			}
			return nil
		})
		time.Sleep(100 * time.Millisecond)
	}
	return err
}
