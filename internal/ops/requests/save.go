package requests

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A saver saves binary content as files. It generates their names: names from a server are never used as a
// path.
type saver struct {
	dir   string
	root  *os.Root
	files []string // the saved files
	err   error
}

// newSaver opens the directory, and creates it if necessary. Without a directory, nothing is saved.
func newSaver(w *workbench.Workbench, dir string) (*saver, error) {
	s := &saver{dir: dir}
	if dir == "" {
		return s, nil
	}
	if err := w.MayUseFiles(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: "{--save}: directory is not writable"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: "{--save}: directory is not writable"}
	}
	s.root = root
	return s, nil
}

// block saves the binary content of a block, if it has any.
func (s *saver) block(block json.RawMessage) {
	switch kind := schema.TextAt(block, "/type"); kind {
	case "image", "audio":
		s.save(kind, schema.TextAt(block, "/mimeType"), schema.TextAt(block, "/data"))
	case "resource":
		resource, _ := schema.Get(block, "/resource")
		s.resource(resource)
	}
}

// resource saves resource contents that are not text.
func (s *saver) resource(resource json.RawMessage) {
	if _, isText := schema.Get(resource, "/text"); !isText {
		s.save("resource", schema.TextAt(resource, "/mimeType"), schema.TextAt(resource, "/blob"))
	}
}

// save writes the content, unless saving is disabled or it is not base64. The first write error is stored.
func (s *saver) save(kind, mimeType, data string) {
	content, err := base64.StdEncoding.DecodeString(data)
	if s.root == nil || err != nil {
		return
	}
	name := fileName(kind, mimeType, content)
	if err := s.root.WriteFile(name, content, 0o644); err != nil {
		s.err = cmp.Or(s.err, fmt.Errorf("save %s: %w", filepath.Join(s.dir, name), err))
		return
	}
	if !slices.Contains(s.files, name) {
		s.files = append(s.files, name)
	}
}

// saved returns the path of a saved file.
func (s *saver) saved(name string) (string, bool) {
	return filepath.Join(s.dir, name), slices.Contains(s.files, name)
}

// remarks lists what was saved, and what could not be.
func (s *saver) remarks() []string {
	var all []string
	for _, name := range s.files {
		all = append(all, "saved as "+filepath.Join(s.dir, name))
	}
	if s.err != nil {
		all = append(all, "✗ "+s.err.Error())
	}
	return all
}

// fileName returns the name of the file for a piece of content.
func fileName(kind, mimeType string, content []byte) string {
	return fmt.Sprintf("%s-%.4x%s", kind, sha256.Sum256(content), extension(mimeType))
}

// extension returns the usual file extension for a type.
func extension(mimeType string) string {
	known := map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/svg+xml": ".svg",
		"image/webp": ".webp", "audio/wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg",
		"application/pdf":  ".pdf",
		"application/json": ".json", "text/plain": ".txt", "application/gzip": ".gz"}
	kind, _, err := mime.ParseMediaType(mimeType)
	if ext, ok := known[kind]; ok && err == nil {
		return ext
	}
	return ".bin"
}
