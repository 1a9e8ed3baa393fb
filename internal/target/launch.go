package target

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// A Launch is a server that a caller other than the user names by a command line, or by the path of a script or a
// folder. It follows from the text alone: nothing is looked up before the user allows it.
type Launch struct {
	Command []string // nil if files decide it; see Resolve
	Path    string   // absolute; empty if the command is known
	Dir     string   // of the command
}

// maxLaunch is the maximum length of the text: the user must be able to read it in a question.
const maxLaunch = 1000

// scriptCommands are the commands for scripts that are started in one way. Others depend on the files beside them.
var scriptCommands = map[string][]string{
	".js": {"node"}, ".mjs": {"node"}, ".cjs": {"node"}, ".go": {"go", "run"}, ".py": nil, ".ts": nil, ".mts": nil,
}

var hostAndPort = lazyregexp.New(`^[\w.-]+:\d+(/|$)`)

// ParseLaunch reads a command line or a path. It returns nil for a text that is a URL or a name.
func ParseLaunch(sys System, text string) (*Launch, error) {
	_, script := scriptCommands[strings.ToLower(filepath.Ext(text))]
	if strings.Contains(text, "://") || hostAndPort().MatchString(text) ||
		!script && text != "." && text != ".." && !strings.ContainsAny(text, " \t/\\\"'") {
		return nil, nil
	}
	if utf8.RuneCountInString(text) > maxLaunch {
		return nil, &Error{Message: fmt.Sprintf("the command has more than %d characters", maxLaunch),
			Hint: "write a script that starts the server, and pass its path"}
	}
	if !printable(text) {
		return nil, &Error{Message: "the command has a line break, or characters that are not visible",
			Hint: "pass the command on one line, with visible characters"}
	}
	words, err := splitCommand(text, sys.GOOS == "windows")
	if err != nil {
		return nil, err
	}
	if err := checkProgram(words[0]); err != nil {
		return nil, err
	}
	if len(words) > 1 {
		return &Launch{Command: words, Dir: sys.Dir}, nil
	}
	if start := scriptCommands[strings.ToLower(filepath.Ext(words[0]))]; start != nil {
		return &Launch{Command: append(slices.Clone(start), words[0]), Dir: sys.Dir}, nil
	}
	path := words[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(sys.Dir, path)
	}
	return &Launch{Path: filepath.Clean(path), Dir: sys.Dir}, nil
}

// checkProgram rejects a first word that a shell would read as something else than a program.
func checkProgram(word string) error {
	name, _, assigned := strings.Cut(word, "=")
	switch {
	case strings.HasPrefix(word, "-"):
		return &Error{Message: fmt.Sprintf("the command starts with the option %s", word),
			Hint: "start the command with the program"}
	case strings.HasPrefix(word, "~"):
		return &Error{Message: "~ is not expanded", Hint: "pass the complete path"}
	case assigned && !strings.ContainsAny(name, `/\`):
		return &Error{Message: fmt.Sprintf("the command sets the variable %s", name),
			Hint: "have the user add the server with its variables to a config file, and pass its name"}
	}
	return nil
}

// splitCommand splits a command line into words as a shell does. It rejects what a shell would expand or execute: there
// is no shell.
func splitCommand(text string, windows bool) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord, escaped := rune(0), false, false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
			if quote == '"' && c != '"' && c != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(c)
		case c == '\\' && quote != '\'' && !windows:
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != '\'' && strings.ContainsRune("$`", c), quote == 0 && strings.ContainsRune(";|&<>*?", c):
			return nil, &Error{Message: fmt.Sprintf("%c has no effect: the command is started without a shell", c),
				Hint: "put it in single quotes to pass it as text, or write a script and pass its path"}
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case c == ' ' || c == '\t':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, &Error{Message: "the command has a quote that is not closed", Hint: "close the quote"}
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, &Error{Message: "empty command", Hint: "pass a command, a path, a URL or a name"}
	}
	return words, nil
}

// ID identifies exactly this text.
func (l *Launch) ID() string {
	return "launch " + hashOf([]string{l.Path, l.Dir}, l.Command)
}

// What describes what the user permits.
func (l *Launch) What() string {
	if l.Command == nil {
		return "look for a server at this path, to find out how to start it"
	}
	return "start a server with this command"
}

// Lines returns what a user must see before confirming.
func (l *Launch) Lines() []PermissionLine {
	if l.Command == nil {
		return []PermissionLine{{"path", quoted(l.Path)}, {"reads", "the type of the file; in a folder also go.mod, " +
			"package.json and pyproject.toml"}, {"then", "you are asked again before anything is started"}}
	}
	return Permission{Program: l.Command[0], Args: l.Command[1:], Dir: l.Dir}.Lines()
}

// Resolve returns the process of the launch. It reads files, so the user must have allowed it.
func (l *Launch) Resolve(sys System) (*Resolved, error) {
	command, dir := l.Command, l.Dir
	if command == nil {
		var err error
		if command, dir, err = findCommand(sys, l.Path); err != nil {
			return nil, err
		}
	}
	return Resolve(sys, Spec{Command: command, Cwd: dir, FromAPI: true}, nil)
}

// Start describes the process of a launch. All arguments are shown: they are not secrets of the user.
func (a *Approvals) Start(r *Resolved) (id string, lines []PermissionLine, err error) {
	hash, err := a.Hash(r)
	if err != nil {
		return "", nil, err
	}
	p := a.Permission("", r)
	p.Args = r.Target.Command[1:]
	lines = p.Lines()
	if own := r.Target.Command[0]; own != p.Program {
		lines = append([]PermissionLine{{"command", quoted(own)}}, lines...)
	}
	return "start " + hash, lines, nil
}

// Configured reports whether a config file defines a server of the name.
func Configured(sys System, file, name string) bool {
	catalog, err := config.Load(sys.System, file)
	if err != nil {
		return false
	}
	_, _, found := catalog.Find(name)
	return found
}
