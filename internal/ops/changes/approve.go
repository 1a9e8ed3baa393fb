package changes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An ApproveInput is the input of Approve.
type ApproveInput struct {
	Tools []string `json:"tools,omitempty" surface:"cli" cli:"rest" placeholder:"TOOL" jsonschema:"the changed tools to accept; also names of prompts, URIs of resources, and server for instructions and capabilities; KIND:NAME if several have the name (default: everything that is not suspicious)"`
	workbench.Connection
	File   string `json:"file,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"the lock file (default mcptest.lock)"`
	As     string `json:"as,omitempty" surface:"cli" placeholder:"NAME" jsonschema:"the name of the server in the lock file (default: the entry with the same target or command)"`
	Reason string `json:"reason,omitempty" surface:"cli" placeholder:"TEXT" jsonschema:"why the changes are accepted, for the lock file"`
}

// An ApproveResult says what was accepted, and what was not.
type ApproveResult struct {
	File     string       `json:"file"`
	Server   string       `json:"server"`
	By       string       `json:"by,omitempty"`
	Approved []string     `json:"approved"`
	Open     []string     `json:"open"` // changed and not approved
	Diff     *change.Diff `json:"diff"`

	names *approvalNames
	open  *change.Diff
}

// Incomplete reports whether changes are not approved.
func (r *ApproveResult) Incomplete() bool { return len(r.Open) > 0 }

// Approve accepts changes of a locked server.
var Approve = workbench.Op[ApproveInput, *ApproveResult]{
	Name: "approve", Section: workbench.Test, Order: 100,
	Doc: "Accept changes of a server after you reviewed them\n\n" +
		"Compares the server with mcptest.lock and records the named changes there, with your name and the time. " +
		"Without\n" +
		"TOOL, it accepts everything except suspicious changes, such as new instructions to the model: name those. " +
		"To review\n" +
		"the changes first, run: mcptest diff mcptest.lock TARGET.\n\n" +
		"Exits with 4 if changes are left that are not approved.",
	Example: "mcptest approve demo" + "\n" +
		"mcptest approve add demo --reason 'reviewed with the team'",
	Run:  runApprove,
	Text: writeApprove,
}

func runApprove(ctx context.Context, w *workbench.Workbench, in *ApproveInput) (*ApproveResult, error) {
	file := cmp.Or(in.File, DefaultLock)
	l, err := ReadLock(w, file, false)
	if err != nil {
		return nil, err
	}
	name, known := l.Find(w, &in.Connection, in.As)
	if !known {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s has no server %q", file, name),
			Hint: "use --as NAME, or record the server: mcptest lock TARGET"}
	}
	before, err := l.ApprovedSurface(file, name)
	if err != nil {
		return nil, err
	}
	now, err := liveSurface(ctx, w, &in.Connection, engines.Shown(&in.Connection))
	if err != nil {
		return nil, err
	}
	out := &ApproveResult{File: file, Server: name, Approved: []string{}, Open: []string{},
		Diff: change.Compare(before, now)}
	if err := out.choose(in.Tools); err != nil {
		return nil, err
	}
	approval := approvalNow(w, time.Now())
	approval.Reason, out.By = in.Reason, approval.By
	accepted := *now
	if len(out.Open) > 0 {
		accepted = out.partly(before, now)
	}
	entry := lockedServer(w, &in.Connection, &accepted, l.Servers[name], approval)
	if len(in.Command) == 0 || len(out.Approved) == 0 { // how the server is reached was not approved again
		was := l.Servers[name]
		entry.Target, entry.Command, entry.Env, entry.SDK = was.Target, was.Command, was.Env, was.SDK
	}
	l.Servers[name] = entry
	if len(out.Approved) > 0 {
		_, err = writeLockFile(w, file, l)
	}
	out.open = change.Compare(&accepted, now)
	return out, err
}

// choose divides the changes into accepted and open ones.
func (r *ApproveResult) choose(given []string) error {
	names := newApprovalNames(r.Diff)
	wanted, err := names.resolve(given)
	if err != nil {
		return err
	}
	for _, name := range names.all {
		if wanted[name] || len(given) == 0 && !names.suspicious[name] {
			r.Approved = append(r.Approved, name)
		} else {
			r.Open = append(r.Open, name)
		}
	}
	r.names = names
	return nil
}

// partly is the new state of what was accepted, and the old state of the rest.
func (r *ApproveResult) partly(before, now *change.Surface) change.Surface {
	out := *before
	if !slices.Contains(r.Open, serverApproval) {
		out = *now
	}
	kinds := []struct {
		kind           string
		old, now, into *[]json.RawMessage
	}{{change.ToolItem, &before.Tools, &now.Tools, &out.Tools},
		{change.PromptItem, &before.Prompts, &now.Prompts, &out.Prompts},
		{change.ResourceItem, &before.Resources, &now.Resources, &out.Resources},
		{change.TemplateItem, &before.Templates, &now.Templates, &out.Templates}}
	for _, k := range kinds {
		open := map[string]bool{} // names of either side that keep their old state
		for _, item := range r.Diff.Items {
			if item.Kind == k.kind && slices.Contains(r.Open, r.names.of(item)) {
				open[item.Name] = true
				if item.Was != "" {
					open[item.Was] = true
				}
			}
		}
		*k.into = nil
		for _, raw := range *k.old {
			if open[entryKey(raw)] {
				*k.into = append(*k.into, raw)
			}
		}
		for _, raw := range *k.now {
			if !open[entryKey(raw)] {
				*k.into = append(*k.into, raw)
			}
		}
		if k.kind == change.PromptItem {
			out.Texts, out.Unread = maps.Clone(now.Texts), maps.Clone(now.Unread)
			for name := range open { // the recorded one stays
				delete(out.Texts, name)
				if text, recorded := before.Texts[name]; recorded {
					out.Texts[name] = text
				}
			}
		}
	}
	return out
}

func writeApprove(out io.Writer, r *ApproveResult) error {
	t := workbench.NewText(out)
	if len(r.Diff.Items) == 0 {
		t.Line(fmt.Sprintf("%s: %s is as approved", r.File, r.Server))
		return t.Err
	}
	if len(r.Approved) > 0 {
		by := ""
		if r.By != "" {
			by = " by " + r.By
		}
		t.Fill(0, fmt.Sprintf("%s: %s of %s approved%s: %s", r.File, workbench.Plural(len(r.Approved), "change"),
			r.Server, by,
			strings.Join(r.Approved, ", ")))
	}
	if len(r.Open) == 0 {
		return t.Err
	}
	t.Line(t.Bad("not approved: %s", report.Line(strings.Join(r.Open, ", "))))
	suspicions(t, r.open)
	t.Line("\nTo accept a change after you reviewed it, run: mcptest approve NAME TARGET")
	return t.Err
}
