// Package config finds and reads the files in which MCP hosts configure their servers: mcp.json and the hosts' own
// formats.
//
// It accepts hand-written files: comments and trailing commas are allowed, one invalid entry does not hide another, and
// problems are reported with file, line and column. Values are expanded only when an entry is used, and never printed.
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A System provides everything that this package needs from the operating system, so that a test can replace it.
type System struct {
	GOOS   string
	Home   string                      // the user's home directory
	Dir    string                      // the working directory
	Lookup func(string) (string, bool) // an environment variable
}

// ThisSystem is the current system. Without a home directory only the files of the project are found.
func ThisSystem() (System, error) {
	dir, err := os.Getwd()
	if err != nil {
		return System{}, fmt.Errorf("cannot determine the working directory: %w", err)
	}
	home, _ := os.UserHomeDir()
	return System{GOOS: runtime.GOOS, Home: home, Dir: dir, Lookup: os.LookupEnv}, nil
}

// A Scope is the owner of the file with an entry.
type Scope string

// The scopes. A project takes precedence over the user's own files.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// A Catalog is the content of the files of a machine, in the order of precedence.
type Catalog struct {
	Entries  []Entry   `json:"entries"`
	Problems []Problem `json:"problems,omitempty"`
	Looked   []string  `json:"looked"` // the files that were searched, whether or not they exist

	Gateway json.RawMessage `json:"-"` // the gateway section of a file that was passed explicitly; nil if there is none
}

// A Problem is something in a file that cannot be used. It does not hide anything else.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Error returns the location and the problem.
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Load reads only the given file, or with an empty name every file that a host would read here. It fails only if the
// given file cannot be read or is not JSON; other faults become Problems.
func Load(sys System, file string) (*Catalog, error) {
	if file != "" {
		return loadFile(sys, file)
	}
	catalog := &Catalog{Entries: []Entry{}}
	for _, place := range locations(sys) {
		catalog.Looked = append(catalog.Looked, place.file)
		source, err := ReadRegular(place.file)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDirectory) {
			continue
		}
		if err != nil {
			catalog.Problems = append(catalog.Problems, Problem{File: place.file, Message: unwrapPath(err).Error()})
			continue
		}
		catalog.read(place, source)
	}
	catalog.sort()
	return catalog, nil
}

func loadFile(sys System, file string) (*Catalog, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(sys.Dir, file)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read config %s: %w", file, unwrapPath(err))
	}
	place := location{file: file, host: "file", scope: Project, root: sys.Dir, dir: sys.Dir, goos: sys.GOOS, must: true}
	catalog := &Catalog{Entries: []Entry{}, Looked: []string{file}}
	catalog.read(place, source)
	if len(catalog.Entries) == 0 && len(catalog.Problems) > 0 {
		return nil, catalog.Problems[0]
	}
	return catalog, nil
}

// Parse reads the text of a file that the user passed instead of a path. Its entries belong to the working directory.
func Parse(sys System, name string, source []byte) *Catalog {
	place := location{file: name, host: "file", scope: User, root: sys.Dir, dir: sys.Dir, goos: sys.GOOS, must: true}
	catalog := &Catalog{Looked: []string{name}}
	catalog.read(place, source)
	return catalog
}

// sort puts the project's entries before the user's; one file can hold both.
func (c *Catalog) sort() {
	slices.SortStableFunc(c.Entries, func(a, b Entry) int { return strings.Compare(string(a.Scope), string(b.Scope)) })
}

// maxFile is the maximum size of a config file.
const maxFile = 16 << 20

// ReadRegular reads a file that the user did not name. A repository could contain a pipe or a link to a device instead,
// which would block or never end.
func ReadRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir():
		return nil, errors.New("not a regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("file has %d bytes, expected at most %d", info.Size(), maxFile)
	}
	return os.ReadFile(path)
}

// Find returns the entry for a name, and the others that the name may also refer to and that have a different
// definition. A name may be qualified by its scope, its host or both, as in user:files, cursor:files and
// project:cursor:files. A file can also define such a name literally, which does not replace the qualified name of
// another entry. Of entries that are the same, that of the user is returned: approvals depend on the file.
func (c *Catalog) Find(name string) (entry Entry, others []Entry, found bool) {
	matches := c.named(func(e Entry) bool { return e.Name == name || slices.Contains(qualifiedNames(e), name) })
	if len(matches) == 0 {
		return Entry{}, nil, false
	}
	entry = matches[0]
	for _, other := range matches[1:] {
		switch {
		case !matches[0].sameAs(other):
			others = append(others, other)
		case entry.Scope == Project && other.Scope == User:
			entry = other
		}
	}
	if len(others) > 0 {
		entry = matches[0]
	}
	return entry, others, true
}

// Qualified returns the shortest qualified name that refers only to this entry.
func (c *Catalog) Qualified(e Entry) string {
	names := qualifiedNames(e)
	for _, name := range names {
		if found, others, ok := c.Find(name); ok && len(others) == 0 && found.File == e.File && found.Scope == e.Scope {
			return name
		}
	}
	return names[len(names)-1]
}

func qualifiedNames(e Entry) []string {
	scope := string(e.Scope)
	return []string{e.Host + ":" + e.Name, scope + ":" + e.Name, scope + ":" + e.Host + ":" + e.Name}
}

func (c *Catalog) named(is func(Entry) bool) []Entry {
	var matches []Entry
	for _, entry := range c.Entries {
		if is(entry) {
			matches = append(matches, entry)
		}
	}
	return matches
}

// Names lists the names of the entries without repetition, in their order.
func (c *Catalog) Names() []string {
	var names []string
	for _, entry := range c.Entries {
		if !slices.Contains(names, entry.Name) {
			names = append(names, entry.Name)
		}
	}
	return names
}

// unwrapPath removes the operation and path, which the message already contains.
func unwrapPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
