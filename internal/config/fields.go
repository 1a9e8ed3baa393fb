package config

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// entry reads one server. An invalid entry is reported and skipped; unknown fields are ignored, they belong to the
// host.
func (r *reader) entry(m member, scope Scope, root string) (Entry, bool) {
	line, column := r.position(m.at)
	e := Entry{Name: m.name, File: r.file, Line: line, Column: column, Host: r.host, Scope: scope, Root: root,
		Literal: r.toml}
	if m.value.Kind() != '{' {
		r.problem(m.at, "server %q: expected an object with command or url, got %s", m.name, rawjson.KindName(m.value))
		return e, false
	}
	ok := m.name != ""
	if !ok {
		r.problem(m.at, "server name is empty")
	}
	for _, field := range r.members(m.value, m.at) {
		ok = r.field(&e, field) && ok
	}
	return e, ok && r.complete(&e, m.at)
}

func (r *reader) field(e *Entry, f member) bool {
	for _, key := range append(r.ownKeys(), Keys()...) {
		if slices.Contains(key.Names, f.name) {
			return key.read(r, e, f)
		}
	}
	return true
}

// complete checks that the fields define exactly one way to reach the server.
func (r *reader) complete(e *Entry, at int) bool {
	kind, known := kinds[strings.ToLower(e.Type)]
	switch {
	case !known:
		r.problem(at, "server %q: unknown type %q, expected stdio, http or sse", e.Name, e.Type)
	case kind == "stdio" && e.Command == "":
		r.problem(at, "server %q: type stdio without command", e.Name)
	case (kind == "http" || kind == "sse") && e.URL == "":
		r.problem(at, "server %q: type %s without url", e.Name, e.Type)
	case kind == "" && e.Command != "" && e.URL != "":
		r.problem(at, "server %q: command and url are mutually exclusive, unless type selects one", e.Name)
	case e.Command == "" && e.URL == "":
		r.problem(at, "server %q requires command or url", e.Name)
	default:
		e.Type = kind
		if kind == "" && e.Command != "" {
			e.Type = "stdio"
		}
		if e.Type == "stdio" {
			e.URL, e.Headers = "", nil
		} else {
			e.Command, e.Args, e.Env, e.EnvFile, e.Cwd = "", nil, nil, "", ""
		}
		return true
	}
	return false
}

// kinds maps the spellings of hosts to ours; the empty one means that the HTTP transport is detected.
var kinds = map[string]string{
	"": "", "stdio": "stdio", "sse": "sse", "http": "http", "streamable-http": "http", "streamablehttp": "http",
	"streaming-http":  "http",
	"streamable_http": "http",
}

func (r *reader) text(e *Entry, f member, to *string) bool {
	text, ok := scalar(f.value)
	if f.value.Kind() != '"' && f.value.Kind() != 'n' || !ok {
		return r.wrong(e, f, f.name, "a string")
	}
	*to = text
	return true
}

func (r *reader) flag(e *Entry, f member, disables bool) bool {
	switch f.value.Kind() {
	case 't':
		e.Disabled = disables
	case 'f':
		e.Disabled = !disables
	default:
		return r.wrong(e, f, f.name, "true or false")
	}
	return true
}

// list reads arguments; numbers and booleans are converted to text.
func (r *reader) list(e *Entry, f member, to *[]string) bool {
	if f.value.Kind() == 'n' {
		return true
	}
	if f.value.Kind() != '[' {
		return r.wrong(e, f, f.name, "an array of strings")
	}
	for _, item := range r.items(f) {
		text, ok := scalar(item.value)
		if !ok || item.value.Kind() == 'n' {
			return r.wrong(e, item, f.name+" item", "a string")
		}
		*to = append(*to, text)
	}
	return true
}

// items lists the items of an array whose syntax has been checked.
func (r *reader) items(f member) []member {
	decoder := newDecoder(f.value)
	if _, err := decoder.ReadToken(); err != nil {
		return nil
	}
	var list []member
	for decoder.PeekKind() != ']' {
		value, err := decoder.ReadValue()
		if err != nil {
			break
		}
		list = append(list, member{name: f.name, value: value.Clone(), at: f.at + int(decoder.InputOffset()) - len(value)})
	}
	return list
}

// variables reads names with values. As in VS Code, null omits a variable.
func (r *reader) variables(e *Entry, f member, to *[]Variable) bool {
	if f.value.Kind() == 'n' {
		return true
	}
	if f.value.Kind() != '{' {
		return r.wrong(e, f, f.name, "an object of strings")
	}
	for _, m := range r.members(f.value, f.at) {
		text, ok := scalar(m.value)
		if !ok {
			return r.wrong(e, m, f.name+" "+m.name, "a string")
		}
		if m.value.Kind() != 'n' {
			*to = append(*to, Variable{Name: m.name, Value: text})
		}
	}
	return true
}

func (r *reader) wrong(e *Entry, f member, what, want string) bool {
	r.problem(f.at, "server %q: %s: expected %[4]s, got %[3]s", e.Name, what, rawjson.KindName(f.value), want)
	return false
}

// scalar is the text of a string, number, boolean or null; numbers keep their spelling.
func scalar(value jsontext.Value) (string, bool) {
	switch value.Kind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, value)
		return string(text), err == nil
	case '0', 't', 'f':
		return string(value), true
	case 'n':
		return "", true
	}
	return "", false
}
