package workbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/internal/files"
)

// maxFile is the maximum size of a suite, a report or another mcptest file.
const maxFile = 64 << 20

// readFile reads a suite, a report or another mcptest file, up to the size limit.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: %d bytes, expected at most %d", path, info.Size(), maxFile)
	}
	return os.ReadFile(path)
}

// WriteFile writes a file atomically: a reader sees the old one or the new one. A link, a pipe or a device such
// as /dev/stdout is written to, never replaced. A link to a file in another folder is rejected: a repository could
// contain one that leads to a file of the user.
func WriteFile(path string, data []byte) error {
	var err error
	switch info, missing := os.Lstat(path); {
	case missing != nil || info.Mode().IsRegular():
		err = files.Replace(path, data, 0o644)
	case info.Mode()&fs.ModeSymlink != 0 && !isDevice(path):
		err = writeLinked(path, data)
	default:
		return os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, Cause(err))
	}
	return nil
}

// isDevice reports whether a path leads to something else than a file, or is in the folder of devices, such as
// /dev/stdout, which may lead to a file.
func isDevice(path string) bool {
	if full, err := filepath.Abs(path); err == nil && (filepath.Dir(full) == "/dev" || filepath.Dir(full) == "/dev/fd") {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// writeLinked writes to the file that a link leads to, if that is in the folder of the link.
func writeLinked(path string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.WriteFile(filepath.Base(path), data, 0o644); err != nil {
		to, _ := os.Readlink(path)
		return fmt.Errorf("it is a link to %s: %w", to, Cause(err))
	}
	return nil
}

// Cause removes the path from an error whose message names it already.
func Cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// FileProblem returns the file and what is wrong with it, without the name of the system call.
func FileProblem(err error) string {
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Path + ": " + file.Err.Error()
	}
	return err.Error()
}

// ReplaceFile replaces the content of a file and keeps its mode. A file that is not writable is not changed.
func ReplaceFile(name string, content []byte) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return &os.PathError{Op: "write", Path: name, Err: os.ErrPermission}
	}
	return files.Replace(path, content, info.Mode().Perm())
}

// StrictJSON decodes and rejects unknown fields.
func StrictJSON(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}
