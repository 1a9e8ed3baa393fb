// Package target resolves the target that the user named: a command, a URL, a name from a config file, or a server that
// is built into the program.
package target

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// An Error means that the request is invalid and nothing was started or sent.
type Error struct {
	Message string
	Hint    hint.Text // what to try, if known; it may have several lines
}

// Error returns the message, and the hint below it.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "\n" + e.Hint.String()
}

// A Spec is a target as the user named it, with its options.
type Spec struct {
	Args    []string // one name or URL
	Command []string // the arguments after --
	Env     []string // "K=V", or "K" to pass our value through
	Cwd     string
	Header  []string // "Name: value", "Name: @FILE", "Name: $VAR"
	Config  string   // the only config file to search; empty means those of the hosts

	// FromAPI means that it came through an API and not from the user: it may not read files or variables of the user,
	// and may not set variables that make a program run other code.
	FromAPI bool
}

// Builtins are the servers inside this program, by name. A config file cannot override these names.
type Builtins map[string]func(ctx context.Context, in io.Reader, out io.Writer) error

// A System is everything that this package uses from the operating system, so that a test can replace it.
type System struct {
	config.System
	Environ  []string                     // "K=V"
	LookPath func(string) (string, error) // finds a program
}

// ThisSystem returns the system that the program runs on.
func ThisSystem() (System, error) {
	sys, err := config.ThisSystem()
	return System{System: sys, Environ: os.Environ(), LookPath: exec.LookPath}, err
}

// Resolved is a target with information for the user.
type Resolved struct {
	Target   wire.Target
	Entry    *config.Entry // where a configured name was found; nil otherwise
	EnvNames []string      // the variables that the user or the entry named, sorted
	// the environment variables of the user that the entry uses, and for what: "header X: ${VAR}", sorted
	Takes   []string
	Secrets *redact.Secrets // values that must not be shown
	Notes   []string        // remarks for the user: names that are shadowed, entries that are disabled
}

// Resolve finds the target of a spec. A user error is an *Error.
func Resolve(sys System, spec Spec, builtins Builtins) (*Resolved, error) {
	r := &resolver{sys: sys, spec: spec, out: &Resolved{Secrets: redact.New()}}
	if err := r.resolve(builtins); err != nil {
		return nil, err
	}
	return r.out, nil
}

// ResolveEntry finds the target of one entry of a config file, even if others have the same name.
func ResolveEntry(sys System, entry config.Entry) (*Resolved, error) {
	r := &resolver{sys: sys, out: &Resolved{Secrets: redact.New()}}
	if err := r.entry(entry); err != nil {
		return nil, err
	}
	return r.out, nil
}

type resolver struct {
	sys  System
	spec Spec
	out  *Resolved
}

const usage = "a target is: -- COMMAND ARGS…, a URL, a name from a config file, demo, demo-guide or demo-flawed"

func (r *resolver) resolve(builtins Builtins) error {
	args, command := r.spec.Args, r.spec.Command
	switch {
	case len(args) > 0 && len(command) > 0:
		return &Error{Message: fmt.Sprintf("%q and a command are mutually exclusive, expected one target",
			redact.URL(args[0])), Hint: usage}
	case len(args) > 1:
		return &Error{Message: fmt.Sprintf("got %d targets (%s), expected one", len(args),
			redact.Text(strings.Join(args, ", "))), Hint: usage}
	case len(command) > 0:
		return r.command(command, nil, r.spec.Cwd)
	case len(args) == 0 || args[0] == "":
		return &Error{Message: "no target", Hint: usage}
	case strings.Contains(args[0], "://"):
		return r.url(args[0], nil, "")
	}
	if serve, found := builtins[args[0]]; found {
		return r.builtin(args[0], serve)
	}
	return r.configured(args[0], builtins)
}

func (r *resolver) builtin(name string, serve func(context.Context, io.Reader, io.Writer) error) error {
	if len(r.spec.Header) > 0 || len(r.spec.Env) > 0 || r.spec.Cwd != "" {
		return &Error{Message: fmt.Sprintf("%s is built in; --header, --env and --cwd have no effect", name)}
	}
	r.out.Target = wire.Target{Name: name, Serve: serve}
	if catalog, err := config.Load(r.sys.System, r.spec.Config); err == nil {
		if entry, _, found := catalog.Find(name); found {
			r.note("%s is the built-in server; the one in %s is %s:%s", name, entry.File, entry.Host, name)
		}
	}
	return nil
}

// command sets a target that is started; entry is nil if the user gave the command itself.
func (r *resolver) command(argv []string, entry *config.Entry, cwd string) error {
	if len(r.spec.Header) > 0 {
		return &Error{Message: "--header requires a URL, but the target is a command",
			Hint: "use {--env} to pass a secret to a command"}
	}
	if argv[0] == "" {
		return &Error{Message: "empty command", Hint: usage}
	}
	dir, err := r.dir(cwd)
	if err != nil {
		return err
	}
	env, err := r.environment(entry)
	if err != nil {
		return err
	}
	r.rememberArgs(argv[1:])
	r.out.Target = wire.Target{Command: argv, Env: env, Dir: dir}
	return nil
}

func (r *resolver) dir(cwd string) (string, error) {
	if cwd == "" {
		return "", nil
	}
	if !filepath.IsAbs(cwd) {
		cwd = filepath.Join(r.sys.Dir, cwd)
	}
	info, err := os.Stat(cwd)
	if err != nil || !info.IsDir() {
		return "", &Error{Message: fmt.Sprintf("working directory %s is not a directory", cwd)}
	}
	return cwd, nil
}

func (r *resolver) note(format string, args ...any) {
	r.out.Notes = append(r.out.Notes, fmt.Sprintf(format, args...))
}
