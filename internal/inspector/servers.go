package inspector

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Servers lists all servers that can be connected to.
func (i *Inspector) Servers() view.Servers {
	entries, catalog := i.entries()
	out := view.Servers{Servers: []view.Server{}, Problems: []string{}, Looked: catalog.Looked}
	for _, e := range entries {
		out.Servers = append(out.Servers, i.show(e))
	}
	for _, p := range catalog.Problems {
		out.Problems = append(out.Problems, redact.Text(p.Error()))
	}
	out.Problems = append(out.Problems, i.shelf.problems...)
	if out.Looked == nil {
		out.Looked = []string{}
	}
	return out
}

// show returns an entry with its current state.
func (i *Inspector) show(e *entry) view.Server {
	s := e.shown
	found, err := e.resolve()
	if err != nil {
		s.Problem = i.Problem(err)
		return s
	}
	s.Notes = found.Notes
	if s.Approval, err = i.approval(e, found); err != nil {
		s.Problem = i.Problem(err)
	}
	return s
}

// Add adds a server. Nothing is started. The next run also has it, without what may be a secret.
func (i *Inspector) Add(in view.NewServer) (view.Server, error) {
	e, err := i.addedEntry(in)
	if err != nil {
		return view.Server{}, err
	}
	e.shown.ID = newServerID()
	i.mu.Lock()
	full := len(i.added) >= maxServers
	i.mu.Unlock()
	if full {
		return view.Server{}, view.Usage("server limit reached (%d)", maxServers).WithHint("remove some servers")
	}
	e.shown.Unkept = i.saveServer(e)
	i.mu.Lock()
	i.added = append(i.added, e)
	i.mu.Unlock()
	i.notifyServers()
	return i.show(e), nil
}

// Remove removes an added server permanently. Connections to it stay open.
func (i *Inspector) Remove(id string) error {
	i.mu.Lock()
	kept := slices.DeleteFunc(slices.Clone(i.added), func(e *entry) bool { return e.shown.ID == id })
	removed := len(kept) < len(i.added)
	i.added = kept
	i.mu.Unlock()
	if !removed {
		return view.NotFound("no server added in the page has the ID %q",
			id).WithHint("to remove a server of a config file, edit the file")
	}
	i.notifyServers()
	return i.shelf.remove(id)
}

// Import adds the servers of a config file's text. An invalid entry does not affect the others.
func (i *Inspector) Import(name, text string) view.Imported {
	if name == "" {
		name = "pasted text"
	}
	catalog := config.Parse(i.bench.System.System, name, []byte(text))
	out := view.Imported{Added: []view.Server{}, Problems: []string{}}
	for _, p := range catalog.Problems {
		out.Problems = append(out.Problems, redact.Text(p.Error()))
	}
	for _, e := range catalog.Entries {
		s, err := i.importOne(e)
		if err != nil {
			out.Problems = append(out.Problems, e.Name+": "+i.Problem(err).Message)
			continue
		}
		out.Added = append(out.Added, s)
	}
	return out
}

func (i *Inspector) importOne(e config.Entry) (view.Server, error) {
	in := view.NewServer{Name: e.Name, Cwd: e.Cwd, URL: e.URL}
	if e.Type == "stdio" {
		in.Command = append([]string{e.Command}, e.Args...)
	} else {
		in.Type = e.Type
	}
	if e.EnvFile != "" {
		return view.Server{}, view.Usage("the entry reads variables from the file %s",
			e.EnvFile).WithHint("start mcptest inspect with --config and the original file")
	}
	for _, v := range e.Env {
		if strings.Contains(v.Value, "${") {
			return view.Server{}, view.Usage("variable %s refers to your environment",
				v.Name).WithHint("enter its value, or start mcptest inspect with --config and the original file")
		}
		in.Env = append(in.Env, v.Name+"="+v.Value)
	}
	for _, v := range e.Headers {
		in.Header = append(in.Header, v.Name+": "+v.Value)
	}
	return i.Add(in)
}

// Export returns an mcp.json with the servers of the given IDs, or all that were added in the page. Values of
// variables and headers are variable references, so that it contains no secret.
func (i *Inspector) Export(ids []string) string {
	type server struct {
		Type    string            `json:"type,omitempty"`
		Command string            `json:"command,omitempty"`
		Args    []string          `json:"args,omitempty"`
		Cwd     string            `json:"cwd,omitempty"`
		Env     map[string]string `json:"env,omitempty"`
		URL     string            `json:"url,omitempty"`
		Headers map[string]string `json:"headers,omitempty"`
	}
	servers := map[string]server{}
	entries, _ := i.entries()
	for _, e := range entries {
		s := e.shown
		if s.Kind == "builtin" || len(ids) == 0 && s.Source != "page" || len(ids) > 0 && !slices.Contains(ids, s.ID) {
			continue
		}
		out := server{Cwd: s.Cwd, URL: s.URL, Env: references(s.Env, ""), Headers: references(s.Headers, "HEADER_")}
		if len(s.Command) > 0 {
			out.Command, out.Args = s.Command[0], s.Command[1:]
		} else if out.Type = s.Type; out.Type == "" {
			out.Type = "http"
		}
		name := s.Name
		for n := 2; servers[name].Command != "" || servers[name].URL != ""; n++ {
			name = fmt.Sprintf("%s-%d", s.Name, n)
		}
		servers[name] = out
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(map[string]any{"mcpServers": servers})
	return text.String()
}

// references replaces values by variable references.
func references(names []string, prefix string) map[string]string {
	if len(names) == 0 {
		return nil
	}
	all := map[string]string{}
	for _, name := range names {
		all[name] = "${" + prefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "}"
	}
	return all
}

func (i *Inspector) notifyServers() {
	i.journal.touch("servers", func() (view.Event, bool) { return view.Event{Kind: "servers"}, true })
}
