// Package skills reads what servers declare about their skills, and finds faults in it. Nothing is sent or executed.
package skills

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// File is the name of the file that describes a skill.
const File = "SKILL.md"

// What every host accepts of one skill.
const (
	MaxFiles       = 512
	MaxBytes       = 16 << 20
	maxName        = 64
	maxDescription = 1024
)

// A Problem is a fault of an entry.
type Problem struct {
	Pointer string // JSON Pointer into the entry
	Message string
}

func problem(pointer, format string, args ...any) Problem {
	return Problem{Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}

// Root returns the directory of a skill; empty if its URI does not name SKILL.md.
func Root(uri string) string {
	root, ok := strings.CutSuffix(uri, "/"+File)
	if !ok {
		return ""
	}
	return root
}

// Inside reports whether a URI names a file in a directory.
func Inside(uri, root string) bool {
	rest, ok := strings.CutPrefix(uri, root+"/")
	decoded, err := url.PathUnescape(rest)
	return ok && err == nil && decoded != "" && path.Clean("/"+decoded) == "/"+decoded
}

// Frontmatter returns the parsed YAML at the start of a SKILL.md.
func Frontmatter(markdown string) (map[string]any, error) {
	markdown = strings.ReplaceAll(strings.TrimPrefix(markdown, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(markdown, "---\n")
	if !ok {
		return nil, errors.New("SKILL.md does not start with ---")
	}
	text, _, ok := strings.Cut("\n"+rest, "\n---")
	if !ok {
		return nil, errors.New("the frontmatter of SKILL.md has no end (---)")
	}
	var values map[string]any
	if err := yaml.Unmarshal([]byte(text), &values); err != nil {
		return nil, errors.New("the frontmatter of SKILL.md is not valid YAML")
	}
	return values, nil
}

// ValidName reports whether a name follows the rules of Agent Skills.
func ValidName(name string) bool {
	if name == "" || len(name) > maxName || strings.Contains("-"+name+"-", "--") {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) < 0
}

// EntryProblems finds an entry without what each must have.
func EntryProblems(entry json.RawMessage) []Problem {
	var all []Problem
	if uri, _ := schema.Get(entry, "/uri"); !strings.HasSuffix(schema.TextAt(entry, "/uri"), "/"+File) {
		all = append(all, problem("/uri", "uri is %s, expected the URI of a SKILL.md", brief(uri)))
	}
	for _, name := range []string{"name", "description"} {
		if raw, _ := schema.Get(entry, "/frontmatter/"+name); schema.TextAt(entry, "/frontmatter/"+name) == "" {
			all = append(all, problem("/frontmatter/"+name, "%s in frontmatter is %s, expected a text", name, brief(raw)))
		}
	}
	resources, _ := schema.Get(entry, "/resources")
	files, _ := schema.Elements(resources)
	if schema.Kind(resources) != '[' && string(resources) != `"dynamic"` {
		all = append(all, problem("/resources", "resources is %s, expected a list of files or \"dynamic\"", brief(resources)))
	}
	for i, file := range files {
		size, _ := schema.Get(file, "/size")
		if schema.TextAt(file, "/uri") == "" || schema.TextAt(file, "/digest") == "" || schema.Kind(size) != '0' {
			all = append(all, problem(fmt.Sprintf("/resources/%d", i), "file is %s, expected uri, digest and size", brief(file)))
		}
	}
	return all
}

// NameProblems finds a name that is not that of the directory, or not one of Agent Skills, and a description that is too
// long.
func NameProblems(entry json.RawMessage) []Problem {
	var all []Problem
	name, root := schema.TextAt(entry, "/frontmatter/name"), Root(schema.TextAt(entry, "/uri"))
	switch segment := root[strings.LastIndexByte(root, '/')+1:]; {
	case name == "" || root == "":
	case segment != name:
		all = append(all, problem("/frontmatter/name", "name is %s and the directory is %s, expected the same", quoted(name),
			quoted(segment)))
	case !ValidName(name):
		all = append(all, problem("/frontmatter/name",
			"name is %s, expected at most 64 lowercase letters, digits and single hyphens", quoted(name)))
	}
	if n := len([]rune(schema.TextAt(entry, "/frontmatter/description"))); n > maxDescription {
		all = append(all, problem("/frontmatter/description", "description has %d characters, expected at most %d", n,
			maxDescription))
	}
	return all
}

// FileProblems finds files that are listed twice, or are not in the directory of the skill, and a list without SKILL.md.
func FileProblems(entry json.RawMessage) []Problem {
	resources, _ := schema.Get(entry, "/resources")
	files, err := schema.Elements(resources)
	own := schema.TextAt(entry, "/uri")
	root := Root(own)
	if err != nil || schema.Kind(resources) != '[' || root == "" {
		return nil
	}
	var all []Problem
	seen := map[string]bool{}
	for i, file := range files {
		uri := schema.TextAt(file, "/uri")
		pointer := fmt.Sprintf("/resources/%d/uri", i)
		switch {
		case uri == "":
		case seen[uri]:
			all = append(all, problem(pointer, "duplicate file: %s", quoted(uri)))
		case !Inside(uri, root):
			all = append(all, problem(pointer, "file %s is not in the directory of the skill, expected a URI below %s",
				quoted(uri), quoted(root)))
		}
		seen[uri] = true
	}
	if !seen[own] {
		all = append(all, problem("/resources", "the files do not include %s, expected the SKILL.md of the skill", quoted(own)))
	}
	return all
}

// LimitProblems finds a skill that is larger than every host accepts.
func LimitProblems(entry json.RawMessage) []Problem {
	resources, _ := schema.Get(entry, "/resources")
	files, _ := schema.Elements(resources)
	total := 0
	for _, file := range files {
		raw, _ := schema.Get(file, "/size")
		size, _ := strconv.Atoi(string(raw))
		total += max(0, min(size, 1<<40))
	}
	var all []Problem
	if len(files) > MaxFiles {
		all = append(all, problem("/resources", "the skill has %d files, expected at most %d", len(files), MaxFiles))
	}
	if total > MaxBytes {
		all = append(all, problem("/resources", "the files of the skill have %d bytes, expected at most %d", total, MaxBytes))
	}
	return all
}

// PermissionProblems finds fields that ask the host to act without the user.
func PermissionProblems(entry json.RawMessage) []Problem {
	var all []Problem
	for _, name := range []string{"allowed-tools", "hooks"} {
		if raw, ok := schema.Get(entry, "/frontmatter/"+name); ok {
			all = append(all, problem("/frontmatter/"+name, "the skill declares %s: %s, which hosts ignore unless the user "+
				"approves it, expected a skill that works without it", name, brief(raw)))
		}
	}
	return all
}

func brief(raw json.RawMessage) string {
	if raw == nil {
		return "absent"
	}
	return clip.Text(string(raw), 80)
}

func quoted(text string) string { return strconv.Quote(clip.Text(text, 80)) }
