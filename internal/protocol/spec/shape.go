package spec

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed shapes.txt
var shapesText string

// A typ is the type of a value. One of its parts is set.
type typ struct {
	basic   string // string number integer boolean null object any uri template
	literal string // as JSON text
	shape   string
	array   *typ
	values  *typ // of an object whose values all have the same type
	either  []*typ

	least, most *float64 // of a number, or of the length of an array
}

// A field is a field of a shape, or all fields of another one.
type field struct {
	name     string
	optional bool
	typ      *typ
	include  string
}

// A shape is an object with known fields, or a name for a type.
type shape struct {
	name   string
	fields []field
	alias  *typ
}

// shapes are the shapes of each revision, parsed on first use.
var shapes = sync.OnceValue(func() map[string]map[string]*shape {
	all := map[string]map[string]*shape{}
	for _, id := range IDs() {
		read, err := readShapes(shapesText, id)
		if err != nil {
			panic("spec: " + err.Error())
		}
		all[id] = read
	}
	return all
})

// readShapes reads the table for one revision.
func readShapes(text, revision string) (map[string]*shape, error) {
	all := map[string]*shape{}
	var current *shape // nil within a shape that the revision does not have
	for number, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		body, span, _ := strings.Cut(line, "@")
		has := within(revision, strings.TrimSpace(span))
		words := strings.Fields(body)
		var err error
		switch {
		case line[0] != ' ' && !has:
			current = nil
		case line[0] != ' ':
			current = &shape{name: words[0]}
			all[words[0]] = current
			if len(words) == 3 && words[1] == "=" {
				current.alias, err = parseType(words[2])
			}
		case current != nil && words[0] == "+":
			current.fields = append(current.fields, field{include: words[1]})
		case current != nil && has:
			name, optional := strings.CutSuffix(words[0], "?")
			f := field{name: name, optional: optional}
			f.typ, err = parseType(words[1])
			current.fields = append(current.fields, f)
		}
		if err != nil {
			return nil, fmt.Errorf("shapes.txt:%d: %w", number+1, err)
		}
	}
	for _, s := range all {
		s.fields = expand(all, s.fields)
	}
	return all, nil
}

// expand replaces references to other shapes by their fields.
func expand(all map[string]*shape, fields []field) []field {
	var expanded []field
	for _, f := range fields {
		if f.include == "" {
			expanded = append(expanded, f)
			continue
		}
		expanded = append(expanded, expand(all, all[f.include].fields)...)
	}
	return expanded
}

// within reports whether a revision is in a range: "", "from..", "..to", "from..to" or a single one.
func within(revision, span string) bool {
	if span == "" {
		return true
	}
	from, to, isRange := strings.Cut(span, "..")
	if !isRange {
		return revision == span
	}
	return revision >= from && (to == "" || revision <= to)
}

// parseType parses a type that spans the whole text.
func parseType(text string) (*typ, error) {
	t, rest, err := parseEither(text)
	if err == nil && rest != "" {
		err = fmt.Errorf("unexpected %q in the type %q", rest, text)
	}
	return t, err
}

func parseEither(text string) (*typ, string, error) {
	first, rest, err := parseOne(text)
	either := []*typ{first}
	for err == nil && strings.HasPrefix(rest, "|") {
		var next *typ
		next, rest, err = parseOne(rest[1:])
		either = append(either, next)
	}
	if len(either) == 1 {
		return first, rest, err
	}
	return &typ{either: either}, rest, err
}

func parseOne(text string) (t *typ, rest string, err error) {
	switch {
	case strings.HasPrefix(text, "["), strings.HasPrefix(text, "{"):
		inner, rest, err := parseEither(text[1:])
		if err != nil || rest == "" || rest[0] != text[0]+2 { // the closing bracket of either kind
			return nil, "", fmt.Errorf("unclosed %q", text)
		}
		if text[0] == '{' {
			return &typ{values: inner}, rest[1:], nil
		}
		t := &typ{array: inner}
		rest, err = t.bounds(rest[1:])
		return t, rest, err
	case strings.HasPrefix(text, `"`):
		end := strings.IndexByte(text[1:], '"') + 2
		return &typ{literal: text[:end]}, text[end:], nil
	}
	end := strings.IndexAny(text, "|]}(")
	if end < 0 {
		end = len(text)
	}
	name := text[:end]
	switch name {
	case "":
		return nil, "", fmt.Errorf("missing type in %q", text)
	case "string", "number", "integer", "boolean", "null", "object", "any", "uri", "template":
		t = &typ{basic: name}
	default:
		t = &typ{shape: name}
	}
	rest, err = t.bounds(text[end:])
	return t, rest, err
}

// bounds parses (least..most), if present.
func (t *typ) bounds(text string) (rest string, err error) {
	inner, rest, ok := strings.Cut(text, ")")
	if !strings.HasPrefix(text, "(") || !ok {
		return text, nil
	}
	least, most, _ := strings.Cut(inner[1:], "..")
	for _, b := range []struct {
		text string
		into **float64
	}{{least, &t.least}, {most, &t.most}} {
		if b.text == "" {
			continue
		}
		n, err := strconv.ParseFloat(b.text, 64)
		if err != nil {
			return "", err
		}
		*b.into = &n
	}
	return rest, nil
}
