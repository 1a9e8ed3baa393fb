package sdk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// maxScript is the size of a script that is read. A longer one is taken for a bundle, which contains its packages.
const maxScript = 100 << 10

// scriptImports are the packages that a script imports, and those that the files import that it consists of.
type scriptImports struct {
	packages map[string]bool // without the parts of Node
	complete bool            // all of these files have been read
}

var nodeImport = lazyregexp.New(`\b(?:from|import|require)\s*\(?\s*["'` + "`" + `]([^"'` + "`" + `\s]+)["'` + "`" + `]`)

// nodeImports reads a script and the files that it imports.
func nodeImports(script string) scriptImports {
	found := scriptImports{packages: map[string]bool{}, complete: true}
	files := []string{script}
	seen := map[string]bool{script: true}
	for i := 0; i < len(files); i++ {
		info, err := os.Stat(files[i])
		if i == maxFiles || err != nil || info.Size() > maxScript {
			found.complete = false
			return found
		}
		text, err := readStart(files[i])
		if err != nil && info.Size() > 0 {
			found.complete = false
			return found
		}
		for _, m := range nodeImport().FindAllStringSubmatch(text, -1) {
			name := m[1]
			switch {
			case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/"):
				file := moduleFile(filepath.Dir(files[i]), name)
				if file == "" {
					found.complete = false
				} else if !seen[file] {
					seen[file] = true
					files = append(files, file)
				}
			case !isPartOfNode(name):
				found.packages[packageName(name)] = true
			}
		}
	}
	return found
}

// moduleFile returns the file of a relative import; "" if there is none. TypeScript names the file that it compiles to.
func moduleFile(dir, name string) string {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	without := strings.TrimSuffix(path, filepath.Ext(path))
	for _, file := range []string{path, path + ".js", path + ".mjs", path + ".cjs", path + ".ts", path + ".json", without + ".ts",
		without + ".mts", filepath.Join(path, "index.js"), filepath.Join(path, "index.ts")} {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// packageName is the package of an imported path: "@scope/name" of "@scope/name/part".
func packageName(path string) string {
	parts := strings.SplitN(path, "/", 3)
	if strings.HasPrefix(path, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// isPartOfNode reports whether an import names a part of Node.
func isPartOfNode(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.HasPrefix(name, "node:") || slices.Contains(nodeParts, first)
}

// nodeParts are the parts of Node that a script may import without the prefix "node:".
var nodeParts = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram
	diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode
	querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib`)
