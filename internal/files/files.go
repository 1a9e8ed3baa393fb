// Package files writes files atomically.
package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file atomically and durably: a reader sees the old content or the new content, never a part, and a
// failure leaves the old content. Until the rename, only the owner can read the new content. Errors name path, not
// the temporary file, which the user does not know.
func Replace(path string, content []byte, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".mcptest-*")
	if err != nil {
		return about(path, err)
	}
	defer os.Remove(temp.Name()) // no longer exists after the rename
	_, err = temp.Write(content)
	if err := errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close()); err != nil {
		return about(path, err)
	}
	return about(path, os.Rename(temp.Name(), path))
}

// about returns an error with the path that the caller named.
func about(path string, err error) error {
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	return err
}
