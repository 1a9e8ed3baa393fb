package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// The limits for copies.
const (
	maxCopiedFiles = 10_000
	maxCopiedBytes = 100 << 20
)

// directory creates a temporary directory with its initial content.
func (a *activeFixture) directory(d *Directory, base string, in scope) (err error) {
	path, err := os.MkdirTemp("", "mcptest-fixture-")
	if err != nil {
		return err
	}
	a.end = func() { _ = os.RemoveAll(path) } // one that cannot be removed is left to the system
	defer func() {
		if err != nil {
			a.end()
		}
	}()
	real, err := filepath.EvalSymlinks(path) // servers compare paths with the ones that they were given
	if err != nil {
		return err
	}
	a.value = quoted(real)
	if err := copyInto(real, d.Copy, base, in); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(d.Files)) {
		text, err := in.Text(d.Files[name])
		if err != nil {
			return err
		}
		if err := writeInto(real, filepath.FromSlash(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func writeInto(dir, name string, data []byte, mode fs.FileMode) error {
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, data, mode)
}

// copyInto copies the files of a directory. Symbolic links are not copied: they could lead out of it.
func copyInto(to, from, base string, in scope) error {
	if from == "" {
		return nil
	}
	from, err := in.Text(from)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(from) {
		from = filepath.Join(base, from)
	}
	files, bytes := 0, int64(0)
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("copy: directory not found: %s", from)
		case err != nil:
			return err
		case path == from && !d.IsDir():
			return fmt.Errorf("copy: %s is not a directory", from)
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		files++
		if bytes += info.Size(); files > maxCopiedFiles || bytes > maxCopiedBytes {
			return fmt.Errorf("copy: %s has more than %d files or %d MiB", from, maxCopiedFiles, maxCopiedBytes>>20)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return writeInto(to, name, data, info.Mode().Perm()|0o600) // programs stay executable
	})
}
