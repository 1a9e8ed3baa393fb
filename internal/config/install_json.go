package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// installJSON adds or replaces an entry in a file that may have comments and trailing commas.
func installJSON(source []byte, list, key string, command Command, kind bool) ([]byte, error) {
	body := bytes.TrimPrefix(source, byteOrderMark)
	mark := source[:len(source)-len(body)]
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}\n")
	}
	d := &document{original: body, plain: strict(body)}
	whole, err := whole(d.plain)
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if whole.Kind() != '{' {
		return nil, fmt.Errorf("expected an object, got %s", rawjson.KindName(whole))
	}
	start := len(d.plain) - len(bytes.TrimLeft(d.plain, " \t\r\n"))
	after, err := d.install(span{start, start + len(whole)}, list, key, entryOf(command, kind))
	return append(bytes.Clone(mark), after...), err
}

// A document is a file with comments, and the same text without them, of equal length.
type document struct{ original, plain []byte }

// A span is a part of a document.
type span struct{ from, to int }

func (d *document) install(top span, list, key string, entry []byte) ([]byte, error) {
	servers, found, err := d.member(top, list)
	if err != nil {
		return nil, err
	}
	if !found {
		return d.insert(top, list, []byte(`{`+quoteKey(key)+`:`+string(entry)+`}`)), nil
	}
	if d.plain[servers.from] != '{' {
		return nil, fmt.Errorf("%s is %s, expected an object of servers by name", list,
			rawjson.KindName(d.plain[servers.from:servers.to]))
	}
	old, found, err := d.member(servers, key)
	if err != nil {
		return nil, err
	}
	if found {
		return d.splice(old, d.indented(entry, d.indentAt(old.from))), nil
	}
	return d.insert(servers, key, entry), nil
}

// member finds a member of an object, and fails if the name is duplicate.
func (d *document) member(object span, name string) (at span, found bool, err error) {
	r := &reader{source: d.plain, original: d.original}
	for _, m := range r.members(jsontext.Value(d.plain[object.from:object.to]), object.from) {
		if m.name != name {
			continue
		}
		if found {
			return span{}, false, errors.New(name + " appears twice")
		}
		at, found = span{m.at, m.at + len(m.value)}, true
	}
	return at, found, nil
}

// insert adds a member at the end of an object, in the style of the existing ones.
func (d *document) insert(object span, name string, value []byte) []byte {
	brace := object.to - 1
	blank := len(d.original[:brace]) - len(bytes.TrimRight(d.original[:brace], " \t\r\n"))
	end := brace - blank // after the last member and a comment that follows it
	last, has := d.lastMember(object)
	before := ""
	if has && !d.commaAfter(last, brace) {
		before = ","
	}
	inner := d.indentAt(object.from) + d.unit()
	if has {
		if own := d.indentAt(last.from); strings.TrimSpace(own) == "" && d.startsLine(last) {
			inner = own
		}
	}
	line := d.newline()
	member := line + inner + quoteKey(name) + ": " + string(d.indented(value, inner))
	tail := line + d.indentAt(object.from)
	var out bytes.Buffer
	if has {
		out.Write(d.original[:last.to])
		out.WriteString(before)
		out.Write(d.original[last.to:end])
	} else {
		out.Write(d.original[:end])
	}
	out.WriteString(member)
	if closing := d.original[end:brace]; bytes.ContainsAny(closing, "\n") {
		out.Write(closing)
	} else {
		out.WriteString(tail)
	}
	out.Write(d.original[brace:])
	return out.Bytes()
}

func (d *document) lastMember(object span) (span, bool) {
	r := &reader{source: d.plain, original: d.original}
	members := r.members(jsontext.Value(d.plain[object.from:object.to]), object.from)
	if len(members) == 0 {
		return span{}, false
	}
	m := members[len(members)-1]
	return span{m.at, m.at + len(m.value)}, true
}

// commaAfter reports whether there is a trailing comma between the last member and the brace.
func (d *document) commaAfter(last span, brace int) bool {
	for i := last.to; i < brace; {
		if n := skip(d.original[i:]); n > 0 {
			i += n
			continue
		}
		return d.original[i] == ','
	}
	return false
}

// startsLine reports whether a member begins on a new line.
func (d *document) startsLine(m span) bool {
	line := d.original[bytes.LastIndexByte(d.original[:m.from], '\n')+1 : m.from]
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte(`"`))
}

// indentAt is the leading white space of the line at an offset.
func (d *document) indentAt(at int) string {
	line := d.original[bytes.LastIndexByte(d.original[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit is one step of indentation: the smallest one in the file.
func (d *document) unit() string {
	smallest := ""
	for line := range bytes.SplitSeq(d.original, []byte("\n")) {
		n := len(line) - len(bytes.TrimLeft(line, " \t"))
		if n > 0 && n < len(bytes.TrimRight(line, "\r")) && (smallest == "" || n < len(smallest)) {
			smallest = string(line[:n])
		}
	}
	if smallest == "" {
		return "  "
	}
	return smallest
}

func (d *document) newline() string {
	if bytes.Contains(d.original, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (d *document) splice(at span, value []byte) []byte {
	return append(append(bytes.Clone(d.original[:at.from]), value...), d.original[at.to:]...)
}

// indented formats a value over several lines, the first without indentation.
func (d *document) indented(value []byte, prefix string) []byte {
	var out bytes.Buffer
	if json.Indent(&out, value, prefix, d.unit()) != nil {
		return value
	}
	return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(d.newline()))
}

func entryOf(command Command, kind bool) []byte {
	entry := struct {
		Type    string   `json:"type,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{Command: command.Program, Args: command.Args}
	if kind {
		entry.Type = "stdio"
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(entry) // strings always encode
	return bytes.TrimSpace(out.Bytes())
}

func quoteKey(key string) string {
	quoted, _ := json.Marshal(key)
	return string(quoted)
}
