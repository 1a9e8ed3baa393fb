package target

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// configured sets the target with a name from a config file.
func (r *resolver) configured(name string, builtins Builtins) error {
	catalog, err := config.Load(r.sys.System, r.spec.Config)
	if err != nil {
		return &Error{Message: err.Error(), Hint: configHint(err)}
	}
	entry, others, found := catalog.Find(name)
	if !found {
		if err := broken(name, catalog); err != nil {
			return err
		}
		return r.unknown(name, catalog, builtins)
	}
	if err := clash(name, catalog, entry, others); err != nil {
		return err
	}
	for _, other := range others {
		r.note("%s is also defined in %s; using %s. The other one is %s", entry.Name, other.File, entry.File,
			catalog.Qualified(other))
	}
	if entry.Disabled {
		r.note("%s is disabled in %s; using it because you named it", entry.Name, entry.File)
	}
	return r.entry(entry)
}

var unsetVariable = lazyregexp.New(`environment variable (\w+), which is not set`)

// variableHint returns how to set the variables that an entry requires.
func variableHint(err error) hint.Text {
	var names []string
	for _, m := range unsetVariable().FindAllStringSubmatch(err.Error(), -1) {
		names = append(names, m[1]+"=…")
	}
	if len(names) == 0 {
		return ""
	}
	return hint.Text("run: export " + strings.Join(names, " ") + " (or write ${NAME:-default} in the file)")
}

// configHint returns what to do about a config file that cannot be used.
func configHint(err error) hint.Text {
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return `correct the file: {"mcpServers": {"NAME": {"command": "PROGRAM", "args": ["…"]}}}`
}

// clash rejects a name that a project file and a user file define as different servers: a repository must not redefine
// a name of the user.
func clash(name string, catalog *config.Catalog, entry config.Entry, others []config.Entry) error {
	for _, other := range others {
		if other.Scope == entry.Scope {
			continue
		}
		return &Error{Message: fmt.Sprintf("%q is ambiguous: %s and %s define different servers", name, entry.File,
			other.File),
			Hint: hint.Text(fmt.Sprintf("use the qualified name: %s or %s", catalog.Qualified(entry),
				catalog.Qualified(other)))}
	}
	return nil
}

func (r *resolver) entry(entry config.Entry) error {
	found := entry
	r.out.Entry, r.out.Takes = &found, taken(entry)
	sys := r.sys.System
	sys.Lookup = func(name string) (string, bool) {
		value, set := r.sys.Lookup(name)
		r.rememberEnv(name, value)
		return value, set
	}
	entry, err := r.withoutOverridden(entry).Expand(sys)
	if err != nil {
		return &Error{Message: err.Error(), Hint: variableHint(err)}
	}
	if err := r.setTarget(entry); err != nil {
		return r.concealed(found, err)
	}
	r.out.Target.Name = entry.Name
	return nil
}

// concealed returns an error about an entry without the values of variables and the content of files that the entry
// refers to. A caller that is not the user gets no text at all that may contain a part of them.
func (r *resolver) concealed(entry config.Entry, err error) error {
	var wrong *Error
	if r.spec.FromAPI {
		return &Error{Message: fmt.Sprintf("the server %q of %s cannot be used", entry.Name, entry.File),
			Hint: "have the user correct the entry; in a terminal, mcptest tools list NAME shows what is wrong"}
	}
	if errors.As(err, &wrong) {
		return &Error{Message: r.out.Secrets.Exact(wrong.Message),
			Hint: hint.Text(r.out.Secrets.Exact(string(wrong.Hint)))}
	}
	return err
}

