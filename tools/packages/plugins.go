package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// pluginPackages are the plugins for other test runners. They contain no binary: they use that of the package mcptest.
func (r release) pluginPackages() ([]archive, error) {
	npm, err := r.npmPlugin(filepath.Join(r.plugins, "vitest"))
	if err != nil {
		return nil, fmt.Errorf("plugin for Vitest: %w", err)
	}
	wheel, err := r.pytestPlugin(filepath.Join(r.plugins, "pytest"))
	if err != nil {
		return nil, fmt.Errorf("plugin for pytest: %w", err)
	}
	return []archive{npm, wheel}, nil
}

// npmPlugin packs a folder with a package.json, whose version, peer dependency and repository become those of the release.
func (r release) npmPlugin(dir string) (archive, error) {
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return archive{}, err
	}
	var m struct {
		Name  string
		Files []string
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return archive{}, err
	}
	text, err = schema.Apply(text, []finding.Edit{
		{Pointer: "/version", Value: quoted(r.version)},
		{Pointer: "/peerDependencies", Value: json.RawMessage(`{ ` + string(quoted(r.name)) + `: "*" }`)},
		{Pointer: "/peerDependenciesMeta", Value: json.RawMessage(`{ ` + string(quoted(r.name)) + `: { "optional": true } }`)},
		{Pointer: "/repository", Value: json.RawMessage(`{ "type": "git", "url": "` + repository + `" }`)},
		{Pointer: "/publishConfig", Value: json.RawMessage(`{ "access": "public" }`)},
	})
	if err != nil {
		return archive{}, err
	}
	files := []packed{{"package.json", 0o644, text}, {"LICENSE", 0o644, r.license}}
	for _, name := range m.Files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return archive{}, err
		}
		files = append(files, packed{name, 0o644, data})
	}
	return npmArchive(m.Name, r.version, files)
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // text always marshals
	return raw
}

// A pyproject is what the wheel of a plugin takes from pyproject.toml.
type pyproject struct {
	Project struct {
		Name, Description string
		RequiresPython    string `toml:"requires-python"`
		Dependencies      []string
		Classifiers       []string
		EntryPoints       map[string]map[string]string `toml:"entry-points"`
	}
}

// pytestPlugin is the wheel of a folder with a pyproject.toml and a package in src: a wheel for all platforms.
func (r release) pytestPlugin(dir string) (archive, error) {
	version, err := pythonVersion(r.version)
	if err != nil {
		return archive{}, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "pyproject.toml"))
	if err != nil {
		return archive{}, err
	}
	var about pyproject
	if err := toml.Unmarshal(text, &about); err != nil {
		return archive{}, fmt.Errorf("pyproject.toml: %w", err)
	}
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return archive{}, err
	}
	stem := wheelStem(about.Project.Name, version)
	info := stem + ".dist-info/"
	w := &wheelWriter{}
	w.zip = zip.NewWriter(&w.bytes)
	if err := w.addPackages(filepath.Join(dir, "src")); err != nil {
		return archive{}, err
	}
	w.add(info+"licenses/LICENSE", 0o644, r.license)
	w.add(info+"METADATA", 0o644, []byte(r.pluginMetadata(about, version, string(readme))))
	w.add(info+"WHEEL", 0o644, []byte(wheelFile(true, "any")))
	w.add(info+"entry_points.txt", 0o644, []byte(about.entryPoints()))
	if err := w.finish(info); err != nil {
		return archive{}, err
	}
	return archive{stem + "-py3-none-any.whl", w.bytes.Bytes()}, nil
}

// addPackages adds the Python packages of a folder.
func (w *wheelWriter) addPackages(src string) error {
	files, err := filepath.Glob(filepath.Join(src, "*", "*.py"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no Python package", src)
	}
	for _, file := range files {
		data, readErr := os.ReadFile(file)
		if readErr != nil {
			return readErr
		}
		w.add(path.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)), 0o644, data)
	}
	return err
}

// pluginMetadata is what PyPI shows. The dependency on mcptest has the name that this release has.
func (r release) pluginMetadata(about pyproject, version, readme string) string {
	p := about.Project
	text := "Metadata-Version: 2.4\nName: " + p.Name + "\nVersion: " + version + "\nSummary: " + p.Description +
		"\nLicense-Expression: " + licenseID + "\nLicense-File: LICENSE\nProject-URL: Source, " + homepage +
		"\nRequires-Python: " + p.RequiresPython + "\n"
	for _, dependency := range p.Dependencies {
		if dependency == "mcptest" {
			dependency = r.name
		}
		text += "Requires-Dist: " + dependency + "\n"
	}
	for _, classifier := range p.Classifiers {
		text += "Classifier: " + classifier + "\n"
	}
	return text + "Description-Content-Type: text/markdown\n\n" + readme
}

// entryPoints is the file by which pytest finds the plugin.
func (p pyproject) entryPoints() string {
	var text strings.Builder
	for _, group := range slices.Sorted(maps.Keys(p.Project.EntryPoints)) {
		fmt.Fprintf(&text, "[%s]\n", group)
		entries := p.Project.EntryPoints[group]
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			fmt.Fprintf(&text, "%s = %s\n", name, entries[name])
		}
	}
	return text.String()
}
