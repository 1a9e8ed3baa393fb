package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// A member is one member of an object, with the offset of its value in the file.
type member struct {
	name  string
	value jsontext.Value
	at    int
}

// A reader reads one file into a catalog.
type reader struct {
	location
	catalog  *Catalog
	source   []byte // plain JSON of the same length as original
	original []byte
	places   []mapping // of a TOML file, of which source is the JSON
	toml     bool
}

// read adds the content of the file to the catalog.
func (c *Catalog) read(p location, source []byte) {
	source = bytes.TrimPrefix(source, []byte("\xef\xbb\xbf"))
	r := &reader{location: p, catalog: c, original: source, toml: filepath.Ext(p.file) == ".toml"}
	if r.toml {
		if !r.convert() {
			return
		}
	} else {
		r.source = strict(source)
	}
	document, err := whole(r.source)
	if err != nil {
		r.syntax(err)
		return
	}
	if document.Kind() != '{' {
		r.problem(r.start(0), "found %s, expected an object with mcpServers or servers", rawjson.KindName(document))
		return
	}
	r.document(r.members(document, r.start(0)))
}

// convert makes JSON of a TOML file.
func (r *reader) convert() bool {
	root, err := readTOML(r.original)
	var fault *tomlError
	if errors.As(err, &fault) {
		r.problem(fault.at, "not TOML: %s", fault.message)
		return false
	}
	var out bytes.Buffer
	var places []mapping
	root.write(&out, &places)
	r.source, r.places = out.Bytes(), places
	return true
}

// start is the offset of the first byte from offset on that is not blank.
func (r *reader) start(offset int) int {
	return len(r.source) - len(bytes.TrimLeft(r.source[offset:], " \t\r\n"))
}

// document reads the lists of servers that a file can contain. Claude Code stores those of all projects in one file.
func (r *reader) document(top []member) {
	found := false
	for _, m := range top {
		switch m.name {
		case "mcp_servers": // of Codex
			if r.toml {
				found = true
				r.servers(m, r.scope, r.root)
			}
		case "mcpServers", "servers":
			found = true
			r.servers(m, r.scope, r.root)
		case "mcp": // as settings.json of VS Code had it
			for _, inner := range r.membersIf(m) {
				if inner.name == "servers" {
					found = true
					r.servers(inner, r.scope, r.root)
				}
			}
		case "gateway":
			if r.must {
				r.catalog.Gateway = bytes.Clone(m.value)
			}
		case "projects":
			r.projects(m)
		}
	}
	if !found && r.must && r.toml {
		r.problem(0, "found %s, expected mcp_servers", keys(top))
	} else if !found && r.must {
		r.problem(r.start(0), "found %s, expected mcpServers or servers", keys(top))
	}
}

func (r *reader) projects(projects member) {
	if r.host != "claude-code" || r.scope != User {
		return
	}
	for _, project := range r.membersIf(projects) {
		if !r.sameDir(project.name, r.dir) {
			continue
		}
		for _, m := range r.membersIf(project) {
			if m.name == "mcpServers" {
				r.servers(m, Project, r.dir)
			}
		}
	}
}

func (r *reader) servers(list member, scope Scope, root string) {
	if list.value.Kind() == 'n' {
		return
	}
	if list.value.Kind() != '{' {
		r.problem(list.at, "%s is %s, expected an object of servers by name", list.name, rawjson.KindName(list.value))
		return
	}
	first := len(r.catalog.Entries)
	for _, m := range r.members(list.value, list.at) {
		entry, ok := r.entry(m, scope, root)
		if !ok {
			continue
		}
		if at := indexName(r.catalog.Entries[first:], m.name); at >= 0 {
			r.problem(m.at, "duplicate server %q; using the last one", m.name)
			r.catalog.Entries[first+at] = entry
			continue
		}
		r.catalog.Entries = append(r.catalog.Entries, entry)
	}
}

func indexName(entries []Entry, name string) int {
	for i, entry := range entries {
		if entry.Name == name {
			return i
		}
	}
	return -1
}

func (r *reader) problem(at int, format string, args ...any) {
	line, column := r.position(at)
	r.catalog.Problems = append(r.catalog.Problems,
		Problem{File: r.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// position returns the line and column of an offset in source.
func (r *reader) position(at int) (line, column int) {
	if r.places != nil {
		at = original(r.places, at)
	}
	return position(r.original, at)
}

func (r *reader) syntax(err error) {
	if len(bytes.TrimSpace(r.source)) == 0 {
		r.catalog.Problems = append(r.catalog.Problems,
			Problem{File: r.file, Message: "the file is empty, expected a JSON object"})
		return
	}
	offset, reason := len(r.source), err.Error()
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		offset, reason = int(syntactic.ByteOffset), syntactic.Err.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		offset, reason = len(bytes.TrimRight(r.source, " \t\r\n")), "unexpected end of file"
	}
	r.problem(offset, "not JSON: %s", strings.TrimPrefix(reason, "jsontext: "))
}

// whole checks that source is one JSON value and returns it.
func whole(source []byte) (jsontext.Value, error) {
	decoder := newDecoder(source)
	value, err := decoder.ReadValue()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	value = value.Clone()
	if _, err := decoder.ReadToken(); err == nil {
		return nil, &jsontext.SyntacticError{ByteOffset: decoder.InputOffset() - 1,
			Err: errors.New("unexpected text after the end")}
	} else if err != io.EOF {
		return nil, err
	}
	return value, nil
}

func newDecoder(source []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewReader(source), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
}

// members lists the members of an object whose syntax has been checked, in order.
func (r *reader) members(object jsontext.Value, at int) []member {
	decoder := newDecoder(object)
	var list []member
	if _, err := decoder.ReadToken(); err != nil {
		return nil
	}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			break
		}
		m := member{name: name.String()}
		value, err := decoder.ReadValue()
		if err != nil {
			break
		}
		m.value = value.Clone()
		m.at = at + int(decoder.InputOffset()) - len(value)
		list = append(list, m)
	}
	return list
}

// membersIf is members for a value that may not be an object.
func (r *reader) membersIf(m member) []member {
	if m.value.Kind() != '{' {
		return nil
	}
	return r.members(m.value, m.at)
}

func keys(members []member) string {
	if len(members) == 0 {
		return "an empty object"
	}
	var names []string
	for _, m := range members[:min(5, len(members))] {
		names = append(names, fmt.Sprintf("%q", m.name))
	}
	if len(members) > 5 {
		names = append(names, "…")
	}
	return "the keys " + strings.Join(names, ", ")
}
