package sdk

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Installed recognizes the SDK from the files of the command that starts the server: the modules of a Go program, the
// packages that the package of a script declares, the site-packages of a Python environment. It runs nothing, and
// returns nil if the files do not identify the SDK.
func Installed(command []string, dir string) *SDK {
	command = withoutEnv(command)
	if len(command) == 0 {
		return nil
	}
	program, err := exec.LookPath(absolute(command[0], dir))
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(program); err == nil && !isInterpreter(program) {
		program = real
	}
	switch {
	case isInterpreter(program) && strings.HasPrefix(filepath.Base(program), "python"):
		return ofPython(program, pythonCode(command[1:], dir))
	case isInterpreter(program):
		if script := scriptOf(command[1:], dir); script != "" {
			return ofNode(script)
		}
		return nil
	}
	if found := ofGo(program); found != nil {
		return found
	}
	switch interpreter := shebang(program); {
	case strings.Contains(interpreter, "python"):
		return ofPython(interpreter, code{script: program})
	case strings.Contains(interpreter, "node"):
		return ofNode(program)
	}
	return nil
}

// withoutEnv returns the command that env runs with some variables, or the command itself.
func withoutEnv(command []string) []string {
	if len(command) == 0 || filepath.Base(command[0]) != "env" {
		return command
	}
	rest := command[1:]
	for len(rest) > 0 && strings.Contains(rest[0], "=") && !strings.HasPrefix(rest[0], "-") {
		rest = rest[1:]
	}
	return rest
}

func absolute(path, dir string) string {
	if filepath.IsAbs(path) || !strings.ContainsRune(path, filepath.Separator) {
		return path
	}
	return filepath.Join(dir, path)
}

// isInterpreter reports whether a program runs scripts: node, bun, deno, python, python3.13.
func isInterpreter(program string) bool {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	return name == "node" || name == "bun" || name == "deno" || strings.HasPrefix(name, "python")
}

// scriptOf returns the first argument that is a file.
func scriptOf(args []string, dir string) string {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		script := arg
		if !filepath.IsAbs(script) {
			script = filepath.Join(dir, script)
		}
		if real, err := filepath.EvalSymlinks(script); err == nil {
			return real
		}
	}
	return ""
}

// shebang returns the interpreter that the first line of a script names.
func shebang(program string) string {
	file, err := os.Open(program)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, 256)
	n, _ := file.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if !strings.HasPrefix(line, "#!") || len(words) == 0 {
		return ""
	}
	return words[len(words)-1] // in "/usr/bin/env node", the last part names it
}

// ofGo reads the modules that a Go program is built from.
func ofGo(program string) *SDK {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil
	}
	var found *SDK
	for _, module := range append(info.Deps, &info.Main) {
		name, known := map[string]string{"github.com/modelcontextprotocol/go-sdk": Go,
			"github.com/mark3labs/mcp-go": MCPGo}[module.Path]
		if !known {
			continue
		}
		if found != nil {
			return nil // either may be the one that runs the server
		}
		found = &SDK{Name: name, Version: strings.TrimPrefix(module.Version, "v"),
			Evidence: "the build information of the program", Certain: true}
	}
	return found
}
