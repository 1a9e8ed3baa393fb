package changes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/ops/hosttools"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A DiffAffected says who notices a difference.
type DiffAffected struct {
	Tokens TokenChange  `json:"tokens"`
	Hosts  []HostChange `json:"hosts,omitempty"` // hosts that treat a changed tool differently
	Calls  *CallsChange `json:"calls,omitempty"` // with --calls
}

// A TokenChange is the size of all tool definitions, in estimated tokens of a model's context.
type TokenChange struct {
	Old int `json:"old"`
	New int `json:"new"`
}

// A HostChange is what a host does with the changed and added tools that it did not do before.
type HostChange struct {
	Host    string   `json:"host"`
	Lost    []string `json:"lost,omitempty"`    // tools that it rejects or drops now
	Changed []string `json:"changed,omitempty"` // tools of which it drops or changes more
	Fixed   []string `json:"fixed,omitempty"`   // tools that it no longer rejects
}

// A CallsChange is what happens to recorded calls.
type CallsChange struct {
	Checked   int                  `json:"checked"`
	Unchecked int                  `json:"unchecked,omitempty"` // their arguments contain variables of a suite
	Failing   []change.FailingCall `json:"failing"`
}

func affected(ctx context.Context, w *workbench.Workbench, in *DiffInput, before, after *change.Surface,
	d *change.Diff) (*DiffAffected, error) {
	out := &DiffAffected{Hosts: hostChanges(ctx, before, after, d)}
	for _, raw := range before.Tools {
		out.Tokens.Old += hosts.Tokens(raw)
	}
	for _, raw := range after.Tools {
		out.Tokens.New += hosts.Tokens(raw)
	}
	if len(in.Calls) == 0 {
		return out, nil
	}
	out.Calls = &CallsChange{}
	var calls []change.Call
	for _, file := range in.Calls {
		found, unchecked, err := recordedCalls(w, file)
		if err != nil {
			return nil, err
		}
		calls = append(calls, found...)
		out.Calls.Unchecked += unchecked
	}
	out.Calls.Checked = len(calls)
	out.Calls.Failing = change.Calls(before, after, calls)
	return out, nil
}

