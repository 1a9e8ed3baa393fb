package sdk

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A code is what an interpreter runs: a file, or a module by its name.
type code struct{ script, module string }

// pythonCode returns what the arguments of an interpreter make it run.
func pythonCode(args []string, dir string) code {
	if i := slices.Index(args, "-m"); i >= 0 && i+1 < len(args) {
		return code{module: args[i+1]}
	}
	return code{script: scriptOf(args, dir)}
}

// ofPython looks for the SDKs in the environment of an interpreter. A script that imports nothing which is installed there
// uses none of them. FastMCP installs the SDK, too: if both are there, the code or its distribution says which of them it
// uses, and otherwise it is not certain.
func ofPython(interpreter string, runs code) *SDK {
	if !filepath.IsAbs(interpreter) {
		return nil
	}
	prefix := filepath.Dir(filepath.Dir(interpreter))
	fast, base := distribution(prefix, "fastmcp", FastMCP), distribution(prefix, "mcp", Python)
	if runs.isSelfContained(prefix) {
		return nil
	}
	uses := runs.uses(prefix)
	if base != nil && base.major() >= 2 {
		base.handles(runs.handled())
	}
	switch {
	case fast == nil && base == nil:
		return nil
	case slices.Contains(uses, "fastmcp") && fast != nil:
		return fast
	case slices.Contains(uses, "mcp") && base != nil:
		return base
	case fast == nil:
		base.Certain = len(runs.imports()) == 0 // the code is not known
		return base
	}
	fast.Certain = base == nil && len(runs.imports()) == 0
	return fast
}

// sitePackages returns the files in the site-packages of an environment that match a pattern.
func sitePackages(prefix, pattern string) []string {
	var found []string
	for _, lib := range []string{"lib/python3*/site-packages", "Lib/site-packages"} {
		some, _ := filepath.Glob(filepath.Join(prefix, lib, pattern)) // the patterns are valid
		found = append(found, some...)
	}
	return found
}

// distribution returns the SDK that a distribution of an environment is; nil if it is not installed.
func distribution(prefix, name, sdk string) *SDK {
	found := sitePackages(prefix, name+"-*.dist-info")
	if len(found) == 0 {
		return nil
	}
	version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(slices.Max(found)), name+"-"), ".dist-info")
	return &SDK{Name: sdk, Version: version, Evidence: "the packages of the Python environment", Certain: true}
}

var (
	importLine  = regexp.MustCompile(`(?m)^[ \t]*(?:from|import)[ \t]+(\w+)`)
	requireLine = regexp.MustCompile(`(?mi)^Requires-Dist:[ \t]*([\w.-]+)`)
)

// uses returns the modules and distributions that the code names: those that a file imports, and those that the
// distributions of the imported modules require. A console script imports the module that it starts.
func (c code) uses(prefix string) []string {
	modules := []string{}
	if c.module != "" {
		first, _, _ := strings.Cut(c.module, ".")
		modules = append(modules, first)
	}
	modules = append(modules, c.imports()...)
	if slices.Contains(modules, "fastmcp") || slices.Contains(modules, "mcp") {
		return modules
	}
	uses := modules
	for _, module := range modules {
		for _, metadata := range sitePackages(prefix, module+"-*.dist-info/METADATA") {
			text, _ := readStart(metadata)
			for _, m := range requireLine.FindAllStringSubmatch(text, -1) {
				uses = append(uses, strings.ToLower(m[1]))
			}
		}
	}
	return uses
}

// maxFiles is how many files of a script are read.
const maxFiles = 30

// imports returns the modules that a script imports, and those that the modules beside it import.
func (c code) imports() []string {
	all, _ := c.read()
	return all
}

// handled returns the methods that a script and the modules beside it handle themselves.
func (c code) handled() map[string]bool {
	_, handled := c.read()
	return handled
}

// read reads a script and the modules beside it.
func (c code) read() (all []string, handled map[string]bool) {
	handled = map[string]bool{}
	files := []string{c.script}
	for i := 0; i < len(files) && i < maxFiles; i++ {
		text, _ := readStart(files[i]) // nothing is known without it
		addHandled(handled, pythonHandler().FindAllStringSubmatch(text, -1))
		for _, m := range importLine.FindAllStringSubmatch(text, -1) {
			if slices.Contains(all, m[1]) {
				continue
			}
			all = append(all, m[1])
			beside := filepath.Join(filepath.Dir(c.script), m[1])
			files = append(files, beside+".py", filepath.Join(beside, "__init__.py"))
		}
	}
	return all, handled
}

// isSelfContained reports whether a script can be read, and nothing that it imports is installed in the environment.
func (c code) isSelfContained(prefix string) bool {
	modules := c.imports()
	return len(modules) > 0 && !slices.ContainsFunc(modules, func(module string) bool {
		return len(sitePackages(prefix, module)) > 0 || len(sitePackages(prefix, module+".*")) > 0 ||
			len(sitePackages(prefix, module+"-*.dist-info")) > 0
	})
}

// readStart reads the first 256 KiB of a file.
func readStart(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text := make([]byte, 256<<10)
	n, err := file.Read(text)
	return string(text[:n]), err
}
