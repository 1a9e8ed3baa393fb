package hosttools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// defaultHostLimit is the time limit of a host: it includes the start of the host and of the server.
const defaultHostLimit = 2 * time.Minute

// A HostRun is what a host that was started did with a server.
type HostRun struct {
	Host           string `json:"host"`
	Name           string `json:"name"`
	ProfileVersion string `json:"profile_version,omitempty"`
	ProfileDate    string `json:"profile_date,omitempty"`
	Listed         int    `json:"listed"` // tools of the server
	*hostrun.Run
	Lost     bool          `json:"lost,omitempty"`    // no tool of the server reached the model
	Missing  []string      `json:"missing,omitempty"` // single tools that did not
	Unread   int           `json:"unread,omitempty"`  // of these, tools that the server did not list for the host
	Call     *hostrun.Call `json:"call,omitempty"`    // what the model called
	Differs  []string      `json:"differs,omitempty"` // from the profile
	noModel  bool
	noScript string
}

// Failed reports whether a tool did not reach the model of a host, or whether the server takes too much of its context.
func (v *HostViews) Failed() bool {
	if len(overBudget(v.Budgets, v.maxTokens)) > 0 {
		return true
	}
	return slices.ContainsFunc(v.Runs, func(r HostRun) bool { return r.Lost && !r.noModel || len(r.Missing) > 0 })
}

// Incomplete reports whether a host did not ask its model for anything.
func (v *HostViews) Incomplete() bool {
	return slices.ContainsFunc(v.Runs, func(r HostRun) bool { return r.noModel })
}

// check rejects combinations of options.
func (in *HostsInput) check() error {
	if in.MaxTokens != 0 {
		switch {
		case in.MaxTokens < 0:
			return &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --max-tokens", in.MaxTokens),
				Hint: "use a number of tokens such as 20000"}
		case len(in.Run) > 0:
			return &workbench.UsageError{Message: "--run and --max-tokens are mutually exclusive",
				Hint: "remove {--run}"}
		case in.Tool != "":
			return &workbench.UsageError{Message: "--max-tokens applies to all tools", Hint: "remove TOOL"}
		}
	}
	if len(in.Run) > 0 {
		if len(in.Host) > 0 {
			return &workbench.UsageError{Message: "--run and --host are mutually exclusive",
				Hint: "remove {--host}"}
		}
		if in.Within < 0 {
			return &workbench.UsageError{Message: fmt.Sprintf("invalid value %v for --within", in.Within),
				Hint: "use a duration such as 3m"}
		}
		return nil
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{{"--args", in.Args != ""}, {"--run-from", in.RunFrom != ""}, {"--fetch", in.Fetch}, {"--within", in.Within != 0}} {
		if flag.given {
			return &workbench.UsageError{Message: flag.name + " requires --run",
				Hint: "use {--run} codex,claude-code to start hosts"}
		}
	}
	return nil
}

// startHosts runs hosts one after another with the server.
func startHosts(ctx context.Context, w *workbench.Workbench, in *HostsInput) (*HostViews, error) {
	if file, ok := engines.CatalogFile(w, in.Target); ok {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s is a file, but --run requires a server", file),
			Hint: "pass the command of the server after --"}
	}
	target, err := w.Resolve(&in.Connection)
	if err != nil {
		return nil, err
	}
	programs, err := findPrograms(ctx, w, fetchOptions{in.Run, in.RunFrom, in.Fetch})
	if err != nil {
		return nil, err
	}
	defer programs.remove()
	listed, err := engines.Tools(ctx, w, &engines.LintInput{Connection: in.Connection})
	if err != nil {
		return nil, err
	}
	if target.URL != "" {
		target.Kind = listed.Transport // as detected
	}
	tools := make([]json.RawMessage, len(listed.Catalog.Tools))
	for i, tool := range listed.Catalog.Tools {
		tools[i] = tool.Raw
	}
	script, why, err := hostScript(in, tools)
	if err != nil {
		return nil, err
	}
	if err := w.CloseAndWait(); err != nil {
		return nil, err
	}
	out := &HostViews{Views: []HostView{}}
	for i, p := range programs.list {
		w.Event(workbench.Event{Step: &workbench.Step{Done: i, Total: len(programs.list), Text: p.host.ID}})
		limit := in.Within
		if limit == 0 {
			limit = defaultHostLimit
		}
		match := newMatcher(p.host, ServerName(&in.Connection, in.As), tools)
		run, err := hostrun.Start(ctx, hostrun.Options{Host: p.host, Program: p.path, Server: match.server,
			Target: target, Script: script, Find: match.find, Limit: limit, Supervisor: w.Supervisor,
			Self: programs.self, Log: w.Log.Branch(p.host.ID, nil)})
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		result := match.compare(run)
		result.noScript = why
		if len(script) > 0 {
			result.Call = &script[0]
		}
		out.Runs = append(out.Runs, result)
	}
	w.Event(workbench.Event{Over: true})
	return out, nil
}

// hostScript returns the call of the model: of the tool that the user named, or else of a safe one. Without a call it
// returns why.
func hostScript(in *HostsInput, tools []json.RawMessage) (script []hostrun.Call, why string, err error) {
	for _, tool := range tools {
		name := schema.TextAt(tool, "/name")
		if in.Tool != "" && name != in.Tool || in.Tool == "" && safety.Of(tool).Calls == 0 {
			continue
		}
		if in.Args != "" {
			if !json.Valid([]byte(in.Args)) {
				return nil, "", &workbench.UsageError{Message: "--args: not JSON", Hint: `use an object such as {"a":1}`}
			}
			return []hostrun.Call{{Tool: name, Arguments: json.RawMessage(in.Args)}}, "", nil
		}
		input, _ := schema.Get(tool, "/inputSchema")
		sample, err := schema.Sample(input, &schema.SampleOptions{Style: schema.Smallest})
		if err == nil {
			return []hostrun.Call{{Tool: name, Arguments: sample}}, "", nil
		}
		if in.Tool != "" {
			return nil, "", &workbench.UsageError{Message: "cannot make arguments for " + name + ": " + err.Error(),
				Hint: "use {--args} to pass arguments"}
		}
	}
	if in.Tool != "" {
		return nil, "", &workbench.UsageError{Message: "unknown tool " + in.Tool, Hint: "run: {mcptest tools list}"}
	}
	return nil, "no tool is read-only by its annotations; pass the name of a tool to call it", nil
}

// selectRuns finds the hosts to start, each with the wanted version.
func selectRuns(wanted []string) (list []hostProgram, err error) {
	for _, text := range wanted {
		if text == "all" {
			for _, h := range hostrun.All() {
				list = append(list, hostProgram{host: h})
			}
			continue
		}
		name, version := hostrun.SplitVersion(text)
		h, ok := hostrun.Find(name)
		if !ok {
			message := fmt.Sprintf("unknown host %q", name)
			if _, profile := hosts.Find(strings.ToLower(name)); profile {
				message = fmt.Sprintf("%s cannot be started", name)
			}
			return nil, &workbench.UsageError{Message: message,
				Hint: hint.Text("use all, or some of " + strings.Join(hostrun.IDs(), ", "))}
		}
		list = append(list, hostProgram{host: h, version: version})
	}
	if len(list) == 0 {
		return nil, errors.New("no hosts")
	}
	return list, nil
}