// hostChanges applies the rules of the host profiles to the tools that differ, before and after.
func hostChanges(ctx context.Context, before, after *change.Surface, d *change.Diff) []HostChange {
	names := map[string]string{} // new name by old name
	added := map[string]bool{}
	for _, item := range d.Items {
		if item.Kind != change.ToolItem || item.Status == change.Removed || item.Verdict == change.Cosmetic {
			continue
		}
		added[item.Name] = item.Status == change.Added
		if item.Was != "" {
			names[item.Was] = item.Name
		}
	}
	chosen := func(list []json.RawMessage, rename map[string]string) map[string]map[string][]hosttools.HostProblem {
		var kept []json.RawMessage
		for _, raw := range list {
			name := entryKey(raw)
			if to := rename[name]; to != "" {
				name = to
			}
			if _, ok := added[name]; ok {
				kept = append(kept, raw)
			}
		}
		return problemsByTool(ctx, kept, rename)
	}
	if len(added) == 0 {
		return nil
	}
	old, now := chosen(before.Tools, names), chosen(after.Tools, nil)
	var all []HostChange
	for _, p := range hosts.Profiles() {
		one := HostChange{Host: p.ID}
		for _, item := range d.Items {
			if _, ok := added[item.Name]; !ok || item.Kind != change.ToolItem {
				continue
			}
			was, is := old[p.ID][item.Name], now[p.ID][item.Name]
			more := slices.DeleteFunc(slices.Clone(is), func(problem hosttools.HostProblem) bool {
				return slices.ContainsFunc(was,
					func(known hosttools.HostProblem) bool { return known.Rule == problem.Rule })
			})
			refused := func(list []hosttools.HostProblem) bool {
				return slices.ContainsFunc(list,
					hosttools.HostProblem.Refused)
			}
			switch {
			case refused(is) && !refused(was):
				one.Lost = append(one.Lost, item.Name)
			case refused(was) && !refused(is):
				one.Fixed = append(one.Fixed, item.Name)
			case len(more) > 0 && !added[item.Name]:
				one.Changed = append(one.Changed, item.Name)
			}
		}
		if len(one.Lost)+len(one.Fixed)+len(one.Changed) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// problemsByTool lists the problems of hosts with tools, by host and new name.
func problemsByTool(ctx context.Context, tools []json.RawMessage,
	rename map[string]string) map[string]map[string][]hosttools.HostProblem {
	// Modes that callers ask for, such as strict schemas, do not affect everybody.
	var ids []string
	for _, p := range hosts.Profiles() {
		if !p.OptIn {
			ids = append(ids, p.ID)
		}
	}
	found := map[string]map[string][]hosttools.HostProblem{}
	for _, raw := range tools {
		name := entryKey(raw)
		if to := rename[name]; to != "" {
			name = to
		}
		for _, f := range lint.RunTools(ctx, "", []json.RawMessage{raw},
			&lint.Options{Rules: ids, Hosts: ids}).Findings() {
			rule, _ := lint.Find(f.Rule)
			host := rule.Family()
			if found[host] == nil {
				found[host] = map[string][]hosttools.HostProblem{}
			}
			found[host][name] = append(found[host][name],
				hosttools.HostProblem{Rule: f.Rule, Breaks: rule.Breaks, Message: f.Message})
		}
	}
	return found
}

// recordedCalls reads the calls of a transcript or a suite, each once.
func recordedCalls(w *workbench.Workbench, file string) (calls []change.Call, unchecked int, err error) {
	data, err := w.ReadFile(file)
	if err != nil {
		return nil, 0, notFound(err, "pass a transcript (--transcript FILE) or a suite")
	}
	seen := map[string]bool{}
	add := func(c change.Call) {
		if key := c.Method + " " + c.Name + " " + string(c.Arguments); !seen[key] {
			seen[key] = true
			calls = append(calls, c)
		}
	}
	if isTranscript(data) {
		err := wire.ReadTranscript(bytes.NewReader(data), func(f wire.Frame) error {
			if method := schema.TextAt(f.Body, "/method"); f.From == wire.Client &&
				(method == "tools/call" || method == "prompts/get" || method == "resources/read") {
				arguments, _ := schema.Get(f.Body, "/params/arguments")
				name := schema.TextAt(f.Body, "/params/name")
				if method == "resources/read" {
					name = schema.TextAt(f.Body, "/params/uri")
				}
				add(change.Call{Source: file, Method: method, Name: name, Arguments: arguments})
			}
			return nil
		})
		if err != nil {
			return nil, 0, &workbench.UsageError{Message: fmt.Sprintf("%s: %v", file, err)}
		}
		return calls, 0, nil
	}
	plan, problems := suite.Load(suite.Files{Read: w.ReadFile}, w.Variable, file)
	if len(problems) > 0 {
		return nil, 0, &workbench.UsageError{Message: problems.Error(),
			Hint: "use a transcript or a suite for {--calls}"}
	}
	methods := map[string]string{"tool": "tools/call", "prompt": "prompts/get", "resource": "resources/read"}
	for _, test := range plan.Tests() {
		for _, step := range test.Steps {
			c := change.Call{Source: test.ID, Method: methods[step.Kind], Name: step.Subject}
			if step.Args != nil {
				c.Arguments = step.Args.JSON()
			}
			switch {
			case c.Method == "":
			case strings.Contains(c.Name+string(c.Arguments), "${"):
				unchecked++
			default:
				add(c)
			}
		}
	}
	return calls, unchecked, nil
}

func isTranscript(data []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	return json.Valid(first) && (schema.TextAt(first, "/from") != "" || schema.TextAt(first, "/dir") != "")
}

// writeAffected shows who notices the difference.
func writeAffected(t *workbench.Text, a *DiffAffected) {
	if a == nil {
		return
	}
	t.Line("\n" + t.Bold("affected"))
	t.Fill(2, fmt.Sprintf("tokens: %d before, %d now (estimated)", a.Tokens.Old, a.Tokens.New))
	for _, h := range a.Hosts {
		var parts []string
		for _, one := range []struct {
			what  string
			names []string
		}{{"rejects or drops now", h.Lost}, {"drops or changes more of", h.Changed}, {"accepts now", h.Fixed}} {
			if len(one.names) > 0 {
				parts = append(parts, one.what+" "+shorten(one.names))
			}
		}
		t.Fill(2, fmt.Sprintf("%s: %s", h.Host, strings.Join(parts, "; ")))
	}
	if a.Calls == nil {
		return
	}
	t.Fill(2, fmt.Sprintf("calls: %d of %d are rejected now", len(a.Calls.Failing), a.Calls.Checked))
	if a.Calls.Unchecked > 0 {
		t.Fill(2, fmt.Sprintf("calls with variables, not checked: %d", a.Calls.Unchecked))
	}
	for i, c := range a.Calls.Failing {
		if i == maxNames {
			t.Line(fmt.Sprintf("    … and %d more (use --format json to list them)", len(a.Calls.Failing)-i))
			break
		}
		t.Fill(4, fmt.Sprintf("%s: %s %s: %s", c.Source, c.Name, clip.Runes(string(c.Arguments), maxProof),
			c.Rejection))
	}
}
