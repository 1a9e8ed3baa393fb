package diagnose

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// config finds the entry of the server in the files that the client reads.
func (w *walk) config(context.Context) (string, *problem) {
	catalog, err := config.Load(w.in.System.System, w.in.Config)
	if err != nil {
		return "", because("correct the file", "%s", err)
	}
	entry, failed := w.choose(catalog)
	if failed != nil {
		return "", failed
	}
	w.entry, w.out.File = entry, entry.File
	if w.in.Client == "" {
		w.out.Client = clientOfHost(entry.Host)
	}
	place := fmt.Sprintf("%s:%d", entry.File, entry.Line)
	switch {
	case entry.Disabled:
		return "", because("remove the setting that disables it, or enable it in the client",
			"the server is disabled in the config file").with(place)
	case entry.Host == "claude-code" && entry.URL != "" && entry.Type == "":
		return "", because(`add "type": "http" to the entry`,
			`the entry has a URL and no "type", so Claude Code reads it as a stdio server and skips it`).with(place)
	}
	return place, nil
}

// choose returns the entry that the client uses.
func (w *walk) choose(catalog *config.Catalog) (config.Entry, *problem) {
	client := w.out.Client
	mine := func(e config.Entry) bool {
		return client.ID == anyClient.ID || client.Config == "" || e.Host == client.Config || e.Host == "file" ||
			e.Host == "mcp.json"
	}
	own, foreign := &config.Catalog{}, &config.Catalog{}
	for _, e := range catalog.Entries {
		if mine(e) {
			own.Entries = append(own.Entries, e)
		} else {
			foreign.Entries = append(foreign.Entries, e)
		}
	}
	if entry, others, found := own.Find(w.in.Name); found {
		return entry, ambiguous(own, entry, others)
	}
	for _, p := range catalog.Problems {
		return config.Entry{}, because("correct the file at this position", "the config file is invalid: %s", p.Message).
			with(p.Error())
	}
	if other, _, found := foreign.Find(w.in.Name); found {
		return config.Entry{}, because(fmt.Sprintf("add the entry to the config of %s", client.Name),
			"it is not configured in %s, only in %s", client.Name, clientOfHost(other.Host).Name).
			with(fmt.Sprintf("%s:%d", other.File, other.Line))
	}
	failed := because("run: mcptest servers", "no config file defines a server with this name").
		with("searched " + strings.Join(catalog.Looked, ", "))
	if near := typo.Nearest(w.in.Name, own.Names()); len(near) > 0 {
		failed.fix = "use the name " + strings.Join(near, " or ")
	}
	return config.Entry{}, failed
}

// ambiguous rejects a name that a project file and a user file define as different servers, as every command does: a
// repository must not redefine a name of the user.
func ambiguous(catalog *config.Catalog, entry config.Entry, others []config.Entry) *problem {
	for _, other := range others {
		if other.Scope != entry.Scope {
			return because(fmt.Sprintf("use the qualified name: %s or %s", catalog.Qualified(entry),
				catalog.Qualified(other)), "the name is ambiguous: %s and %s define different servers", entry.File, other.File)
		}
	}
	return nil
}

var notSet = lazyregexp.New(`environment variable (\w+), which is not set`)

// variables resolves the entry as the client does.
func (w *walk) variables(context.Context) (string, *problem) {
	w.sys = w.out.Client.system(w.in.System)
	environ := w.sys.Environ
	w.sys.Lookup = func(name string) (string, bool) {
		for _, pair := range environ {
			if key, value, _ := strings.Cut(pair, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
	resolved, err := target.ResolveEntry(w.sys, w.entry)
	if err != nil {
		return "", w.unresolved(err)
	}
	w.in.Secrets.Join(resolved.Secrets)
	w.target = resolved.Target
	w.target.Supervisor = w.in.Supervisor
	w.inherit()
	w.unreplaced()
	if len(w.target.Command) > 0 && w.target.Dir == "" {
		w.target.Dir = w.out.Client.dir(w.sys)
	}
	return strings.Join(resolved.Takes, ", "), nil
}

// unresolved returns why an entry cannot be used.
func (w *walk) unresolved(err error) *problem {
	var wrong *target.Error
	message := err.Error()
	if errors.As(err, &wrong) {
		message = wrong.Message
	}
	m := notSet().FindStringSubmatch(message)
	if m == nil {
		return because("correct the entry", "%s", message)
	}
	failed := because(fmt.Sprintf(`write the value into "env" of the entry, or set %s where %s is started`, m[1],
		w.out.Client.Name), "the entry refers to the environment variable %s, which is not set", m[1])
	if variable(w.in.System.Environ, m[1]) != "" {
		failed.cause = fmt.Sprintf("the environment variable %s is set in your shell, but %s is started without a shell",
			m[1], w.out.Client.Name)
	}
	return failed.with(fmt.Sprintf("%s:%d", w.entry.File, w.entry.Line))
}
