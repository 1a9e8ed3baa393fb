package hosttools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/engine/find"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A FindSkip is a configured server whose tools were not searched.
type FindSkip struct {
	Server string `json:"server"`
	Why    string `json:"why"`
}

// tools lists the tools to search: those of the target, with its transport, or with --all those of every configured
// server.
func (in *FindInput) tools(ctx context.Context, w *workbench.Workbench) ([]find.Tool, []FindSkip, wire.Kind, error) {
	if !in.All {
		source, err := engines.Tools(ctx, w, &engines.LintInput{Connection: in.Connection})
		if err != nil {
			return nil, nil, "", err
		}
		return findTools(source, ServerName(&in.Connection, in.As)), nil, source.Transport, nil
	}
	tools, skipped, err := in.configured(ctx, w)
	return tools, skipped, "", err
}

// configured lists the tools of every configured server.
func (in *FindInput) configured(ctx context.Context, w *workbench.Workbench) ([]find.Tool, []FindSkip, error) {
	if in.As != "" || len(in.Header) > 0 || len(in.Env) > 0 || in.Cwd != "" {
		return nil, nil, &workbench.UsageError{Message: "--as, --header, --env and --cwd apply to a single server and " +
			"cannot be combined with --all", Hint: "set them in the config file, or search one server"}
	}
	found, err := config.Load(w.System.System, in.Config)
	if err != nil {
		return nil, nil, &workbench.UsageError{Message: err.Error()}
	}
	var tools []find.Tool
	var skipped []FindSkip
	var names []string
	for i, e := range found.Entries {
		w.Event(workbench.Event{Step: &workbench.Step{Done: i, Total: len(found.Entries), Text: e.Name}})
		why := in.skips(e, names)
		if why == "" {
			one := in.Connection
			one.Target, one.Config = e.Name, cmp.Or(in.Config, e.File)
			listed, err := toolsOf(ctx, w, &one, e.Name)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if err != nil {
				why = err.Error()
			} else {
				tools, names = append(tools, listed...), append(names, e.Name)
			}
		}
		if why != "" {
			skipped = append(skipped, FindSkip{e.Name, why})
		}
	}
	if len(names) == 0 {
		return nil, nil, nothingToSearch(skipped)
	}
	return tools, skipped, nil
}

// skips returns why a configured server is not searched; empty if it is.
func (in *FindInput) skips(e config.Entry, searched []string) string {
	switch {
	case e.Disabled:
		return "disabled in the config file"
	case e.Scope == config.Project && !in.IncludeProject && in.Config == "":
		return "defined in a project file (use --include-project)"
	case slices.Contains(searched, e.Name):
		return "defined again for " + e.Host
	}
	return ""
}

func nothingToSearch(skipped []FindSkip) error {
	if len(skipped) == 0 {
		return &workbench.UsageError{Message: "no servers configured",
			Hint: "run {mcptest servers} to see the config files; run {mcptest find TARGET} to search one server"}
	}
	return fmt.Errorf("no configured server could be searched: %s: %s", skipped[0].Server, skipped[0].Why)
}

// toolsOf lists the tools of one server or file as a search sees them.
func toolsOf(ctx context.Context, w *workbench.Workbench, c *workbench.Connection, server string) ([]find.Tool, error) {
	source, err := engines.Tools(ctx, w, &engines.LintInput{Connection: *c})
	if err != nil {
		return nil, err
	}
	return findTools(source, server), nil
}

func findTools(s *engines.ToolSource, server string) []find.Tool {
	tools := make([]find.Tool, len(s.Catalog.Tools))
	for i, t := range s.Catalog.Tools {
		tools[i] = find.Tool{Server: server, Name: t.Name, Title: schema.TextAt(t.Raw, "/title"),
			Description: schema.TextAt(t.Raw, "/description"), Instructions: s.Instructions}
		properties, _ := schema.Get(t.Raw, "/inputSchema/properties")
		members, _ := schema.Members(properties)
		for _, m := range members {
			tools[i].Properties = append(tools[i].Properties, m.Name)
		}
	}
	return tools
}

// toolNames are how the result names the tools: with the server if there are several.
func toolNames(tools []find.Tool) []string {
	several := slices.ContainsFunc(tools, func(t find.Tool) bool { return t.Server != tools[0].Server })
	names := make([]string, len(tools))
	for i, t := range tools {
		if names[i] = t.Name; several {
			names[i] = t.Server + "/" + t.Name
		}
	}
	return names
}

// indexOf returns the tool with a name, which may include its server; it fails if the name is unknown or ambiguous.
func indexOf(tools []find.Tool, name string) (int, error) {
	found := -1
	for i, t := range tools {
		if t.Server+"/"+t.Name == name {
			return i, nil
		}
		if t.Name != name {
			continue
		}
		if found >= 0 {
			return 0, &workbench.UsageError{Message: fmt.Sprintf("tool %q is ambiguous", name),
				Hint: hint.Text(fmt.Sprintf("use %s/%s or %s/%[2]s", tools[found].Server, name, t.Server))}
		}
		found = i
	}
	if found < 0 {
		return 0, &workbench.UsageError{Message: fmt.Sprintf("unknown tool %q", name), Hint: "run: mcptest tools list"}
	}
	return found, nil
}
