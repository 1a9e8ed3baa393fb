package ready

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A file is a JSON file.
type file struct {
	name   string
	data   json.RawMessage
	values json.RawMessage // what is judged: the same document, with the same pointers
}

// read reads a JSON file; nil if it does not exist.
func (r *run) read(name string) (*file, error) {
	data, err := r.content(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	return &file{name, data, data}, nil
}

// content returns the content of a file of limited size.
func (r *run) content(name string) ([]byte, error) {
	f, err := r.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is larger than %d MB", name, maxFile>>20)
	}
	return data, err
}

// open opens a file. Other than regular files are not opened: that may wait forever.
func (r *run) open(name string) (fs.File, error) {
	if r.opts.Folder == nil {
		return nil, fs.ErrNotExist
	}
	if info, err := fs.Stat(r.opts.Folder, name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return r.opts.Folder.Open(name)
}

// exists reports whether the folder has a file.
func (r *run) exists(name string) bool {
	_, err := fs.Stat(r.opts.Folder, name)
	return err == nil
}

// text returns a string in the file; empty if there is none.
func (f *file) text(pointer string) string { return schema.TextAt(f.values, pointer) }

// texts returns the strings of an array.
func (f *file) texts(pointer string) (all []string) {
	for _, at := range f.items(pointer) {
		all = append(all, f.text(at))
	}
	return all
}

// isTrue reports whether a value is true.
func (f *file) isTrue(pointer string) bool {
	value, _ := schema.Get(f.values, pointer)
	return string(value) == "true"
}

// has reports whether there is a value.
func (f *file) has(pointer string) bool {
	_, ok := schema.Get(f.values, pointer)
	return ok
}

// items returns the pointers of the elements of an array.
func (f *file) items(pointer string) []string {
	raw, _ := schema.Get(f.values, pointer)
	elements, _ := schema.Elements(raw)
	all := make([]string, len(elements))
	for i := range elements {
		all[i] = fmt.Sprintf("%s/%d", pointer, i)
	}
	return all
}

// line returns the line of a value, or of the nearest value that contains it.
func (f *file) line(pointer string) int {
	for {
		if at, ok := schema.Offset(f.data, pointer); ok {
			return 1 + bytes.Count(f.data[:at], []byte("\n"))
		}
		at := strings.LastIndexByte(pointer, '/')
		if at < 0 {
			return 1
		}
		pointer = pointer[:at]
	}
}

// names returns the members of an object.
func (f *file) names(pointer string) []string {
	raw, _ := schema.Get(f.values, pointer)
	members, _ := schema.Members(raw)
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	return names
}

// withoutNulls makes a file be judged as if members that are null were absent.
func (f *file) withoutNulls() {
	dec := json.NewDecoder(bytes.NewReader(f.data))
	dec.UseNumber()
	var value any
	if dec.Decode(&value) != nil {
		return // it is reported as invalid
	}
	dropNulls(value, false)
	if plain, err := json.Marshal(value); err == nil {
		f.values = plain
	}
}

// dropNulls removes the members of objects that are null. In a map from names to values they stay.
func dropNulls(value any, isMap bool) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			dropNulls(element, false)
		}
	case map[string]any:
		for name, inner := range v {
			dropNulls(inner, name == "variables")
			if inner == nil && !isMap {
				delete(v, name)
			}
		}
	}
}
