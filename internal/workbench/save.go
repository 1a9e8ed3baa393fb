package workbench

import (
	"crypto/sha256"
	"fmt"
	"mime"
	"os"
	"path/filepath"
)

// A saver keeps binary content as files. Their names are ours: what a server calls its content never becomes a path.
type saver struct {
	dir  string
	root *os.Root
	err  error
}

// newSaver opens the directory, and makes it if need be. Without one, nothing is saved.
func newSaver(dir string) (*saver, error) {
	s := &saver{dir: dir}
	if dir == "" {
		return s, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &UsageError{Message: err.Error(), Hint: "--save wants a directory that can be written to"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &UsageError{Message: err.Error(), Hint: "--save wants a directory that can be written to"}
	}
	s.root = root
	return s, nil
}

// save writes the content and returns its path, or "" if nothing is to be saved.
func (s *saver) save(kind, mimeType string, content []byte) string {
	if s.root == nil {
		return ""
	}
	name := fmt.Sprintf("%s-%.4x%s", kind, sha256.Sum256(content), extension(mimeType))
	if err := s.root.WriteFile(name, content, 0o644); err != nil {
		s.err = err
		return ""
	}
	return filepath.Join(s.dir, name)
}

// extension is the usual ending of files of a type.
func extension(mimeType string) string {
	known := map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/svg+xml": ".svg",
		"image/webp": ".webp", "audio/wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "application/pdf": ".pdf",
		"application/json": ".json", "text/plain": ".txt", "application/gzip": ".gz"}
	kind, _, err := mime.ParseMediaType(mimeType)
	if ext, ok := known[kind]; ok && err == nil {
		return ext
	}
	return ".bin"
}
