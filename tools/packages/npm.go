package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"strings"
	"time"
)

//go:embed launcher.js
var launcher []byte

//go:embed readme.md
var readme string

const (
	summary    = "Workbench for MCP servers: inspect, check, test, fuzz and load MCP servers"
	homepage   = "https://github.com/mcptest-dev/mcptest"
	licenseID  = "Apache-2.0"
	repository = "git+https://github.com/mcptest-dev/mcptest.git" // npm compares it with the provenance of the package
)

// epoch is the time of all files in the packages: the one that npm uses, so that packages are reproducible.
var epoch = time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC)

// A manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Homepage    string            `json:"homepage"`
	License     string            `json:"license"`
	Repository  map[string]string `json:"repository"`
	Keywords    []string          `json:"keywords,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	// Yarn must unpack it: a program in a zip cannot run
	Unplugged    bool              `json:"preferUnplugged,omitempty"`
	Publish      map[string]string `json:"publishConfig"`
	FilesInclude []string          `json:"files"`
}

func (r release) manifest(name string) manifest {
	return manifest{Name: name, Version: r.version, Description: summary, Homepage: homepage, License: licenseID,
		Repository: map[string]string{"type": "git", "url": repository},
		Publish:    map[string]string{"access": "public"}, FilesInclude: []string{"bin"}}
}

// npmLauncher is the package that users name. npm installs the one optional dependency whose os and cpu match.
func (r release) npmLauncher() (archive, error) {
	m := r.manifest(r.name)
	m.Keywords = []string{"mcp", "model-context-protocol", "testing", "inspector", "conformance", "fuzzing"}
	m.Engines = map[string]string{"node": ">=18"}
	m.Bin = map[string]string{"mcptest": "bin/mcptest.js"}
	m.Optional = map[string]string{}
	for _, p := range platforms {
		m.Optional[r.npmName(p)] = r.version
	}
	return r.npmProgram(m, strings.ReplaceAll(readme, "NAME", r.name), "bin/mcptest.js", launcher)
}

// npmPlatform is the package with the binary of one platform.
func (r release) npmPlatform(p platform, program []byte) (archive, error) {
	m := r.manifest(r.npmName(p))
	m.OS, m.CPU, m.Unplugged = []string{p.os}, []string{p.cpu}, true
	m.Description = "The " + p.os + " " + p.cpu + " binary of " + r.name + ", which installs it as a dependency"
	return r.npmProgram(m, "# "+m.Name+"\n\n"+m.Description+".\n", "bin/"+p.executable(), program)
}

// npmName is the name of a platform package; launcher.js derives the same from its own name.
func (r release) npmName(p platform) string { return r.name + "-" + p.os + "-" + p.cpu }

// npmProgram is a package with one program.
func (r release) npmProgram(m manifest, about, path string, program []byte) (archive, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return archive{}, err
	}
	return npmArchive(m.Name, m.Version, []packed{{"package.json", 0o644, append(text, '\n')}, {"LICENSE", 0o644, r.license},
		{"README.md", 0o644, []byte(about)}, {path, 0o755, program}})
}

// A packed is one file of an npm package.
type packed struct {
	path string
	mode int64
	data []byte
}

// npmArchive is what npm pack makes: a compressed tar with everything under package/.
func npmArchive(name, version string, files []packed) (archive, error) {
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, f := range files {
		header := &tar.Header{Name: "package/" + f.path, Mode: f.mode, Size: int64(len(f.data)), ModTime: epoch,
			Typeflag: tar.TypeReg}
		if err := w.WriteHeader(header); err != nil {
			return archive{}, err
		}
		if _, err := w.Write(f.data); err != nil {
			return archive{}, err
		}
	}
	if err := w.Close(); err != nil {
		return archive{}, err
	}
	if err := zipped.Close(); err != nil {
		return archive{}, err
	}
	return archive{npmFile(name, version), b.Bytes()}, nil
}

// npmFile is how npm pack names the archive: a scope becomes a prefix.
func npmFile(name, version string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version + ".tgz"
}
