package engines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// definitions reads what schema-lint checks: tools, and from files also resources and skills.
func definitions(ctx context.Context, w *workbench.Workbench, in *LintInput) (*ToolSource, error) {
	if folder, ok := skillFolder(w, in.Target); ok {
		return skillsOf(w, in, folder)
	}
	if file, ok := CatalogFile(w, in.Target); ok && !in.Fix {
		return toolsOfFile(w, in, file, lint.ReadDefinitions)
	}
	return Tools(ctx, w, in)
}

// skillFolder distinguishes a folder with skills, or a SKILL.md, from a server name and from other files.
func skillFolder(w *workbench.Workbench, target string) (string, bool) {
	if _, builtin := w.Builtins[target]; builtin || !w.Grants.Files || target == "" || strings.Contains(target, "://") {
		return "", false
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return "", false
	case info.IsDir() && strings.ContainsAny(target, `/\\.`):
		return target, true // written as a path
	case info.IsDir():
		found, _ := filepath.Glob(filepath.Join(target, "*", skills.File))
		_, err := os.Stat(filepath.Join(target, skills.File))
		return target, err == nil || len(found) > 0
	}
	return filepath.Dir(target), filepath.Base(target) == skills.File
}

// skillsOf reads the skills of a folder. Links do not lead out of it.
func skillsOf(w *workbench.Workbench, in *LintInput, folder string) (*ToolSource, error) {
	if err := w.MayUseFiles(); err != nil {
		return nil, err
	}
	if in.Fix {
		return nil, &workbench.UsageError{Message: "--fix requires tools, but the target is a folder with skills",
			Hint: "remove {--fix}"}
	}
	if flags := ofServer(&in.Connection); len(flags) > 0 {
		w.Event(workbench.Event{Notice: fmt.Sprintf("%s is a folder: ignored %s", folder, strings.Join(flags, ", "))})
	}
	whole, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	defer root.Close()
	catalog, err := lint.ReadSkills(root.FS(), filepath.ToSlash(folder), filepath.Base(whole))
	if errors.Is(err, lint.ErrNoSkills) {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s: %v", folder, err),
			Hint: "pass the folder of a skill, the folder that contains skills, or a file with a captured tools/list"}
	}
	if err != nil {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s: %v", folder, err)}
	}
	return &ToolSource{Catalog: catalog, file: folder}, nil
}
