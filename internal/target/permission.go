package target

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/redact"
)

// A Permission is what the user must confirm before a configured server is started or reached on behalf of someone
// else. It contains no secrets, and no text from the server under test.
type Permission struct {
	Name    string   `json:"name"`
	File    string   `json:"file,omitempty"` // the config file that defines the server
	Program string   `json:"program,omitempty"`
	Args    []string `json:"args,omitempty"`
	Dir     string   `json:"cwd,omitempty"`
	Env     []string `json:"env_names,omitempty"` // with values for those that load code
	URL     string   `json:"url,omitempty"`
	Headers []string `json:"header_names,omitempty"`
	Takes   []string `json:"takes,omitempty"` // environment variables of the user, and where they are used
}

// Permission describes what a target starts or reaches.
func (a *Approvals) Permission(name string, r *Resolved) Permission {
	p := Permission{Name: name, Env: r.EnvNames, URL: redact.URL(r.Secrets.Exact(r.Target.URL)),
		Headers: HeaderNames(r), Takes: r.Takes}
	if r.Entry != nil {
		p.File = r.Entry.File
	}
	if len(r.Target.Command) == 0 {
		return p
	}
	p.Dir, p.Program = r.Secrets.Exact(a.workDir(r)), r.Target.Command[0]
	if program, err := a.Program(r); err == nil {
		p.Program = program
	}
	p.Program = r.Secrets.Exact(p.Program)
	for _, arg := range r.Target.Command[1:] {
		p.Args = append(p.Args, r.Secrets.Text(arg))
	}
	p.Env = nil
	for _, name := range r.EnvNames {
		p.Env = append(p.Env, name+valueOfCode(r, name))
	}
	return p
}

// Declared describes a configured server as its file does: variables are not replaced, and files with variables are not
// read. It is for callers who may know the config file, but not the environment of the user.
func Declared(name string, r *Resolved) Permission {
	e := r.Entry
	if e == nil {
		return Permission{Name: name}
	}
	p := Permission{Name: name, File: e.File, Program: e.Command, Dir: e.Cwd, URL: redact.URL(e.URL), Takes: r.Takes}
	for _, arg := range e.Args {
		p.Args = append(p.Args, r.Secrets.Text(arg))
	}
	for _, v := range e.Env {
		p.Env = append(p.Env, v.Name)
	}
	for _, v := range e.Headers {
		p.Headers = append(p.Headers, v.Name)
	}
	return p
}

// valueOfCode returns "=value" for a variable that loads code: its value decides what is run.
func valueOfCode(r *Resolved, name string) string {
	for _, pair := range codeVariables(r) {
		if known, value, _ := strings.Cut(pair, "="); known == name {
			return "=" + r.Secrets.Text(value)
		}
	}
	return ""
}

// What describes what the user permits, such as: start the server "files".
func (p Permission) What() string {
	if p.Program == "" {
		return fmt.Sprintf("connect to the server %q", p.Name)
	}
	return fmt.Sprintf("start the server %q", p.Name)
}

// quoted returns an argument, in quotes if it would not be read as one argument.
func quoted(arg string) string {
	if arg != "" && !strings.ContainsAny(arg, " \"'\\") && printable(arg) {
		return arg
	}
	return strconv.Quote(arg)
}

// printable reports whether a text is shown as it is: it has no line breaks, control characters or invisible
// characters.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) || c == unicode.ReplacementChar })
}

// A PermissionLine is one line of a permission, with the same wording in every interface.
type PermissionLine struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Text returns the value. Characters outside ASCII are also shown by their codes: some look like others.
func (l PermissionLine) Text() string {
	if strings.ContainsFunc(l.Value, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return l.Value + " (in ASCII: " + strconv.QuoteToASCII(l.Value) + ")"
	}
	return l.Value
}

// Lines returns what a user must see before confirming.
func (p Permission) Lines() []PermissionLine {
	var lines []PermissionLine
	p.Args = slices.Clone(p.Args)
	add := func(label string, values ...string) {
		text := strings.Join(values, " ")
		if !printable(text) { // a name or path of a project must not look like another line
			text = strconv.Quote(text)
		}
		if text != "" {
			lines = append(lines, PermissionLine{label, text})
		}
	}
	add("program", p.Program)
	for i, arg := range p.Args {
		p.Args[i] = quoted(arg)
	}
	add("arguments", p.Args...)
	add("directory", p.Dir)
	add("variables", p.Env...)
	if p.Program != "" && len(p.Env) == 0 {
		add("variables", "default variables only")
	}
	add("URL", p.URL)
	add("headers", p.Headers...)
	if len(p.Takes) > 0 {
		add("takes", strings.Join(p.Takes, ", "))
	}
	add("defined in", p.File)
	return lines
}