// taken lists the references of an entry to environment variables of the user, and where it uses them.
func taken(entry config.Entry) []string {
	var all []string
	note := func(where string, v config.Variable) {
		for _, reference := range entry.References(v) {
			all = append(all, where+": "+reference)
		}
	}
	note("command", config.Variable{Value: entry.Command})
	for _, arg := range entry.Args {
		note("argument", config.Variable{Value: arg})
	}
	note("URL", config.Variable{Value: entry.URL})
	for _, v := range entry.Headers {
		note("header "+v.Name, v)
	}
	for _, v := range entry.Env {
		note("variable "+v.Name, v)
	}
	if entry.EnvFile != "" {
		all = append(all, "variables of the file "+entry.EnvFile)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// setTarget sets the target of an expanded entry.
func (r *resolver) setTarget(entry config.Entry) error {
	switch entry.Type {
	case "stdio":
		return r.command(append([]string{entry.Command}, entry.Args...), &entry, cmp.Or(r.spec.Cwd, entryDir(entry)))
	case "sse":
		return r.url(entry.URL, entry.Headers, wire.HTTPWithSSE)
	case "http":
		return r.url(entry.URL, entry.Headers, wire.StreamableHTTP)
	}
	return r.url(entry.URL, entry.Headers, "")
}

// entryDir returns the directory in which a host would start the server: the project that the entry belongs to.
func entryDir(entry config.Entry) string {
	switch {
	case entry.Cwd != "" && filepath.IsAbs(entry.Cwd):
		return entry.Cwd
	case entry.Cwd != "":
		return filepath.Join(entry.Root, entry.Cwd)
	case entry.Scope == config.Project:
		return entry.Root
	}
	return ""
}

// withoutOverridden drops the values that the user overrides, so that they need not be expandable.
func (r *resolver) withoutOverridden(entry config.Entry) config.Entry {
	given := func(list []string, separator, name string) bool {
		return slices.ContainsFunc(list, func(item string) bool {
			own, _, _ := strings.Cut(item, separator)
			return strings.EqualFold(strings.TrimSpace(own), name)
		})
	}
	entry.Env = slices.DeleteFunc(slices.Clone(entry.Env),
		func(v config.Variable) bool { return given(r.spec.Env, "=", v.Name) })
	entry.Headers = slices.DeleteFunc(slices.Clone(entry.Headers),
		func(v config.Variable) bool { return given(r.spec.Header, ":", v.Name) })
	return entry
}

// broken finds an invalid entry with the name, if there is one.
func broken(name string, catalog *config.Catalog) error {
	for _, problem := range catalog.Problems {
		rest, about := strings.CutPrefix(problem.Message, fmt.Sprintf("server %q", name))
		if about && strings.IndexAny(rest, " :") == 0 {
			return &Error{Message: fmt.Sprintf("%q is defined in %s:%d but is invalid: %s", name, problem.File,
				problem.Line, problem.Message),
				Hint: "fix the entry, or pass -- COMMAND or a URL"}
		}
	}
	return nil
}

// unknown lists similar names and the files that were searched.
func (r *resolver) unknown(name string, catalog *config.Catalog, builtins Builtins) error {
	var hints []string
	if guess := looksLike(name); guess != "" {
		hints = append(hints, guess)
	}
	for _, problem := range catalog.Problems {
		hints = append(hints, "correct the file "+problem.Error())
	}
	names := catalog.Names()
	for builtin := range builtins {
		names = append(names, builtin)
	}
	if near := typo.Nearest(name, names); len(near) > 0 {
		hints = append(hints, "did you mean "+strings.Join(near, " or ")+"?")
	} else {
		slices.Sort(names)
		hints = append(hints, "known names: "+strings.Join(slices.Compact(names), ", "))
	}
	hints = append(hints, "searched "+strings.Join(r.short(catalog.Looked), ", "))
	return &Error{Message: fmt.Sprintf("unknown server %q", redact.Text(name)),
		Hint: hint.Text(strings.Join(hints, "\n"))}
}

// looksLike recognizes a target that lacks its prefix.
func looksLike(name string) string {
	host, _, _ := strings.Cut(name, "/")
	start, script := map[string]string{".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "npx tsx",
		".go": "go run"}[strings.ToLower(filepath.Ext(name))]
	switch {
	case script && !strings.ContainsAny(name, ` :`):
		return "to start a script, pass the command: -- " + start + " " + redact.Text(name)
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || strings.ContainsAny(name, ` \`):
		return "to start a program, put -- before it: -- " + redact.Text(name)
	case strings.HasPrefix(host, "localhost:") || strings.HasPrefix(host, "127.0.0.1"):
		return "add the scheme to the URL: http://" + redact.Text(name)
	case strings.Contains(host, ".") && host != name:
		return "add the scheme to the URL: https://" + redact.Text(name)
	}
	return ""
}

func (r *resolver) short(files []string) []string {
	out := make([]string, len(files))
	for i, file := range files {
		out[i] = file
		if rest, found := strings.CutPrefix(file, r.sys.Dir+string(filepath.Separator)); found {
			out[i] = rest
		} else if rest, found := strings.CutPrefix(file, r.sys.Home+string(filepath.Separator)); found &&
			r.sys.Home != "" {
			out[i] = "~" + string(filepath.Separator) + rest
		}
	}
	return out
}
