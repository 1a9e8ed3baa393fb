package ready

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// A localPackage is the package in the folder of server.json, or in its subfolder.
type localPackage struct {
	kind, name, version string
	folder, description string
	manifest            string                   // package.json
	readme              string                   // of a Python package, in Markdown; empty if it has none
	names               func(server string) bool // reports whether it names a server as its own
}

// marks are how packages name their server.
var marks = map[string]string{"npm": `"mcpName": "NAME" in package.json`, "pypi": "the line mcp-name: NAME in its README",
	"oci": "the label io.modelcontextprotocol.server.name=NAME"}

// ownership compares the packages that server.json names with those in the folder.
func (r *run) ownership(in *file) error {
	local, err := r.localPackages(in.text("/repository/subfolder"))
	if err != nil {
		return err
	}
	name := in.text("/name")
	for _, at := range in.items("/packages") {
		for _, p := range local {
			if in.text(at+"/registryType") != p.kind || in.text(at+"/identifier") != p.name {
				continue
			}
			if !p.names(name) {
				r.found("REG-009", in, at, "the %s package %s lacks %s", p.kind, p.name, strings.ReplaceAll(marks[p.kind], "NAME", name))
			}
			if declared := in.text(at + "/version"); p.version != "" && declared != "" && declared != p.version {
				r.found("REG-010", in, at+"/version", "server.json names version %s of %s, the folder has %s", declared, p.name,
					p.version)
			}
		}
	}
	return nil
}

// localPackages reads package.json and pyproject.toml of the folder, or of a subfolder of it.
func (r *run) localPackages(subfolder string) ([]localPackage, error) {
	var all []localPackage
	for _, folder := range []string{".", path.Clean("/" + subfolder)[1:]} {
		if folder == "" {
			continue
		}
		for _, read := range []func(string) (*localPackage, error){r.npmPackage, r.pythonPackage} {
			p, err := read(folder)
			if err != nil {
				return nil, err
			}
			if p != nil && p.name != "" {
				all = append(all, *p)
			}
		}
	}
	return all, nil
}

func (r *run) npmPackage(folder string) (*localPackage, error) {
	in, err := r.read(path.Join(folder, "package.json"))
	if in == nil || err != nil {
		return nil, err
	}
	return &localPackage{kind: "npm", folder: folder, description: in.text("/description"), manifest: in.name,
		name: in.text("/name"), version: in.text("/version"),
		names: func(server string) bool { return in.text("/mcpName") == server }}, nil
}

func (r *run) pythonPackage(folder string) (*localPackage, error) {
	data, err := r.content(path.Join(folder, "pyproject.toml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var parsed struct {
		Project struct{ Name, Version, Description string }
	}
	if toml.Unmarshal(data, &parsed) != nil {
		return nil, nil // its own tools report that
	}
	readme, markdown := "", ""
	for _, name := range readmes {
		if text, err := r.content(path.Join(folder, name)); err == nil {
			readme += string(text) + "\n"
			if strings.HasSuffix(name, ".md") {
				markdown = path.Join(folder, name)
			}
		}
	}
	return &localPackage{kind: "pypi", folder: folder, description: parsed.Project.Description, readme: markdown,
		name: parsed.Project.Name, version: parsed.Project.Version,
		names: func(server string) bool { return hasMark(readme, server) }}, nil
}

// readmes are the files that a Python package is described in.
var readmes = []string{"README.md", "README.rst", "README.txt", "README"}

// hasMark reports whether a README names a server: the name ends there, and is not the beginning of another one.
func hasMark(readme, server string) bool {
	for {
		_, rest, found := strings.Cut(readme, "mcp-name: "+server)
		if !found {
			return false
		}
		if rest == "" || !nameCharacter().MatchString(rest[:1]) || strings.HasPrefix(rest, "-->") || strings.HasPrefix(rest, "--!>") {
			return true
		}
		readme = rest
	}
}

// nameCharacter is what the name of a server consists of.
var nameCharacter = lazyregexp.New(`[A-Za-z0-9._/-]`)

// OwnedBy returns what a description among the METADATA files of installed Python packages says about the owner; nil if the
// package is not among them.
func OwnedBy(metadata []string, name string) func(server string) bool {
	for _, file := range metadata {
		found, _, _ := strings.Cut(filepath.Base(filepath.Dir(file)), "-")
		if !sameName(strings.ReplaceAll(found, ".", "-"), strings.ReplaceAll(name, ".", "-")) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil
		}
		return func(server string) bool { return hasMark(string(text), server) }
	}
	return nil
}
