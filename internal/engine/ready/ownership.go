package ready

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// A localPackage is the package in the folder of server.json, or in its subfolder.
type localPackage struct {
	kind, name, version string
	names               func(server string) bool // reports whether it names a server as its own
	mark                string                   // how it names one
}

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
				r.found("REG-009", in, at, "the %s package %s lacks %s", p.kind, p.name, strings.ReplaceAll(p.mark, "NAME", name))
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
	return &localPackage{kind: "npm", name: in.text("/name"), version: in.text("/version"),
		names: func(server string) bool { return in.text("/mcpName") == server }, mark: `"mcpName": "NAME" in package.json`}, nil
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
		Project struct{ Name, Version string }
	}
	if toml.Unmarshal(data, &parsed) != nil {
		return nil, nil // its own tools report that
	}
	readme := ""
	for _, name := range readmes {
		if text, err := r.content(path.Join(folder, name)); err == nil {
			readme += string(text) + "\n"
		}
	}
	return &localPackage{kind: "pypi", name: parsed.Project.Name, version: parsed.Project.Version,
		names: func(server string) bool { return hasMark(readme, server) }, mark: "the line mcp-name: NAME in its README"}, nil
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
