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
	owner               string // the name of the server that it names; empty if it names none
	mark                string // how it names one
}

// ownerMark is the line of a README that names the server.
var ownerMark = lazyregexp.New(`(?m)mcp-name:\s*([A-Za-z0-9.-]+/[A-Za-z0-9._-]+)`)

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
			if p.owner != name {
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
	return &localPackage{kind: "npm", name: in.text("/name"), version: in.text("/version"), owner: in.text("/mcpName"),
		mark: `"mcpName": "NAME" in package.json`}, nil
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
	p := &localPackage{kind: "pypi", name: parsed.Project.Name, version: parsed.Project.Version,
		mark: "the line mcp-name: NAME in its README"}
	for _, name := range []string{"README.md", "README.rst", "README.txt", "README"} {
		if text, err := r.content(path.Join(folder, name)); err == nil {
			if found := ownerMark().FindSubmatch(text); found != nil {
				p.owner = strings.TrimRight(string(found[1]), ".")
			}
		}
	}
	return p, nil
}
