package sdk

import (
	"maps"
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
	handled  map[string]bool // the methods that these files handle themselves
	complete bool            // all of these files have been read
}

var nodeImport = lazyregexp.New(`\b(?:from|import|require)\s*\(?\s*["'` + "`" + `]([^"'` + "`" + `\s]+)["'` + "`" + `]`)

// nodeImports reads a script and the files that it imports.
func nodeImports(script string) scriptImports {
	found := scriptImports{packages: map[string]bool{}, handled: map[string]bool{}, complete: true}
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
		addHandled(found.handled, nodeHandler().FindAllStringSubmatch(text, -1))
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

// mayUse reports whether one of the imported packages is that of an SDK or depends on it, as far as can be seen: a package
// whose package.json is not found may.
func (i scriptImports) mayUse(script, sdk string) bool {
	names := slices.Collect(maps.Keys(i.packages))
	seen := map[string]bool{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		p := packageFor(script, name)
		if name == sdk || p == nil || len(seen) > maxPackages {
			return true
		}
		names = slices.AppendSeq(names, maps.Keys(p.Dependencies))
		names = slices.AppendSeq(names, maps.Keys(p.PeerDependencies))
	}
	return false
}

// maxPackages is how many packages are followed from one to those that it depends on.
const maxPackages = 500

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
