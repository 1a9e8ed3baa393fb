package sdk

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Installed recognizes the SDK from the files of the command that starts the server: the modules of a Go program, the
// node_modules above a script, the site-packages of a Python environment. It runs nothing, and returns nil if the files
// do not identify the SDK.
func Installed(command []string, dir string) *SDK {
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
		return ofPython(program)
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
		return ofPython(interpreter)
	case strings.Contains(interpreter, "node"):
		return ofNode(program)
	}
	return nil
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
			Evidence: "build information of the program", Certain: true}
	}
	return found
}

// nodePackages are the packages of SDKs, those built on others first.
var nodePackages = []struct{ path, name string }{
	{"fastmcp", FastMCPNode}, {"mcp-framework", MCPFramework}, {"mcp-lite", MCPLite},
	{"@modelcontextprotocol/server", TypeScript2}, {"@modelcontextprotocol/sdk", TypeScript},
}

// ofNode looks for the packages in the node_modules folders above a script, nearest first, as Node does.
func ofNode(script string) *SDK {
	for dir := filepath.Dir(script); ; dir = filepath.Dir(dir) {
		for _, p := range nodePackages {
			raw, err := os.ReadFile(filepath.Join(dir, "node_modules", p.path, "package.json"))
			var manifest struct{ Version string }
			if err == nil && json.Unmarshal(raw, &manifest) == nil {
				return &SDK{Name: p.name, Version: manifest.Version, Evidence: "package.json in node_modules",
					Certain: true}
			}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// ofPython looks for the distributions in the environment of an interpreter.
func ofPython(interpreter string) *SDK {
	if !filepath.IsAbs(interpreter) {
		return nil
	}
	prefix := filepath.Dir(filepath.Dir(interpreter))
	for _, p := range []struct{ distribution, name string }{{"fastmcp", FastMCP}, {"mcp", Python}} {
		var found []string
		for _, lib := range []string{"lib/python3*/site-packages", "Lib/site-packages"} {
			some, _ := filepath.Glob(filepath.Join(prefix, lib, p.distribution+"-*.dist-info"))
			found = append(found, some...)
		}
		if len(found) > 0 {
			version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(slices.Max(found)), p.distribution+"-"),
				".dist-info")
			return &SDK{Name: p.name, Version: version, Evidence: "installed in the Python environment", Certain: true}
		}
	}
	return nil
}
