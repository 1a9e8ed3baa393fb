package arguments

import (
	"errors"
	"fmt"
	"strings"
)

// A step leads from a value into it: to a property, or to the end of a list.
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

// parseAssignment reads name=text, name:=JSON, a.b=text and list[]=text. A backslash takes the meaning from a dot, a
// bracket or a backslash in a name. A name that the schema declares as it stands needs none.
func parseAssignment(given string, declared func(string) bool) (assignment, error) {
	key, text, found := strings.Cut(given, "=")
	if !found {
		return assignment{}, errors.New("it has no =")
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

// indexed reports a position in a list, such as [0].
func indexed(text string) bool {
	number, _, closed := strings.Cut(text, "]")
	return closed && len(number) > 1 && number[0] == '[' && strings.Trim(number[1:], "0123456789") == ""
}

func parsePath(text string) ([]step, error) {
	var path []step
	var name strings.Builder
	open := true // a name may begin here
	flush := func() error {
		if open && name.Len() == 0 {
			return errors.New("a name is missing")
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
			return nil, fmt.Errorf("a list is filled in order, not by number; write %s[] for the next item", text[:i])
		case !open && name.Len() == 0:
			return nil, errors.New("a dot is missing after []")
		default:
			name.WriteByte(c)
		}
	}
	return path, flush()
}
