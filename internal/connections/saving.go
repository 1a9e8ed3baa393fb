package connections

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Limits of a saved file: the user must be able to read it in a question.
const (
	maxSavedName = 200
	maxSavedText = 16_000
)

// A SavedFile is a YAML file below the working folder that an assistant asks to write.
type SavedFile struct {
	Name    string // relative, with slashes
	Text    string
	Replace bool // an existing file is replaced
}

// Save writes a file after the user has seen its whole content and agreed. Nothing is looked at before.
func (d *Set) Save(ctx context.Context, f SavedFile) (written string, err error) {
	if err := f.check(); err != nil {
		return "", err
	}
	dir := d.bench.System.Dir
	written = filepath.Join(dir, filepath.FromSlash(f.Name))
	if d.policy.NoSpawn {
		return "", &RefusedError{Message: "no file is written for callers over HTTP",
			Hint: "show the suite to the user, who can save it"}
	}
	request := f.request(written)
	if !d.grants.granted(ctx, request.ID) {
		return "", &RefusedError{Message: "the user has not allowed to write this file", Request: request,
			Hint: "show the suite to the user, who can save it, and run it with mcptest run FILE"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("open the working folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	return written, f.write(root)
}

// check rejects names by their text alone.
func (f SavedFile) check() error {
	wrong := func(message string) error {
		return &workbench.UsageError{Message: "file: " + message, Hint: "use a name such as tests/mcptest.yaml"}
	}
	switch {
	case len(f.Name) > maxSavedName || report.Line(f.Name) != f.Name:
		return wrong("the name is too long, or has characters that are not visible")
	case !filepath.IsLocal(filepath.FromSlash(f.Name)) || strings.ContainsAny(f.Name, `\:`) ||
		path.Clean(f.Name) != f.Name:
		return wrong("expected a path below the working folder")
	case path.Ext(f.Name) != ".yaml" && path.Ext(f.Name) != ".yml":
		return wrong("expected the extension .yaml or .yml")
	case strings.HasPrefix(f.Name, ".") || strings.Contains(f.Name, "/."):
		return wrong("hidden files and folders are not allowed") // hooks and workflows are in such folders
	case !utf8.ValidString(f.Text) || utf8.RuneCountInString(f.Text) > maxSavedText:
		return &workbench.UsageError{Message: fmt.Sprintf("the suite has more than %d characters", maxSavedText),
			Hint: "save it as several suites"}
	}
	return nil
}

func (f SavedFile) request(file string) *workbench.GrantRequest {
	existing := "is not replaced"
	if f.Replace {
		existing = "is replaced"
	}
	lines := []target.PermissionLine{{Label: "file", Value: file}, {Label: "existing file", Value: existing}}
	for number, text := range strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n") {
		lines = append(lines, target.PermissionLine{Label: fmt.Sprintf("%4d", number+1), Value: report.Line(text)})
	}
	return &workbench.GrantRequest{ID: target.GrantID("save", file, existing, f.Text), What: "save this suite",
		Lines: lines}
}

// write writes the file inside root. A link in the name is not followed.
func (f SavedFile) write(root *os.Root) error {
	for i, c := range f.Name {
		if c != '/' {
			continue
		}
		if err := root.Mkdir(f.Name[:i], 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("create folder %s: %w", f.Name[:i], workbench.Cause(err))
		}
		if info, err := root.Lstat(f.Name[:i]); err != nil || !info.IsDir() {
			return &workbench.UsageError{Message: f.Name[:i] + " is a link or not a folder", Hint: "use another folder"}
		}
	}
	info, err := root.Lstat(f.Name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return &workbench.UsageError{Message: f.Name + " is a link or not a file", Hint: "use another name"}
	case err == nil && !f.Replace:
		return &workbench.UsageError{Message: f.Name + " already exists", Hint: "use another name, or set replace"}
	case err == nil:
		fresh := f.Name + "." + rand.Text()
		if err := create(root, fresh, f.Text); err != nil {
			return err
		}
		if err := root.Rename(fresh, f.Name); err != nil {
			_ = root.Remove(fresh)
			return fmt.Errorf("replace %s: %w", f.Name, workbench.Cause(err))
		}
		return nil
	}
	return create(root, f.Name, f.Text)
}

// create writes a new file. A link that appears meanwhile is an existing file.
func create(root *os.Root, name, text string) error {
	out, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, workbench.Cause(err))
	}
	_, err = out.WriteString(text)
	if err = errors.Join(err, out.Close()); err != nil {
		_ = root.Remove(name)
		return fmt.Errorf("write %s: %w", name, workbench.Cause(err))
	}
	return nil
}
