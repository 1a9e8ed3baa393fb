package arguments

import (
	"errors"
	"fmt"
	"strings"
)

// A step is one step of a path: to a property, or to the end of a list.
type step struct {
	name   string
	append bool
}

// An assignment is one --arg.
type assignment struct {
	path  []step
	label string // the path as typed
	text  string
	raw   bool // := rather than =
}

// parseAssignment parses name=text, name:=JSON, a.b=text and list[]=text. A backslash escapes a dot, a bracket
// or a backslash in a name. A declared name needs no escapes.
func parseAssignment(given string, declared func(string) bool) (assignment, error) {
	key, text, found := strings.Cut(given, "=")
	if !found {
		return assignment{}, errors.New("missing =")
	}
	name, raw := strings.CutSuffix(key, ":")
	if !raw || declared(key) {
		name, raw = key, false
	}
	a := assignment{label: name, text: text, raw: raw}
	if declared(name) {
		a.path = []step{{name: name}}
		return a, nil
	}
	path, err := parsePath(name)
	a.path = path
	return a, err
}

// indexed reports whether text is a list index, such as [0].
func indexed(text string) bool {
	number, _, closed := strings.Cut(text, "]")
	return closed && len(number) > 1 && number[0] == '[' && strings.Trim(number[1:], "0123456789") == ""
}

func parsePath(text string) ([]step, error) {
	var path []step
	var name strings.Builder
	open := true // a name may start here
	flush := func() error {
		if open && name.Len() == 0 {
			return errors.New("missing name")
		}
		if name.Len() > 0 {
			path = append(path, step{name: name.String()})
			name.Reset()
		}
		return nil
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			name.WriteByte(text[i])
		case c == '.':
			if err := flush(); err != nil {
				return nil, err
			}
			open = true
			continue
		case strings.HasPrefix(text[i:], "[]"):
			if err := flush(); err != nil {
				return nil, err
			}
			path = append(path, step{append: true})
			i++
			open = false
		case indexed(text[i:]):
			return nil, fmt.Errorf("list items are set in order, not by index; use %s[] for the next item", text[:i])
		case !open && name.Len() == 0:
			return nil, errors.New("missing dot after []")
		default:
			name.WriteByte(c)
		}
	}
	return path, flush()
}
