package diagnose

import (
	"fmt"
	"regexp"
	"strings"
)

// A sign is a text on stderr that shows why a process cannot work.
type sign struct {
	text string // a regular expression, which is compiled when it is needed: there are many
	// cause and fix can contain $1 and $2
	cause, fix string
}

// signs are in the order in which they are tried: what a program reports about itself is later.
var signs = []sign{
	{`(?m)Cannot find module '(/[^']+|[A-Z]:[^']+)'`, "the file $1 does not exist",
		"correct the path in args, or build the server: npm install, npm run build"},
	{`Cannot find (?:module|package) '([^']+)'`, "the Node module $1 is not installed",
		"run npm install in the folder of the server"},
	{`ModuleNotFoundError: No module named '([^']+)'`, "the Python module $1 is not installed",
		"use the Python that has the module, such as .venv/bin/python, or install it there"},
	{`can't open file '([^']+)'`, "the file $1 does not exist", "correct the path in args"},
	{`(?i)(?:requires?|needs?|unsupported|expected)[^\n]{0,60}\bnode(?:\.js)?\b` +
		`[^\n]{0,60}?(\d+[\d.]*)|` +
		`EBADENGINE|engine "node" is incompatible`, "the server requires another version of Node",
		"use a newer Node: write its complete path into the entry"},
	{`No such built-in module: (\S+)|ERR_UNKNOWN_BUILTIN_MODULE|node: bad option: (\S+)|` +
		`ReferenceError: (?:fetch|File|ReadableStream) is not defined|SyntaxError: Unexpected token '(?:\?|\.|\?\?=|\|\|=)`,
		"the server requires a newer version of Node", "use a newer Node: write its complete path into the entry"},
	{`(?i)requires[- ]python\S*[^\n]*?(\d+\.\d+)`, "the server requires another version of Python",
		"use that version: write its complete path into the entry"},
	{`(?i)EADDRINUSE[^\n]*?:(\d+)|address already in use[^\n]*?:(\d+)|` +
		`:(\d+):? (?:bind: )?address already in use`,
		"the port $1$2$3 is already in use by another process", "stop the other process, or give the server another port"},
	{`(?i)EADDRINUSE|address already in use`, "a port that the server needs is already in use",
		"stop the other process, or give the server another port"},
	{`(?:npm (?:error|ERR!)) 404[^\n]*'([^']+)'|npm (?:error|ERR!) 404 +Not Found[^\n]*/([\w@.%-]+)`,
		"the npm package $1$2 does not exist", "correct the name of the package in args"},
	{`(?i)(?:npm (?:error|ERR!)|getaddrinfo|error sending request|Failed to fetch)` +
		`[^\n]*(?:ENOTFOUND|EAI_AGAIN|dns error|pypi)`,
		"the package cannot be downloaded: there is no network", "connect to the network, or install the package before"},
	{`Cannot connect to the Docker daemon|docker daemon is not running`, "Docker is not running",
		"start Docker"},
	{`(?m)^(?:/usr/bin/)?env: ['‘]?([\w.-]+)['’]?: No such file`,
		"the program $1, which the command needs, is not on the PATH of the server",
		"write the complete path of $1 into the entry, and the command as its argument"},
	{`(?m)^(?:\S+: )*(?:line )?\d*:? ?([\w./-]+): (?:command )?not found`,
		"the program $1, which the command needs, is not on the PATH of the server", "install $1, or use its complete path"},
	{`(?m)KeyError: '([A-Z][A-Z0-9_]{2,})'`, missingVariable, ""},
	{`(?i)\b(?-i:([A-Z][A-Z0-9]*_[A-Z0-9_]+))\b[^\n]{0,40}(?:is not set|not set|` +
		`is required|required|must be set|is missing|missing|not provided|undefined)`,
		missingVariable, ""},
	{`(?i)(?:missing|required|requires|set|provide)[^\n]{0,60}\b(?-i:([A-Z][A-Z0-9]*_[A-Z0-9_]+))\b`,
		missingVariable, ""},
	{`(?i)(?:unknown|unrecognized|invalid|unexpected) ` +
		`(?:option|argument|flag|arguments)[: ]+['"]?([^\s'"]+)`,
		"the server does not accept the argument $1", "correct args of the entry"},
	{`(?:EACCES|PermissionError|[Pp]ermission denied)[^\n]*?['"]?(/[^\s'":]+)`,
		"the server has no permission for $1", "change the permissions of the file, or use another path"},
	{`(?:ENOENT|FileNotFoundError)[^\n]*?['"]([^\n'"]+)['"]`, "the server does not find $1",
		"correct the path in the entry"},
	{`(?i)out of memory`, "the server runs out of memory", "give it more memory"},
}

// missingVariable marks signs of environment variables.
const missingVariable = "missing variable"

// causeOf returns the cause that stderr shows; nil if it shows none.
func causeOf(stderr string, w *walk) *problem {
	s, m := signOf(stderr)
	switch {
	case m == nil:
		return nil
	case s.cause == missingVariable:
		return w.missingVariable(m[1])
	}
	return because(s.fill(s.fix, m), "%s", s.fill(s.cause, m))
}

// signOf returns the first sign that stderr shows, and what it matched; nil if there is none.
func signOf(stderr string) (sign, []string) {
	for _, s := range signs {
		if m := regexp.MustCompile(s.text).FindStringSubmatch(stderr); m != nil {
			return s, m
		}
	}
	return sign{}, nil
}

// fill replaces $1 to $3 in a text.
func (s sign) fill(text string, matched []string) string {
	for i := 1; i < 4; i++ {
		value := ""
		if i < len(matched) {
			value = matched[i]
		}
		text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), value)
	}
	return text
}

// missingVariable returns the problem of a variable that the server does not find.
func (w *walk) missingVariable(name string) *problem {
	fix := fmt.Sprintf(`add %s with its value to "env" of the entry`, name)
	client := w.out.Client.Name
	switch {
	case variable(w.target.Env, name) != "":
		return because("correct the value in the entry", "the server does not accept the environment variable %s", name)
	case variable(w.in.System.Environ, name) != "":
		passes := "passes only variables of the entry"
		switch w.out.Client.ID {
		case "codex":
			fix = fmt.Sprintf(`add to the entry: env_vars = [%q]`, name)
		case "gemini-cli":
			fix, passes = fmt.Sprintf(`add to "env" of the entry: %q: "$%s"`, name, name), "does not pass secrets of the shell"
		}
		return because(fix, "the server requires the environment variable %s, which is set in your shell; %s %s", name,
			client, passes)
	}
	return because(fix, "the server requires the environment variable %s, which is not set", name)
}

// lastLines returns the last lines of stderr as evidence.
func lastLines(stderr string) []string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	lines = lines[max(0, len(lines)-8):]
	var out []string
	for _, line := range lines {
		if line = strings.TrimRight(line, " \r"); line != "" {
			out = append(out, "stderr: "+line)
		}
	}
	return out
}

func lastLine(stderr string) string {
	lines := lastLines(stderr)
	if len(lines) == 0 {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(lines[len(lines)-1], "stderr: "))
}
