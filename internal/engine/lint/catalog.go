package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Catalog is a list of tools, from a server or a file. It is immutable once created.
type Catalog struct {
	Name    string // the file or server it was read from
	Tools   []*Tool
	Entries []*Entry // what else was listed: resources, contents of views, skills
	Partial bool     // the list has a nextCursor, and that page is missing

	data  []byte // the file; nil for a list from a server
	lines []int  // where each line of data starts
}

// ReadCatalog reads a captured tools/list: a bare array of tools, an object with tools, or a whole JSON-RPC response.
// The catalog keeps parts of data, which must not change afterwards. For a file that is not a catalog, the error is a
// [*ReadError] with the position. A malformed tool is not an error: the rules report it.
func ReadCatalog(data []byte, name string) (*Catalog, error) {
	return readFile(&catalogReader{name: name, data: data})
}

// ReadDefinitions is [ReadCatalog] for a file that may also contain resources, contents of resources/read and skills, with
// tools or without.
func ReadDefinitions(data []byte, name string) (*Catalog, error) {
	return readFile(&catalogReader{name: name, data: data, wide: true})
}

func readFile(r *catalogReader) (*Catalog, error) {
	if err := r.read(); err != nil {
		return nil, err
	}
	return &Catalog{Name: r.name, Tools: r.tools, Entries: r.entries, Partial: r.partial, data: r.data,
		lines: lineStarts(r.data)}, nil
}

// NewCatalog is the catalog of tools that a server listed.
func NewCatalog(name string, tools []json.RawMessage) *Catalog {
	c := &Catalog{Name: name}
	for i, raw := range tools {
		c.Tools = append(c.Tools, newTool(raw, i, 0))
	}
	return c
}

// SetPages sets the pages of the tools: ends has the number of tools up to the end of each page.
func (c *Catalog) SetPages(ends []int) {
	page := 0
	for i, t := range c.Tools {
		for page < len(ends) && ends[page] <= i {
			page++
		}
		t.Page = page + 1
	}
}

// Join combines the catalogs of several servers, so that rules can compare servers. Each tool keeps the name of its
// catalog. Line numbers are lost.
func Join(catalogs ...*Catalog) *Catalog {
	joined := &Catalog{Name: "all servers"}
	for _, c := range catalogs {
		joined.Partial = joined.Partial || c.Partial
		for _, t := range c.Tools {
			copied := newTool(t.Raw, t.Index, 0)
			copied.Server, copied.Page = c.Name, t.Page
			joined.Tools = append(joined.Tools, copied)
		}
	}
	return joined
}

// maxNesting is the maximum nesting depth of a file. Rules look 64 levels into a schema; anything deeper than this
// limit is not a catalog.
const maxNesting = 1000

// maxTools is the maximum number of tools in a file: findings take many times the memory of a small tool.
const maxTools = 20_000

type catalogReader struct {
	name    string
	data    []byte
	tools   []*Tool
	wide    bool // also other lists
	entries []*Entry
	found   bool // a list of tools, or of others, was found
	listed  bool // the list of tools was found
	partial bool
}

func (r *catalogReader) read() error {
	start, err := r.start()
	if err != nil {
		return err
	}
	if at, deep := rawjson.DeeperThan(r.data[start:], maxNesting); deep {
		return r.errorf(start+at, "nesting exceeds %d levels", maxNesting)
	}
	dec := newDecoder(r.data[start:])
	if err := r.top(dec, start); err != nil {
		return err
	}
	if rest := bytes.TrimLeft(r.data[start+int(dec.InputOffset()):], " \t\r\n"); len(rest) > 0 {
		return r.errorf(len(r.data)-len(rest), "more than one JSON value")
	}
	if !r.found {
		expected := `expected an array of tools, {"tools": [...]} or a tools/list response`
		if r.wide {
			expected += `, or one with resources, contents or skills`
		}
		return r.errorf(start, "no list of tools: %s", expected)
	}
	return nil
}

// start is the offset of the JSON: after a byte order mark, which some editors write.
func (r *catalogReader) start() (int, error) {
	switch {
	case len(bytes.TrimSpace(r.data)) == 0:
		return 0, r.errorf(0, "the file is empty, expected a tools/list result as JSON")
	case bytes.HasPrefix(r.data, []byte("\xff\xfe")), bytes.HasPrefix(r.data, []byte("\xfe\xff")):
		return 0, r.errorf(0, "the file is UTF-16, expected JSON in UTF-8")
	case bytes.HasPrefix(r.data, []byte("\xef\xbb\xbf")):
		return 3, nil
	}
	return 0, nil
}

