package inspector

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// newServerID returns a permanent server ID: browser storage uses it as a key across runs.
func newServerID() string { return "page-" + strings.ToLower(rand.Text()[:12]) }

// restore loads the servers that were added in earlier runs. Nothing is started: a command must still be
// approved in its current form.
func (i *Inspector) restore() {
	for _, kept := range i.shelf.all() {
		e, err := i.addedEntry(kept.Server)
		if err != nil {
			i.shelf.problems = append(i.shelf.problems,
				fmt.Sprintf("saved server %s is invalid: %v; remove it", i.shelf.file(kept.id), err))
			continue
		}
		e.shown.ID, e.shown.Missing = kept.id, kept.Missing
		i.added = append(i.added, e)
	}
}

// saveServer stores a server for the next run, or reports why not.
func (i *Inspector) saveServer(e *entry) (unkept string) {
	if i.shelf.dir == "" {
		return "no storage directory available"
	}
	if i.holdsSecret(*e.input) {
		return "its command or URL seems to contain a secret"
	}
	kept := savedServer{id: e.shown.ID, Server: *e.input, Added: time.Now().UTC()}
	kept.Server.Env, kept.Server.Header, kept.Missing = withoutSecrets(e.input)
	if err := i.shelf.write(kept); err != nil {
		return err.Error()
	}
	return ""
}

// holdsSecret reports whether a command or a URL contains what may be a secret. It cannot be omitted there,
// because the server is started with it.
func (i *Inspector) holdsSecret(in view.NewServer) bool {
	in.Env, in.Header = nil, nil // values of these may be in the arguments without being secret
	bare, err := i.addedEntry(in)
	return err != nil || bare.shown.URL != in.URL || !slices.Equal(bare.shown.Command, in.Command)
}

// withoutSecrets returns the variables and headers of a server. Those that may be secret have no value and must
// be entered again.
func withoutSecrets(in *view.NewServer) (env, header, missing []string) {
	for _, pair := range in.Env {
		name, value, _ := strings.Cut(pair, "=")
		if !target.Setting(name, value) {
			pair, missing = name+"=", append(missing, name)
		}
		env = append(env, pair)
	}
	for _, line := range in.Header {
		name, value, _ := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !target.Setting(name, strings.TrimSpace(value)) {
			line, missing = name+":", append(missing, name)
		}
		header = append(header, line)
	}
	return env, header, missing
}

// SetValues sets values of variables or headers of a server that was added in the page. They are not stored.
func (i *Inspector) SetValues(id string, in view.NewValues) (view.Server, error) {
	i.mu.Lock()
	at := slices.IndexFunc(i.added, func(e *entry) bool { return e.shown.ID == id })
	if at < 0 {
		i.mu.Unlock()
		return view.Server{}, view.NotFound("no server added in the page has the ID %q", id)
	}
	old := i.added[at]
	i.mu.Unlock()
	next := *old.input
	next.Env, next.Header = replaced(next.Env, in.Env, "="), replaced(next.Header, in.Header, ":")
	e, err := i.addedEntry(next)
	if err != nil {
		return view.Server{}, err
	}
	e.shown.ID, e.shown.Unkept = id, old.shown.Unkept
	e.shown.Missing = slices.DeleteFunc(slices.Clone(old.shown.Missing), func(name string) bool {
		return has(in.Env, name, "=") || has(in.Header, name, ":")
	})
	i.mu.Lock()
	if at = slices.Index(i.added, old); at >= 0 {
		i.added[at] = e
	}
	i.mu.Unlock()
	i.notifyServers()
	return i.show(e), nil
}

// replaced replaces values of the same name.
func replaced(list, values []string, separator string) []string {
	all := slices.Clone(list)
	for _, value := range values {
		name, _, _ := strings.Cut(value, separator)
		at := slices.IndexFunc(all, func(old string) bool { return has([]string{old}, name, separator) })
		if at < 0 {
			all = append(all, value)
		} else {
			all[at] = value
		}
	}
	return all
}

// has reports whether one of the values has the name.
func has(values []string, name, separator string) bool {
	return slices.ContainsFunc(values, func(value string) bool {
		own, _, found := strings.Cut(value, separator)
		return found && strings.TrimSpace(own) == strings.TrimSpace(name)
	})
}
