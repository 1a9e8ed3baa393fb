package sdk

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// nodePackages are the packages of SDKs, those built on others first.
var nodePackages = []struct{ path, name string }{
	{"fastmcp", FastMCPNode}, {"mcp-framework", MCPFramework}, {"mcp-lite", MCPLite},
	{"@modelcontextprotocol/server", TypeScript2}, {"@modelcontextprotocol/sdk", TypeScript},
}

// ofNode returns the SDK that the package of a script depends on, in the version that Node loads for it. If the package
// depends on none, it may contain one, and other packages of the same node_modules folder are no evidence. A script
// that belongs to no package may use any SDK; it is certain only if one alone is installed. What the script imports
// decides, if it can be read: one that imports only parts of Node, and packages that depend on no SDK, uses none.
func ofNode(script string) *SDK {
	own, imports := packageOf(script), nodeImports(script)
	if imports.complete && len(imports.packages) == 0 {
		return nil
	}
	var found *SDK
	for _, p := range nodePackages {
		if own != nil && !own.dependsOn(p.path) {
			continue
		}
		version, ok := versionFor(script, p.path)
		switch {
		case !ok || imports.complete && !imports.mayUse(script, p.path):
		case imports.packages[p.path]:
			found = &SDK{Name: p.name, Version: version, Evidence: "the imports of the script", Certain: true}
			return found.handles(imports.handled)
		case found != nil:
			found.Certain = found.Certain && own != nil
		default:
			found = &SDK{Name: p.name, Version: version, Evidence: "package.json in node_modules",
				Certain: !imports.complete}
		}
	}
	return found.handles(imports.handled)
}

// A nodePackage is a part of a package.json.
type nodePackage struct {
	Name, Version                                                         string
	Dependencies, DevDependencies, PeerDependencies, OptionalDependencies map[string]any
}

func (p *nodePackage) dependsOn(path string) bool {
	for _, all := range []map[string]any{p.Dependencies, p.DevDependencies, p.PeerDependencies, p.OptionalDependencies} {
		if _, ok := all[path]; ok {
			return true
		}
	}
	return false
}

// packageOf returns the package that a script belongs to; nil if there is none. A package.json without a name and
// dependencies only sets the kind of modules in a folder.
func packageOf(script string) *nodePackage {
	for dir := filepath.Dir(script); filepath.Base(dir) != "node_modules"; dir = filepath.Dir(dir) {
		p := readPackage(dir)
		if p != nil && (p.Name != "" || len(p.Dependencies) > 0) {
			if strings.Contains(filepath.ToSlash(dir), "/node_modules/") {
				p.DevDependencies = nil // not installed with it: what it used is in its bundle
			}
			return p
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return nil
}

// versionFor returns the version of a package that Node loads for a script: that of the nearest node_modules folder.
func versionFor(script, path string) (string, bool) {
	if p := packageFor(script, path); p != nil {
		return p.Version, true
	}
	return "", false
}

// packageFor returns the package that Node loads for a script: that of the nearest node_modules folder; nil if there is
// none.
func packageFor(script, path string) *nodePackage {
	for dir := filepath.Dir(script); ; dir = filepath.Dir(dir) {
		if p := readPackage(filepath.Join(dir, "node_modules", path)); p != nil {
			return p
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// readPackage reads the package.json of a folder; nil if there is none.
func readPackage(dir string) *nodePackage {
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	var p nodePackage
	if err != nil || json.Unmarshal(raw, &p) != nil {
		return nil
	}
	return &p
}
