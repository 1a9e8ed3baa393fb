package target

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// findCommand returns the command for a script, a program or the project in a folder, and the directory to start it
// in. Links are resolved, so that the command names what is started.
func findCommand(sys System, given string) (command []string, dir string, err error) {
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, "", &Error{Message: fmt.Sprintf("there is no file or folder %s", given),
			Hint: "check the path; put a path with spaces in quotes"}
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, "", &Error{Message: fmt.Sprintf("cannot read %s", given), Hint: "check the permissions of the file"}
	}
	if info.IsDir() {
		command, dir = folderCommand(sys, real), real
	} else if info.Mode().IsRegular() {
		command, dir = fileCommand(sys, real, info.Mode()), sys.Dir
	}
	if command == nil {
		return nil, "", &Error{Message: fmt.Sprintf("unknown how to start a server from %s", given),
			Hint: "pass the whole command, such as: node server.js"}
	}
	return command, dir, nil
}

// fileCommand returns the command for a script by its extension, or for a program.
func fileCommand(sys System, file string, mode fs.FileMode) []string {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".py":
		return []string{python(sys, filepath.Dir(file)), file}
	case ".ts", ".mts":
		return []string{typeScript(sys, filepath.Dir(file)), file}
	default:
		if start := scriptCommands[ext]; start != nil {
			return append(slices.Clone(start), file)
		}
	}
	if mode&0o111 != 0 || sys.GOOS == "windows" && strings.EqualFold(filepath.Ext(file), ".exe") {
		return []string{file}
	}
	return nil
}

// python returns the interpreter of the virtual environment of the project, or that of the system.
func python(sys System, dir string) string {
	own := filepath.Join("bin", "python")
	if sys.GOOS == "windows" {
		own = filepath.Join("Scripts", "python.exe")
	}
	if found := above(dir, filepath.Join(".venv", own), filepath.Join("venv", own)); found != "" {
		return found
	}
	if _, err := sys.LookPath("python3"); err != nil {
		return "python"
	}
	return "python3"
}

// typeScript returns tsx of the project if it is installed. Otherwise Node removes the types itself.
func typeScript(sys System, dir string) string {
	if sys.GOOS != "windows" {
		if found := above(dir, filepath.Join("node_modules", ".bin", "tsx")); found != "" {
			return found
		}
	}
	return "node"
}

// above finds the first of the files in a folder or in those above it, up to the root of the project.
func above(dir string, names ...string) string {
	for {
		for _, name := range names {
			if file := filepath.Join(dir, name); isFile(file) {
				return file
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir || slices.ContainsFunc([]string{"pyproject.toml", "package.json", ".git"},
			func(name string) bool { _, err := os.Lstat(filepath.Join(dir, name)); return err == nil }) {
			return ""
		}
		dir = parent
	}
}

// folderCommand returns the command for the project in a folder; nil if it is not clear.
func folderCommand(sys System, dir string) []string {
	switch {
	case isFile(filepath.Join(dir, "go.mod")):
		return goCommand(dir)
	case isFile(filepath.Join(dir, "package.json")):
		return packageCommand(sys, dir)
	case isFile(filepath.Join(dir, "pyproject.toml")):
		return projectCommand(sys, dir)
	}
	return nil
}

// goCommand runs the program in the folder, or the only one in cmd.
func goCommand(dir string) []string {
	files, _ := fs.Glob(os.DirFS(dir), "*.go") // the patterns are valid
	if slices.ContainsFunc(files, func(file string) bool { return isMain(filepath.Join(dir, file)) }) {
		return []string{"go", "run", "."}
	}
	if programs, _ := fs.Glob(os.DirFS(dir), "cmd/*/main.go"); len(programs) == 1 {
		return []string{"go", "run", "./" + path.Dir(programs[0])}
	}
	return nil
}

var mainClause = lazyregexp.New(`(?m)^package main\b`)

func isMain(file string) bool {
	text, err := config.ReadRegular(file)
	return err == nil && mainClause().Match(text)
}

// packageCommand returns the program of a Node package, or its start script if that is one command.
func packageCommand(sys System, dir string) []string {
	var p struct {
		Main    string
		Bin     json.RawMessage
		Scripts map[string]string
	}
	text, err := config.ReadRegular(filepath.Join(dir, "package.json"))
	if err != nil || json.Unmarshal(text, &p) != nil {
		return nil
	}
	var bin string
	var bins map[string]string
	if json.Unmarshal(p.Bin, &bin) != nil && json.Unmarshal(p.Bin, &bins) == nil && len(bins) == 1 {
		bin = slices.Collect(maps.Values(bins))[0]
	}
	for _, script := range []string{bin, p.Main} {
		if file := realFile(filepath.Join(dir, script)); file != "" {
			if command := fileCommand(sys, file, 0); command != nil {
				return command
			}
		}
	}
	words, err := splitCommand(p.Scripts["start"], sys.GOOS == "windows")
	if err != nil || checkProgram(words[0]) != nil {
		return nil
	}
	if own := filepath.Join(dir, "node_modules", ".bin", words[0]); filepath.IsLocal(words[0]) && isFile(own) {
		words[0] = own
	}
	return words
}

var projectScript = lazyregexp.New(`^\s*["']?([\w.-]+)["']?\s*=\s*["'][\w.]+:[\w.]+["']\s*(#.*)?$`)

// projectCommand returns the installed script of a Python project, or its usual file.
func projectCommand(sys System, dir string) []string {
	text, err := config.ReadRegular(filepath.Join(dir, "pyproject.toml"))
	if err != nil {
		return nil
	}
	interpreter, section := python(sys, dir), ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
		} else if m := projectScript().FindStringSubmatch(line); m != nil && section == "[project.scripts]" {
			if own := filepath.Join(filepath.Dir(interpreter), m[1]); filepath.IsAbs(own) && isFile(own) {
				return []string{own}
			}
		}
	}
	for _, script := range []string{"server.py", "main.py", "app.py", "__main__.py"} {
		if file := realFile(filepath.Join(dir, script)); file != "" {
			return []string{interpreter, file}
		}
	}
	return nil
}

// realFile returns the file that a path leads to; empty if it is not a file.
func realFile(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !isFile(real) {
		return ""
	}
	return real
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
