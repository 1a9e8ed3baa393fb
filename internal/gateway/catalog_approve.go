package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A CatalogApproveInput is the input of CatalogApprove.
type CatalogApproveInput struct {
	StoreInput
	Names    []string `json:"names,omitempty" surface:"cli" cli:"rest" placeholder:"NAME@HASH" jsonschema:"the definitions to approve, as printed by the command without arguments; all@HASH approves all that are not suspicious (default: show what is waiting)"`
	Reason   string   `json:"reason,omitempty" placeholder:"TEXT" jsonschema:"why the changes are accepted"`
	LockFile string   `json:"lock_file,omitempty" placeholder:"FILE" jsonschema:"also write the approved definitions to this lock file"`
}

// A CatalogApproval is what was approved, and what is waiting.
type CatalogApproval struct {
	Approved []quarantine.Item `json:"approved"`
	Waiting  []quarantine.Item `json:"waiting"`
	All      string            `json:"all,omitempty"` // approves everything that is not suspicious

	lockFile string
}

// Incomplete reports whether definitions are waiting.
func (r *CatalogApproval) Incomplete() bool { return len(r.Waiting) > 0 }

// CatalogApprove shows and approves quarantined definitions.
var CatalogApprove = workbench.Op[CatalogApproveInput, *CatalogApproval]{
	Uses: workbench.Color,
	Name: "catalog approve", Parent: &catalogs,
	Doc: "Review and approve quarantined tools\n\n" +
		"A gateway with a lock rejects calls of tools that changed or were added since they were approved. Without\n" +
		"arguments, this command shows what is waiting, how it differs, and the hash of each definition. With\n" +
		"NAME@HASH it approves that definition, for all replicas; a definition that changed again has another hash\n" +
		"and is not approved.\n\n" +
		"Exits with 4 while definitions are waiting.",
	Example: "mcptest catalog approve --config mcp.json",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CatalogApproveInput) (*CatalogApproval, error) {
		return within(ctx, w, &in.StoreInput, func(s catalogBackend) (*CatalogApproval, error) {
			return approveWaiting(ctx, w, s, in)
		})
	},
	Text: writeCatalogApproval,
}

func approveWaiting(ctx context.Context, w *workbench.Workbench, s catalogBackend,
	in *CatalogApproveInput) (*CatalogApproval, error) {
	if in.LockFile != "" {
		if _, err := changes.ReadLock(w, in.LockFile, true); err != nil { // before anything is approved
			return nil, err
		}
	}
	waiting, err := s.waiting(ctx)
	if err != nil {
		return nil, err
	}
	out := &CatalogApproval{Approved: []quarantine.Item{}, Waiting: []quarantine.Item{}, lockFile: in.LockFile}
	chosen := map[int]bool{}
	for _, name := range in.Names {
		found := chooseWaiting(waiting, name)
		if len(found) == 0 {
			return nil, notWaiting(waiting, name)
		}
		for _, i := range found {
			chosen[i] = true
		}
	}
	for i, item := range waiting {
		if chosen[i] {
			out.Approved = append(out.Approved, item)
		} else {
			out.Waiting = append(out.Waiting, item)
		}
	}
	if len(out.Approved) > 0 {
		by := changes.Approver(w)
		reviews, err := s.approve(ctx, out.Approved, by, in.Reason)
		if err != nil {
			return nil, err
		}
		if err := lockApproved(w, in.LockFile, reviews); err != nil {
			return nil, err
		}
	}
	out.All = allOf(out.Waiting)
	return out, nil
}

// shownHash is the length of a hash that is printed and accepted. It has 128 bits, so that nobody can prepare two
// definitions with the same one. The whole hash is approved.
const shownHash = 32

func shortHash(hash string) string {
	hash = strings.TrimPrefix(hash, "sha256:")
	return hash[:min(len(hash), shownHash)]
}

