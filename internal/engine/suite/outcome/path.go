package outcome

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Path is the location of a value in a response: result.content[0].text, or tool["x"].score.
type Path []string

// ParsePath parses a path as the user writes it.
func ParsePath(text string) (Path, error) {
	var p Path
	for rest := text; rest != ""; {
		switch {
		case rest[0] == '[':
			inside, after, err := bracketed(rest)
			if err != nil {
				return nil, fmt.Errorf("%q%w", text, err)
			}
			p, rest = append(p, inside), after
		case rest[0] == '.' && len(p) > 0:
			rest = rest[1:]
			if rest == "" || rest[0] == '.' || rest[0] == '[' {
				return nil, fmt.Errorf("%q has a dot without a name after it", text)
			}
		default:
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				return nil, fmt.Errorf("%q begins with a dot", text)
			}
			p, rest = append(p, rest[:end]), rest[end:]
		}
	}
	if len(p) == 0 {
		return nil, fmt.Errorf("the target is empty")
	}
	return p, nil
}

// bracketed reads the number or the name in the brackets at the start of a text.
func bracketed(text string) (inside, after string, err error) {
	end := strings.IndexByte(text, ']')
	if end > 1 && (text[1] == '"' || text[1] == '\'') {
		if close := strings.Index(text[2:], string(text[1])+"]"); close >= 0 {
			end = close + 3
		}
	}
	if end < 2 {
		return "", "", errors.New(" has an unclosed [")
	}
	inside = text[1:end]
	if n := len(inside); n >= 2 && (inside[0] == '"' || inside[0] == '\'') && inside[n-1] == inside[0] {
		inside = inside[1 : n-1]
	} else if _, err := strconv.ParseUint(inside, 10, 31); err != nil {
		return "", "", fmt.Errorf(": [%s] is neither a number nor a quoted name", inside)
	}
	return inside, text[end+1:], nil
}

// of finds the value in a document.
func (p Path) of(doc json.RawMessage) (json.RawMessage, bool) {
	var pointer strings.Builder
	for _, token := range p {
		pointer.WriteString("/" + schema.Token(token))
	}
	return schema.Get(doc, pointer.String())
}
