package inspector

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An entry is a server that can be connected to: how it is shown, and how it is resolved.
type entry struct {
	shown   view.Server
	resolve func() (*target.Resolved, error)
	given   bool            // given on the command line, which approves it
	input   *view.NewServer // of one that was added in the page
}

// find returns the entry with the ID.
func (i *Inspector) find(id string) (*entry, error) {
	entries, _ := i.entries()
	for _, e := range entries {
		if e.shown.ID == id {
			return e, nil
		}
	}
	return nil, view.NotFound("unknown server %q", id)
}

// entries returns all current entries: the files may have changed.
func (i *Inspector) entries() ([]*entry, *config.Catalog) {
	var all []*entry
	if i.given != nil {
		all = append(all, i.given)
	}
	i.mu.Lock()
	all = append(all, i.added...)
	i.mu.Unlock()
	catalog, err := config.Load(i.bench.System.System, i.config)
	if err != nil {
		catalog = &config.Catalog{Problems: []config.Problem{{File: i.config, Message: err.Error()}}}
	}
	seen := map[string]bool{}
	for _, found := range catalog.Entries {
		e := i.configured(found)
		if !seen[e.shown.ID] {
			all = append(all, e)
		}
		seen[e.shown.ID] = true
	}
	return append(all, i.builtins()...), catalog
}

func (i *Inspector) builtins() []*entry {
	var all []*entry
	for name := range i.bench.Builtins {
		all = append(all, &entry{
			shown: view.Server{ID: "builtin-" + name, Name: name, Source: "builtin", Kind: "builtin"},
			resolve: func() (*target.Resolved, error) {
				return target.Resolve(i.bench.System, target.Spec{Args: []string{name}}, i.bench.Builtins)
			}})
	}
	slices.SortFunc(all, func(a, b *entry) int { return strings.Compare(a.shown.Name, b.shown.Name) })
	return all
}

// configured returns the entry of a config file. Its ID depends on its location, not on its content.
func (i *Inspector) configured(found config.Entry) *entry {
	sum := sha256.Sum256([]byte(found.File + "\x00" + string(found.Scope) + "\x00" + found.Name))
	var clean struct {
		Command  string
		Args     []string
		Env      []config.Variable
		Cwd, URL string
		Headers  []config.Variable
	}
	if text, err := json.Marshal(found); err == nil { // omits secrets
		_ = json.Unmarshal(text, &clean)
	}
	s := view.Server{ID: "config-" + hex.EncodeToString(sum[:8]), Name: found.Name, Source: "config", Host: found.Host,
		File: found.File, Line: found.Line,
		Scope: string(found.Scope), Type: found.Type, Kind: "url", URL: clean.URL, Cwd: clean.Cwd,
		Disabled: found.Disabled,
		Env:      variableNames(found.Env), Headers: variableNames(found.Headers)}
	if found.Type == "stdio" {
		s.Kind, s.Command = "command", append([]string{clean.Command}, clean.Args...)
	}
	return &entry{shown: s, resolve: func() (*target.Resolved,
		error) {
		return target.ResolveEntry(i.bench.System, found)
	}}
}

func variableNames(list []config.Variable) []string {
	var names []string
	for _, v := range list {
		names = append(names, v.Name)
	}
	return names
}

// givenEntry returns the target of the command line.
func givenEntry(w *workbench.Workbench, spec target.Spec) *entry {
	resolve := func() (*target.Resolved, error) { return target.Resolve(w.System, spec, w.Builtins) }
	s := view.Server{ID: "given", Name: strings.Join(spec.Args, " "), Source: "given", Kind: "command", Cwd: spec.Cwd}
	if found, err := resolve(); err == nil {
		describe(&s, found)
	}
	return &entry{shown: s, resolve: resolve, given: true}
}

// describe fills in the resolved target.
func describe(s *view.Server, found *target.Resolved) {
	t := found.Target
	s.Env, s.Notes = found.EnvNames, found.Notes
	switch {
	case len(t.Command) > 0:
		s.Kind, s.Type, s.Command = "command", "stdio", cleanAll(found.Secrets, t.Command)
	case t.URL != "":
		s.Kind, s.URL, s.Type = "url", redact.URL(t.URL), string(t.Kind)
		for name := range t.Header {
			s.Headers = append(s.Headers, name)
		}
		slices.Sort(s.Headers)
	default:
		s.Kind = "builtin"
	}
	if s.Name == "" {
		s.Name = found.Secrets.Text(t.String())
	} else if s.Kind == "url" {
		s.Name = redact.URL(s.Name)
	}
}

func cleanAll(secrets *redact.Secrets, texts []string) []string {
	clean := make([]string, len(texts))
	for n, text := range texts {
		clean[n] = secrets.Text(text)
	}
	return clean
}

// addedEntry returns a server that was added in the page. It was not typed at a terminal, so it cannot read
// files or environment variables.
func (i *Inspector) addedEntry(in view.NewServer) (*entry, error) {
	spec := target.Spec{Command: in.Command, Env: in.Env, Cwd: in.Cwd, Header: in.Header, FromAPI: true}
	switch {
	case in.URL != "" && len(in.Command) > 0:
		return nil, view.Usage("url and command are mutually exclusive").WithHint("use one of them")
	case in.URL != "" && !strings.Contains(in.URL, "://"):
		return nil, view.Usage("%q is not a URL", redact.URL(in.URL)).WithHint("use a URL such as https://host/mcp")
	case in.URL != "":
		spec.Args = []string{in.URL}
	case len(in.Command) == 0:
		return nil, view.Usage("missing URL or command").WithHint("set one of them")
	}
	kind := wire.Kind(in.Type)
	if in.Type != "" && (in.URL == "" || kind != wire.StreamableHTTP && kind != wire.HTTPWithSSE) {
		return nil, view.Usage("invalid value %q for type",
			in.Type).WithHint("use http or sse for a URL, or leave it empty to detect it")
	}
	resolve := func() (*target.Resolved, error) {
		found, err := target.Resolve(i.bench.System, spec, nil)
		if err == nil && in.URL != "" {
			found.Target.Kind, found.Target.Name = kind, in.Name
		} else if err == nil {
			found.Target.Name = in.Name
		}
		return found, err
	}
	found, err := resolve()
	if err != nil {
		return nil, err
	}
	i.bench.Secrets.Join(found.Secrets)
	s := view.Server{Name: in.Name, Source: "page", Cwd: in.Cwd}
	describe(&s, found)
	return &entry{shown: s, resolve: resolve, input: &in}, nil
}