// waitingName is what a user types to name a definition.
func waitingName(item quarantine.Item) string {
	name := item.Server + "/" + item.Name
	if item.Kind != quarantine.Tool {
		name = item.Kind + ":" + name
	}
	return name
}

// chooseWaiting returns the definitions that an argument names.
func chooseWaiting(waiting []quarantine.Item, argument string) []int {
	var found []int
	every := argument == allOf(waiting) && argument != ""
	at := strings.LastIndex(argument, "@")
	for i, item := range waiting {
		if every && len(item.Suspicions) == 0 && item.Reason != catalog.ReasonDuplicate {
			found = append(found, i)
		}
		if at < 0 || argument[:at] != waitingName(item) {
			continue
		}
		hash := strings.TrimPrefix(argument[at+1:], "sha256:")
		if len(hash) >= shownHash && strings.HasPrefix(strings.TrimPrefix(item.Hash, "sha256:"), hash) {
			return []int{i}
		}
	}
	return found
}

// allOf names everything that is waiting and not suspicious, by a hash of it; empty if there are fewer than two.
func allOf(waiting []quarantine.Item) string {
	sum := sha256.New()
	count := 0
	for _, item := range waiting {
		if len(item.Suspicions) == 0 && item.Reason != catalog.ReasonDuplicate {
			fmt.Fprintf(sum, "%q %q %q %q\n", item.Server, item.Kind, item.Name, item.Hash)
			count++
		}
	}
	if count < 2 {
		return ""
	}
	return "all@" + hex.EncodeToString(sum.Sum(nil))[:shownHash]
}

func notWaiting(waiting []quarantine.Item, argument string) error {
	name, _, hashed := strings.Cut(argument, "@")
	for _, item := range waiting {
		if waitingName(item) != name && waitingName(item) != argument {
			continue
		}
		if !hashed {
			return &workbench.UsageError{Message: fmt.Sprintf("missing hash of %s: an approval is for one definition",
				argument),
				Hint: "review it first: {mcptest catalog approve}"}
		}
		return &workbench.UsageError{Message: fmt.Sprintf("%s is waiting with another definition than %s", name,
			argument),
			Hint: reviewAgain}
	}
	return &workbench.UsageError{Message: fmt.Sprintf("%s is not waiting for an approval", argument),
		Hint: hint.Text("to see what is waiting, run: {mcptest catalog approve}")}
}

// lockApproved writes approved definitions to a lock file, if one is named.
func lockApproved(w *workbench.Workbench, file string, reviews []catalog.Review) error {
	if file == "" {
		return nil
	}
	var all []changes.Approved
	for _, r := range reviews {
		if len(r.Approved) > 0 {
			a := r.Approved[0]
			all = append(all, changes.Approved{Server: r.Server, Kind: r.Kind, Name: r.Name, Definition: a.Definition,
				By: a.By, At: a.At, Reason: a.Reason})
		}
	}
	return changes.LockApproved(w, file, all)
}

func writeCatalogApproval(out io.Writer, r *CatalogApproval) error {
	t := workbench.NewText(out)
	for _, item := range r.Approved {
		t.Line(t.Good("approved") + " " + report.Line(waitingName(item)) + "@" + shortHash(item.Hash))
	}
	if r.lockFile != "" && len(r.Approved) > 0 {
		t.Line("written to " + r.lockFile)
	}
	for _, item := range r.Waiting {
		waitingItem(t, item)
	}
	switch {
	case len(r.Waiting) == 0 && len(r.Approved) == 0:
		t.Line("no definitions are waiting for an approval")
	case len(r.Waiting) > 0:
		t.Line("")
		t.Fill(0, workbench.Plural(len(r.Waiting), "definition")+
			" waiting. To approve one after you reviewed it, run: mcptest "+
			"catalog approve NAME@HASH")
	}
	if r.All != "" {
		t.Fill(0, "To approve all that are not suspicious, run: mcptest catalog approve "+r.All)
	}
	return t.Err
}

