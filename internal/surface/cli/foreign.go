package cli

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// foreignCommands maps commands of other MCP tools, and method names, to the commands of mcptest.
var foreignCommands = map[string]string{
	"tools/list": "tools list", "list": "tools list", "list-tools": "tools list",
	"tools/call": "tools call", "call": "tools call", "call-tool": "tools call",
	"resources/list": "resources list", "list-resources": "resources list",
	"resources/read": "resources read", "read": "resources read", "read-resource": "resources read",
	"resources/templates/list": "resources templates",
	"prompts/list":             "prompts list", "list-prompts": "prompts list",
	"prompts/get": "prompts get", "get-prompt": "prompts get",
	"initialize": "raw initialize", "ping": "raw ping", "server/discover": "raw server/discover",
	"logging/setLevel": "raw logging/setLevel",
	"audit":            "check", "doctor": "check", "scan": "check", "grade": "check",
	"inspector": "inspect", "ui": "inspect",
	"test": "run", "validate": "suite validate",
}

// foreignFlags maps flags of other MCP tools to those of mcptest. An empty name means that mcptest needs no such
// flag: it detects the transport.
var foreignFlags = map[string]string{
	"--tool-arg": "--arg", "--prompt-args": "--arg", "--tool-args-json": "--args", "--params": "--args", "-p": "--args",
	"-e": "--env", "-H": "--header", "--headers": "--header", "--transport": "", "-t": "",
}

// nameFlags are flags of other MCP tools whose value mcptest takes as an argument.
var nameFlags = []string{"--tool-name", "--prompt-name", "--uri"}

// serverFlags are flags of other MCP tools whose value is the server.
var serverFlags = []string{"--server", "--server-url", "--url"}

// valueFlags are flags of mcptest that have a value and that other MCP tools have as well.
var valueFlags = []string{"--arg", "--args", "--config", "--cwd", "--env", "--header", "--log-level", "--protocol",
	"--timeout"}

// firstArgument is the argument that a command needs before the server.
var firstArgument = map[string]string{"tools call": "TOOL", "prompts get": "NAME", "resources read": "URI"}

// launchers are programs that start a server. After a command of mcptest they are its command without --.
var launchers = []string{"npx", "uvx", "uv", "node", "python", "python3", "docker", "bunx", "bun", "deno", "pipx", "go"}

// ownCommands are commands of mcptest that take a server as their only argument.
var ownCommands = []string{"check", "conform", "fuzz", "load", "isolate", "ready", "inspect", "schema-lint", "init", "listen",
	"tools list", "resources list", "resources templates", "prompts list"}

// assignment matches an argument of a tool without --arg.
var assignment = lazyregexp.New(`^[A-Za-z_][\w.\[\]-]*:?=`)

// A foreignLine is a command line in the syntax of another MCP tool, while it is translated.
type foreignLine struct {
	command string   // of mcptest
	words   []string // arguments: the first argument, then the server
	flags   []string
	server  []string // the command after --
	foreign bool     // something is not the syntax of mcptest
}

// equivalent returns the command line of mcptest for one in the syntax of another MCP tool, such as MCP Inspector;
// "" if it contains nothing that other tools have.
func equivalent(args []string) string {
	l := &foreignLine{}
	for len(args) > 0 {
		args = l.read(args)
	}
	if !l.foreign || l.command == "" {
		return ""
	}
	return l.String()
}

// read translates the first argument and its values, and returns the rest.
func (l *foreignLine) read(args []string) []string {
	word, rest := args[0], args[1:]
	name, value, joined := strings.Cut(word, "=")
	if joined && strings.HasPrefix(word, "-") {
		word, rest = name, append([]string{value}, rest...)
	}
	own, isForeign := foreignFlags[word]
	switch {
	case word == "--":
		l.server = rest
		return nil
	case word == "--cli":
		l.foreign = true
	case word == "--method" && len(rest) > 0:
		l.command, l.foreign = methodCommand(rest[0]), true
		return rest[1:]
	case slices.Contains(nameFlags, word) && len(rest) > 0:
		l.words, l.foreign = append([]string{rest[0]}, l.words...), true
		return rest[1:]
	case slices.Contains(serverFlags, word) && len(rest) > 0:
		l.words, l.foreign = append(l.words, rest[0]), true
		return rest[1:]
	case isForeign && len(rest) > 0:
		l.foreign = true
		return l.values(own, rest)
	case slices.Contains(valueFlags, word) && len(rest) > 0:
		l.flags = append(l.flags, word, rest[0])
		return rest[1:]
	case strings.HasPrefix(word, "-"):
		l.flags = append(l.flags, word)
	case l.command == "" && len(l.words) == 0 && foreignCommands[word] != "":
		l.command, l.foreign = foreignCommands[word], true
	case l.command == "" && len(l.words) == 0 && len(rest) > 0 && firstArgument[word+" "+rest[0]] != "":
		l.command = word + " " + rest[0]
		return rest[1:]
	case l.command == "" && len(l.words) == 0 && slices.Contains(ownCommands, word):
		l.command = word
	case l.command == "" && len(l.words) == 0 && len(rest) > 0 && slices.Contains(ownCommands, word+" "+rest[0]):
		l.command = word + " " + rest[0]
		return rest[1:]
	case slices.Contains(launchers, word) && l.atServer():
		l.server, l.foreign = args, true
		if len(rest) > 0 && rest[0] == "--" { // it belongs before the launcher
			l.server = append([]string{word}, rest[1:]...)
		}
		return nil
	case assignment().MatchString(word) && (l.command == "tools call" || l.command == "prompts get"):
		l.flags, l.foreign = append(l.flags, "--arg", word), true
	default:
		l.words = append(l.words, word)
	}
	return rest
}

// atServer reports whether the next argument is the server.
func (l *foreignLine) atServer() bool {
	if l.command == "" {
		return false
	}
	needed := 0
	if firstArgument[l.command] != "" {
		needed = 1
	}
	return len(l.words) == needed
}

// values reads the value of a flag; MCP Inspector accepts several pairs after --tool-arg and --prompt-args.
func (l *foreignLine) values(flag string, rest []string) []string {
	for first := true; len(rest) > 0 && (first || flag == "--arg" && assignment().MatchString(rest[0])); first = false {
		if flag != "" {
			l.flags = append(l.flags, flag, rest[0])
		}
		rest = rest[1:]
	}
	return rest
}

func methodCommand(method string) string {
	if command := foreignCommands[method]; command != "" {
		return command
	}
	return "raw " + method
}

// String returns the command line, with placeholders for what is missing. Several words after the first argument are
// the command that starts the server.
func (l *foreignLine) String() string {
	words, server := l.words, l.server
	line := []string{"mcptest", l.command}
	if first := firstArgument[l.command]; first != "" {
		if len(words) == 0 {
			words = []string{first}
		}
		line, words = append(line, workbench.QuoteWord(words[0])), words[1:]
	}
	for _, flag := range l.flags {
		line = append(line, workbench.QuoteWord(flag))
	}
	words = append(slices.Clone(words), server...)
	switch {
	case l.command == "run" || l.command == "suite validate":
	case len(words) == 0:
		words = []string{"TARGET"}
	case len(words) > 1 || len(server) > 0 || isPath(words[0]):
		line = append(line, "--")
	}
	for _, word := range words {
		line = append(line, workbench.QuoteWord(word))
	}
	return strings.Join(line, " ")
}

// isPath reports whether a single word is the path of a program, not a URL or a name.
func isPath(word string) bool {
	return strings.Contains(word, "/") && !strings.Contains(word, "://")
}
