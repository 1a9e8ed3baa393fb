package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// Expand returns the entry with its variables replaced: ${VAR}, ${VAR:-default}, ${env:VAR}, ${workspaceFolder},
// ${workspaceFolderBasename}, ${userHome} and ${pathSeparator}. A variable that is not set and has no default is an
// error with its name, and so is a placeholder that only the host itself can fill in. Other text with ${ stays
// unchanged. Entries of Gemini CLI may also contain $VAR; those of Codex contain no references, but keys that name
// variables.
func (e Entry) Expand(sys System) (Entry, error) {
	x := &expander{sys: sys, root: e.Root, literal: e.Literal, bare: e.Host == "gemini"}
	e.Command = x.text(e.Command)
	e.Args = x.texts(e.Args)
	e.Cwd = x.text(e.Cwd)
	e.EnvFile = x.text(e.EnvFile)
	e.URL = x.text(e.URL)
	e.Env = x.variables(e.Env)
	e.Headers = x.variables(e.Headers)
	if len(x.missing) > 0 {
		return Entry{}, Problem{File: e.File, Line: e.Line, Column: e.Column,
			Message: fmt.Sprintf("server %q requires %s", e.Name, strings.Join(x.missing, "; "))}
	}
	return e, nil
}

// References lists the references of a value of the entry to environment variables, such as ${TOKEN}.
func (e Entry) References(v Variable) []string {
	var all []string
	lookup := func(name string) (string, bool) {
		all = append(all, "${"+name+"}")
		return "", true
	}
	x := &expander{sys: System{Lookup: lookup}, literal: e.Literal && v.Source == "", bare: e.Host == "gemini"}
	x.text(v.Value)
	return all
}

type expander struct {
	sys     System
	root    string
	literal bool // text contains no references
	bare    bool // $VAR is a reference
	missing []string
}

func (x *expander) texts(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = x.text(text)
	}
	return out
}

func (x *expander) variables(variables []Variable) []Variable {
	out := make([]Variable, 0, len(variables))
	for _, v := range variables {
		own := *x
		own.literal = x.literal && v.Source == ""
		value := own.text(v.Value)
		if v.Source == Optional && len(own.missing) > len(x.missing) {
			continue
		}
		x.missing = own.missing
		out = append(out, Variable{Name: v.Name, Value: value, Source: v.Source})
	}
	return out
}

var bareReference = lazyregexp.New(`\$([A-Za-z_][A-Za-z0-9_]*)`)

func (x *expander) text(text string) string {
	if x.literal {
		return text
	}
	if x.bare {
		text = bareReference().ReplaceAllString(text, "$${$1}")
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		inner, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(before)
		value, ok := x.value(inner)
		if !ok {
			value = "${" + inner + "}"
		}
		out.WriteString(value)
		text = after
	}
}

// value is the replacement for ${inner}; not ok leaves the text unchanged.
func (x *expander) value(inner string) (value string, ok bool) {
	switch inner {
	case "workspaceFolder":
		return x.root, true
	case "workspaceFolderBasename":
		return filepath.Base(x.root), true
	case "userHome":
		return x.sys.Home, true
	case "pathSeparator", "/":
		return x.separator(), true
	}
	kind, name, prefixed := strings.Cut(inner, ":")
	if prefixed && slices.Contains([]string{"input", "command", "config"}, kind) {
		x.miss(fmt.Sprintf("${%s}, which only VS Code can fill in: pass the value with --env or --header, or use "+
			"${env:NAME}", inner))
		return "", true
	}
	if prefixed && kind == "env" {
		return x.variable(name, "", false)
	}
	name, fallback, hasFallback := strings.Cut(inner, ":-")
	return x.variable(name, fallback, hasFallback)
}

func (x *expander) separator() string {
	if x.sys.GOOS == "windows" {
		return `\`
	}
	return "/"
}

func (x *expander) variable(name, fallback string, hasFallback bool) (string, bool) {
	if !variableName(name) {
		return "", false
	}
	value, set := x.sys.Lookup(name)
	switch {
	case set && (value != "" || !hasFallback):
		return value, true
	case hasFallback:
		return fallback, true
	}
	x.miss("the environment variable " + name + ", which is not set")
	return "", true
}

func (x *expander) miss(what string) {
	if !slices.Contains(x.missing, what) {
		x.missing = append(x.missing, what)
	}
}

func variableName(name string) bool {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
