package config

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

var (
	bareKey  = regexp.MustCompile(`^[A-Za-z0-9_-]+`)
	bareText = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+)`)
	dateText = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d|\d\d:\d\d)`)
)

// key reads one part of a key.
func (r *tomlReader) key() (string, error) {
	if c := r.peek(); c == '"' || c == '\'' {
		return r.line()
	}
	key := bareKey.Find(r.source[r.at:])
	if key == nil {
		return "", r.fail("expected a key")
	}
	r.at += len(key)
	return string(key), nil
}

// value reads a value.
func (r *tomlReader) value(depth int) (*node, error) {
	start := r.at
	if depth > maxDepth {
		return nil, r.fail("the nesting is deeper than %d", maxDepth)
	}
	switch r.peek() {
	case '[':
		return r.array(depth)
	case '{':
		return r.inline(depth)
	case '"', '\'':
		text, err := r.text()
		return &node{at: start, json: quoteKey(text)}, err
	}
	bare := string(bareText.Find(r.source[r.at:]))
	text, ok := bareJSON(bare)
	if !ok {
		return nil, r.fail("expected a value")
	}
	r.at += len(bare)
	return &node{at: start, json: text}, nil
}

// bareJSON returns a number, a boolean or a date as JSON.
func bareJSON(bare string) (string, bool) {
	if bare == "true" || bare == "false" {
		return bare, true
	}
	if dateText.MatchString(bare) || strings.Trim(bare, "+-") == "inf" || strings.Trim(bare, "+-") == "nan" {
		return quoteKey(bare), true
	}
	number := strings.ReplaceAll(strings.TrimPrefix(bare, "+"), "_", "")
	if len(number) > 2 && number[0] == '0' && strings.Contains("xob", number[1:2]) {
		n, err := strconv.ParseInt(number, 0, 64)
		return strconv.FormatInt(n, 10), err == nil
	}
	return number, number != "" && strings.Contains("-0123456789", number[:1]) && json.Valid([]byte(number))
}

func (r *tomlReader) array(depth int) (*node, error) {
	list := &node{at: r.at, list: true}
	r.at++
	for {
		r.blank()
		if r.take("]") {
			return list, nil
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list.members = append(list.members, value)
		r.blank()
		if !r.take(",") && r.peek() != ']' {
			return nil, r.fail("expected , or ] in the list")
		}
	}
}

func (r *tomlReader) inline(depth int) (*node, error) {
	table := &node{at: r.at, table: true, header: true}
	r.at++
	for {
		r.blank()
		if r.take("}") {
			return table, nil
		}
		if err := r.pair(table, depth+1); err != nil {
			return nil, err
		}
		r.blank()
		if !r.take(",") && r.peek() != '}' {
			return nil, r.fail("expected , or } in the table")
		}
	}
}

// text reads a string of one or several lines.
func (r *tomlReader) text() (string, error) {
	for _, quote := range []string{`"""`, `'''`} {
		if !r.take(quote) {
			continue
		}
		if !r.take("\n") {
			r.take("\r\n")
		}
		end := r.find(quote)
		if end < 0 {
			return "", r.fail("the string is not closed")
		}
		for range 2 { // a string may end with quotes of its own
			if end+3 < len(r.source) && r.source[end+3] == quote[0] {
				end++
			}
		}
		inner := r.source[r.at:end]
		text, err := r.unescaped(inner, quote[0] == '"')
		r.at = end + 3
		return text, err
	}
	return r.line()
}

// line reads a string of one line.
func (r *tomlReader) line() (string, error) {
	quote := string(r.peek())
	r.at++
	end := r.find(quote)
	if end < 0 || bytes.IndexByte(r.source[r.at:end], '\n') >= 0 {
		return "", r.fail("the string is not closed")
	}
	text, err := r.unescaped(r.source[r.at:end], quote == `"`)
	r.at = end + 1
	return text, err
}

// find returns the offset of the closing quotes; -1 if there are none.
func (r *tomlReader) find(quote string) int {
	for i := r.at; i < len(r.source); i++ {
		if quote[0] == '"' && r.source[i] == '\\' {
			i++
		} else if bytes.HasPrefix(r.source[i:], []byte(quote)) {
			return i
		}
	}
	return -1
}

// escapes are the escapes of one letter.
var escapes = map[byte]string{'b': "\b", 't': "\t", 'n': "\n", 'f': "\f", 'r': "\r", '"': `"`, '\\': `\`, 'e': "\x1b"}

// unescaped returns the text of a string.
func (r *tomlReader) unescaped(inner []byte, escaped bool) (string, error) {
	if !escaped || bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), nil
	}
	var out strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			out.WriteByte(inner[i])
			continue
		}
		i++ // find skipped a pair, so there is a next byte
		c := inner[i]
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		switch text, known := escapes[c]; {
		case known:
			out.WriteString(text)
		case digits > 0 && i+digits < len(inner):
			code, err := strconv.ParseUint(string(inner[i+1:i+1+digits]), 16, 31)
			if err != nil {
				return "", r.fail(`invalid escape \%c`, c)
			}
			out.WriteRune(rune(code))
			i += digits
		case strings.TrimLeft(string(inner[i:]), " \t\r\n") != string(inner[i:]): // the line continues
			i += len(inner[i:]) - len(bytes.TrimLeft(inner[i:], " \t\r\n")) - 1
		default:
			return "", r.fail(`invalid escape \%c`, c)
		}
	}
	return out.String(), nil
}
