package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A ReadError reports why a file is not a catalog, and where. Lines and columns start at 1, columns count characters.
type ReadError struct {
	Name         string
	Line, Column int
	Problem      string
}

// Error begins with the position, in the form that editors recognize.
func (e *ReadError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Problem)
}

func (r *catalogReader) errorf(offset int, format string, args ...any) error {
	line, column := position(r.data, offset)
	return &ReadError{Name: r.name, Line: line, Column: column, Problem: fmt.Sprintf(format, args...)}
}

// wrap adds a position to an error of the JSON reader; nil stays nil.
func (r *catalogReader) wrap(start int, err error) error {
	if err == nil {
		return nil
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return r.errorf(len(r.data), "%v", err)
	}
	at := start + int(syntax.ByteOffset)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return r.errorf(at, "duplicate key %s in one object (at %s)", quoted(syntax.JSONPointer.LastToken()),
			syntax.JSONPointer)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.errorf(len(r.data), "unexpected end of file in the middle of a value")
	}
	return r.errorf(at, "not JSON: %s", strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
}

func position(data []byte, offset int) (line, column int) {
	offset = min(offset, len(data))
	line, start := 1, 0
	for i, c := range data[:offset] {
		if c == '\n' {
			line, start = line+1, i+1
		}
	}
	return line, utf8.RuneCount(data[start:offset]) + 1
}

// lineStarts lists the offset of each line.
func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt is the line that holds an offset; 0 for a catalog that is not from a file.
func (c *Catalog) lineAt(offset int) int {
	if c.data == nil {
		return 0
	}
	i, exact := slices.BinarySearch(c.lines, offset)
	if exact {
		return i + 1
	}
	return i
}

// locate finds the lines of JSON Pointers into a tool or an entry, which starts at an offset. A pointer without a target gets the line of the nearest existing
// parent.
func (c *Catalog) locate(raw json.RawMessage, offset int, pointers []string) map[string]int {
	lines := map[string]int{"": c.lineAt(offset)}
	if first := c.lineAt(offset); first == c.lineAt(offset+len(raw)) {
		for _, p := range pointers {
			lines[p] = first
		}
		return lines
	}
	known := offsets(raw)
	for _, p := range pointers {
		at := p
		for _, ok := known[at]; !ok && at != ""; _, ok = known[at] {
			at = at[:strings.LastIndexByte(at, '/')]
		}
		lines[p] = c.lineAt(offset + known[at])
	}
	return lines
}

// offsets maps the JSON Pointer of every value to its offset.
func offsets(raw []byte) map[string]int {
	known := map[string]int{}
	dec := jsontext.NewDecoder(strings.NewReader(string(raw)), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			return known
		}
		if kind := tok.Kind(); kind == '}' || kind == ']' {
			continue
		}
		if pointer := string(dec.StackPointer()); known[pointer] == 0 {
			known[pointer] = int(dec.InputOffset()) - 1
		}
	}
}