// waitingItem shows a definition with its difference. The texts are those of a server: nothing in them has an effect on
// the terminal.
func waitingItem(t *workbench.Text, item quarantine.Item) {
	line := t.Bold("%s", report.Line(waitingName(item))+"@"+shortHash(item.Hash)) + "  " + item.Reason
	if item.Verdict != "" && item.Reason == catalog.ReasonChanged {
		line += ", " + changes.VerdictTitles[item.Verdict]
	}
	if item.Was != "" {
		line += ", renamed from " + report.Line(item.Was)
	}
	t.Line(line + t.Dim("  since %s", item.SeenAt.UTC().Format(time.RFC3339)))
	for _, s := range item.Suspicions {
		t.Line("    " + t.Bad("suspicious: %s (%s)", report.Line(s.Message), s.Rule))
	}
	for _, c := range item.Changes {
		t.Line("    " + report.Line(c.Message))
		if c.Old != "" {
			t.Line("      - " + report.Line(c.Old))
		}
		if c.New != "" {
			t.Line("      + " + report.Line(c.New))
		}
	}
}

// waitingList is the short form of what is waiting, after a list of tools.
func waitingList(t *workbench.Text, items []quarantine.Item) {
	if len(items) == 0 {
		return
	}
	t.Line(t.Bad("%s quarantined", workbench.Plural(len(items), "definition")) +
		": run mcptest catalog approve to review")
	for i, item := range items {
		if i == maxWaitingLines {
			t.Line(t.Dim("  and %d more", len(items)-i))
			return
		}
		t.Line("  " + report.Line(waitingName(item)) + "@" + shortHash(item.Hash) + "  " + item.Reason)
	}
}

// maxWaitingLines is the maximum length of the short form.
const maxWaitingLines = 20

// listWaiting returns what is waiting and matches a filter; nothing if the caller may not see it.
func listWaiting(ctx context.Context, s catalogBackend, f catalog.Filter) []quarantine.Item {
	items, err := s.waiting(ctx)
	if err != nil || f.Name != "" || len(f.Tags)+len(f.Annotations) > 0 {
		return nil
	}
	var all []quarantine.Item
	for _, item := range items {
		if f.Server == "" || f.Server == item.Server {
			all = append(all, item)
		}
	}
	return all
}

// markWaiting marks the tools whose changed definition is waiting, as the gateway does.
func markWaiting(c *catalog.Catalog) {
	servers := map[string]map[string]string{}
	for _, r := range c.Reviews("") {
		if len(r.Candidates) == 0 || r.Kind != quarantine.Tool {
			continue
		}
		if servers[r.Server] == nil {
			servers[r.Server] = map[string]string{}
		}
		servers[r.Server][r.Name] = r.Candidates[0].Reason
	}
	for server, tools := range servers {
		c.SetQuarantined(server, tools)
	}
}

func (s stored) waiting(context.Context) ([]quarantine.Item, error) {
	return quarantine.Pending(s.Reviews("")), nil
}

func (s stored) approve(ctx context.Context, items []quarantine.Item, by, reason string) ([]catalog.Review, error) {
	return s.Approve(ctx, hashesOf(items), by, reason)
}

func (r *remote) waiting(ctx context.Context) ([]quarantine.Item, error) {
	var out waitingItems
	err := r.request(ctx, http.MethodGet, "quarantine", nil, nil, &out)
	return out.Items, err
}

// approve approves in the name of the caller whose token is used.
func (r *remote) approve(ctx context.Context, items []quarantine.Item, _, reason string) ([]catalog.Review, error) {
	in := waitingItems{Reason: reason}
	for _, item := range items {
		in.Items = append(in.Items, quarantine.Item{Server: item.Server, Kind: item.Kind, Name: item.Name,
			Hash: item.Hash})
	}
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	var out approvedItems
	err = r.request(ctx, http.MethodPost, "approve", nil, body, &out)
	return out.Approved, errors.Join(err)
}
