// Package config finds and reads the files in which MCP hosts keep their servers: mcp.json and the hosts' own formats.
//
// It reads what people write by hand: comments and trailing commas are fine, one bad entry hides no other, and what is
// wrong is told with file, line and column. Values are expanded only when an entry is used, and never printed.
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

// A System is all that this package takes from the operating system, so that a test can replace it.
type System struct {
	GOOS   string
	Home   string                      // the user's home directory
	Dir    string                      // the working directory
	Lookup func(string) (string, bool) // an environment variable
}

// ThisSystem is the one that the program runs on. Without a home directory only the files of the project are found.
func ThisSystem() (System, error) {
	dir, err := os.Getwd()
	if err != nil {
		return System{}, fmt.Errorf("find the working directory: %w", err)
	}
	home, _ := os.UserHomeDir()
	return System{GOOS: runtime.GOOS, Home: home, Dir: dir, Lookup: os.LookupEnv}, nil
}

// A Scope says whose file an entry stands in.
type Scope string

// The scopes. What a project says comes before what the user's own files say.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// A Catalog is what the files of a machine say, in the order of precedence.
type Catalog struct {
	Entries  []Entry   `json:"entries"`
	Problems []Problem `json:"problems,omitempty"`
	Looked   []string  `json:"looked"` // the files that were looked for, whether or not they exist

	Gateway json.RawMessage `json:"-"` // what a file that was named says about the gateway; nil if nothing
}

// A Problem is something in a file that cannot be used. It hides nothing else.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Error says where the problem is, and what.
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Load reads the given file alone, or with an empty name every file that a host would read here. It fails only if the
// given file cannot be read or is no JSON; other faults become Problems.
func Load(sys System, file string) (*Catalog, error) {
	if file != "" {
		return loadFile(sys, file)
	}
	catalog := &Catalog{Entries: []Entry{}}
	for _, place := range places(sys) {
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
		return nil, fmt.Errorf("read config %s: %w", file, unwrapPath(err))
	}
	place := place{file: file, host: "file", scope: Project, root: sys.Dir, dir: sys.Dir, goos: sys.GOOS, must: true}
	catalog := &Catalog{Entries: []Entry{}, Looked: []string{file}}
	catalog.read(place, source)
	if len(catalog.Entries) == 0 && len(catalog.Problems) > 0 {
		return nil, catalog.Problems[0]
	}
	return catalog, nil
}

// Parse reads the text of a file that a person gave us instead of a path. What it finds belongs to the working directory.
func Parse(sys System, name string, source []byte) *Catalog {
	place := place{file: name, host: "file", scope: User, root: sys.Dir, dir: sys.Dir, goos: sys.GOOS, must: true}
	catalog := &Catalog{Looked: []string{name}}
	catalog.read(place, source)
	return catalog
}

// sort puts the project's entries before the user's; one file can hold both.
func (c *Catalog) sort() {
	slices.SortStableFunc(c.Entries, func(a, b Entry) int { return strings.Compare(string(a.Scope), string(b.Scope)) })
}

// maxFile is the size from which a config file is not read.
const maxFile = 16 << 20

// ReadRegular reads a file that the user did not name. A repository could hold a pipe or a link to a device in its place,
// which would block or never end.
func ReadRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir():
		return nil, errors.New("not a regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%d bytes: a config file has at most %d", info.Size(), maxFile)
	}
	return os.ReadFile(path)
}

// Find returns the entry that a name means, and the others of the same name whose definition differs. A name may be
// qualified by its scope, its host or both, as in user:files, cursor:files and project:cursor:files.
func (c *Catalog) Find(name string) (entry Entry, others []Entry, found bool) {
	matches := c.named(func(e Entry) bool { return e.Name == name })
	if len(matches) == 0 {
		matches = c.named(func(e Entry) bool { return slices.Contains(qualifiedNames(e), name) })
	}
	if len(matches) == 0 {
		return Entry{}, nil, false
	}
	for _, other := range matches[1:] {
		if !matches[0].sameAs(other) {
			others = append(others, other)
		}
	}
	return matches[0], others, true
}

// Qualified returns the shortest qualified name that means this entry and no other.
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

// unwrapPath drops the operation and path that a message names anyway.
func unwrapPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
