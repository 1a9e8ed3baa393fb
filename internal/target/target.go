// Package target turns what the user named into a server that can be reached: a command, a URL, a name from a config
// file, or a server that is built into the program.
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
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// An Error says that the request is wrong and nothing was started or sent.
type Error struct {
	Message string
	Hint    string // what to try, if we know; it may have several lines
}

// Error is the message, and the hint below it.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "\n" + e.Hint
}

// A Spec is how a target was named, with what was said about it.
type Spec struct {
	Args    []string // one name or URL
	Command []string // what followed --
	Env     []string // "K=V", or "K" to pass ours through
	Cwd     string
	Header  []string // "Name: value", "Name: @FILE", "Name: $VAR"
	Config  string   // the only config file to look into; empty means those of the hosts

	// FromAPI says that it came through an API and is not the user's word: it may read no file or variable of the user's,
	// and may not set variables that make a program run other code.
	FromAPI bool
}

// Builtins are the servers inside this program, by name. A config file cannot take these names away.
type Builtins map[string]func(ctx context.Context, in io.Reader, out io.Writer) error

// A System is all that this package takes from the operating system, so that a test can replace it.
type System struct {
	config.System
	Environ  []string                     // "K=V"
	LookPath func(string) (string, error) // finds a program
}

// ThisSystem is the one that the program runs on.
func ThisSystem() (System, error) {
	sys, err := config.ThisSystem()
	return System{System: sys, Environ: os.Environ(), LookPath: exec.LookPath}, err
}

// Resolved is a target with what its user should know about it.
type Resolved struct {
	Target   wire.Target
	Entry    *config.Entry   // where a configured name was found; nil otherwise
	EnvNames []string        // the variables that the user or the entry named, sorted
	Takes    []string        // what of the user's environment the entry takes, and for what: "header X: ${VAR}", sorted
	Secrets  *redact.Secrets // values that must not be shown
	Notes    []string        // remarks for the user: what a name hides, that an entry is disabled
}

// Resolve finds the target that a spec means. An error of the user's is an *Error.
func Resolve(sys System, spec Spec, builtins Builtins) (*Resolved, error) {
	r := &resolver{sys: sys, spec: spec, out: &Resolved{Secrets: redact.New()}}
	if err := r.resolve(builtins); err != nil {
		return nil, err
	}
	return r.out, nil
}

// ResolveEntry finds the target of one entry of a config file, whatever others have its name.
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

const usage = "a target is -- command args…, a URL, a name from a config file, demo, demo-guide or demo-flawed"

func (r *resolver) resolve(builtins Builtins) error {
	args, command := r.spec.Args, r.spec.Command
	switch {
	case len(args) > 0 && len(command) > 0:
		return &Error{Message: fmt.Sprintf("both %q and a command are given; want one target", redact.URL(args[0])), Hint: usage}
	case len(args) > 1:
		return &Error{Message: fmt.Sprintf("%d targets are given (%s); want one", len(args), redact.Text(strings.Join(args, ", "))), Hint: usage}
	case len(command) > 0:
		return r.command(command, nil, r.spec.Cwd)
	case len(args) == 0 || args[0] == "":
		return &Error{Message: "no target is given", Hint: usage}
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
		return &Error{Message: fmt.Sprintf("%s runs inside this program; --header, --env and --cwd mean nothing to it", name)}
	}
	r.out.Target = wire.Target{Name: name, Serve: serve}
	if catalog, err := config.Load(r.sys.System, r.spec.Config); err == nil {
		if entry, _, found := catalog.Find(name); found {
			r.note("%s means the built-in server; the one in %s is %s:%s", name, entry.File, entry.Host, name)
		}
	}
	return nil
}

// command sets a target that is started; entry is nil when the user gave the command itself.
func (r *resolver) command(argv []string, entry *config.Entry, cwd string) error {
	if len(r.spec.Header) > 0 {
		return &Error{Message: "--header is given, but the target is a command; want a URL", Hint: "give a secret to a command with --env"}
	}
	if argv[0] == "" {
		return &Error{Message: "the command is empty", Hint: usage}
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
		return "", &Error{Message: fmt.Sprintf("working directory %s is no directory", cwd)}
	}
	return cwd, nil
}

func (r *resolver) note(format string, args ...any) {
	r.out.Notes = append(r.out.Notes, fmt.Sprintf(format, args...))
}