// top reads the outermost value.
func (r *catalogReader) top(dec *jsontext.Decoder, start int) error {
	switch dec.PeekKind() {
	case '[':
		return r.list(dec, start)
	case '{':
		return r.members(dec, start, true)
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return r.wrap(start, err)
	}
	return r.errorf(start+int(dec.InputOffset())-len(raw), "the file contains %s, expected a list of tools",
		kindName(raw))
}

// members reads an object that holds the list, or, if outer, the result that holds it.
func (r *catalogReader) members(dec *jsontext.Decoder, start int, outer bool) error {
	if _, err := dec.ReadToken(); err != nil {
		return r.wrap(start, err)
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return r.wrap(start, err)
		}
		if err := r.member(dec, start, name.String(), outer); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return r.wrap(start, err)
}

func (r *catalogReader) member(dec *jsontext.Decoder, start int, name string, outer bool) error {
	kind := dec.PeekKind()
	switch {
	case name == "tools" && kind == '[' && !r.listed:
		return r.list(dec, start)
	case r.wide && kind == '[' && slices.Contains(entryKinds, Kind(name)):
		return r.others(dec, start, Kind(name))
	case outer && name == "result" && kind == '{':
		return r.members(dec, start, false)
	}
	value, err := dec.ReadValue()
	if err != nil {
		return r.wrap(start, err)
	}
	at := start + int(dec.InputOffset()) - len(value)
	switch {
	case name == "tools" && kind != '[':
		return r.errorf(at, `"tools" is %s, expected an array of tools`, kindName(value))
	case outer && name == "error" && kind == '{':
		return r.errorf(at, "the response is an error and has no tools: %s", brief(string(value)))
	case name == "nextCursor" && kind == '"':
		r.partial = true
	}
	return nil
}

// list reads the tools.
func (r *catalogReader) list(dec *jsontext.Decoder, start int) error {
	r.listed = true
	return r.elements(dec, start, func(raw json.RawMessage, at int) error {
		if len(r.tools) == maxTools {
			return r.errorf(at, "too many tools: limit is %d", maxTools)
		}
		tool := newTool(raw, len(r.tools), at)
		tool.sound = schema.Kind(tool.Raw) == '{'
		r.tools = append(r.tools, tool)
		return nil
	})
}

// others reads a list of what is not a tool.
func (r *catalogReader) others(dec *jsontext.Decoder, start int, kind Kind) error {
	index := 0
	return r.elements(dec, start, func(raw json.RawMessage, at int) error {
		if len(r.entries) == maxTools {
			return r.errorf(at, "too many entries: limit is %d", maxTools)
		}
		r.entries = append(r.entries, newEntry(kind, raw, index, at))
		index++
		return nil
	})
}

// elements reads an array, and passes each element on with its offset.
func (r *catalogReader) elements(dec *jsontext.Decoder, start int, add func(raw json.RawMessage, at int) error) error {
	r.found = true
	if _, err := dec.ReadToken(); err != nil {
		return r.wrap(start, err)
	}
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			return r.wrap(start, err)
		}
		end := start + int(dec.InputOffset())
		at := end - len(value)
		if err := add(r.data[at:end:end], at); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return r.wrap(start, err)
}

// newDecoder reads strictly: duplicate keys and invalid UTF-8 are errors. It does not copy data.
func newDecoder(data []byte) *jsontext.Decoder { return jsontext.NewDecoder(bytes.NewBuffer(data)) }

// brief shortens a value for a message.
func brief(s string) string { return clip.Text(s, 120) }

// quoted formats a name for a message and makes invisible characters visible.
func quoted(name string) string { return braced(strconv.Quote(brief(name))) }

// braced writes the escapes of a quoted string as reports do: \u{200b}.
func braced(quoted string) string {
	return goEscape().ReplaceAllStringFunc(quoted, func(escape string) string {
		if escape[1] != 'u' && escape[1] != 'U' {
			return escape // a literal backslash, or a short escape
		}
		return `\u{` + strings.TrimLeft(escape[2:], "0") + "}"
	})
}

var goEscape = lazyregexp.New(`\\U[0-9a-f]{8}|\\u[0-9a-f]{4}|\\.`)

// get is schema.Get for a pointer that is known to be valid.
func get(raw json.RawMessage, pointer string) json.RawMessage {
	value, _ := schema.Get(raw, pointer)
	return value
}
