package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/metatools"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A gatewayLock is the lock of a gateway.
type gatewayLock struct {
	File string `json:"file"` // the lock file, relative to this file (default mcptest.lock)
	// quarantine rejects calls of changed tools; keep forwards them if the change is compatible (default quarantine)
	Changed string `json:"changed"`
	// quarantine rejects calls of new tools; allow forwards them unless they are suspicious (default quarantine)
	New string `json:"new"`

	policy *quarantine.Policy
}

// The values of a lock.
const (
	lockQuarantine = "quarantine"
	lockKeep       = "keep"
	lockAllow      = "allow"
)

// readGatewayLock reads the lock file of a config file, if there is a lock.
func readGatewayLock(w *workbench.Workbench, config string, l *gatewayLock) error {
	if l == nil {
		return nil
	}
	l.Changed, l.New = cmp.Or(l.Changed, lockQuarantine), cmp.Or(l.New, lockQuarantine)
	l.File = cmp.Or(l.File, changes.DefaultLock)
	if !filepath.IsAbs(l.File) {
		l.File = filepath.Join(filepath.Dir(config), l.File)
	}
	invalid := func(key, value, allowed string) error {
		return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: lock: invalid value %q for %s", config, value,
			key),
			Hint: hint.Text("use " + allowed)}
	}
	switch {
	case l.Changed != lockQuarantine && l.Changed != lockKeep:
		return invalid("changed", l.Changed, "quarantine or keep")
	case l.New != lockQuarantine && l.New != lockAllow:
		return invalid("new", l.New, "quarantine or allow")
	}
	file, err := changes.ReadLock(w, l.File, false)
	if err != nil {
		return err
	}
	l.policy = &quarantine.Policy{Keep: l.Changed == lockKeep, AllowNew: l.New == lockAllow,
		Servers: map[string]*change.Surface{}}
	for name := range file.Servers {
		s, err := file.ApprovedSurface(l.File, name)
		if err != nil {
			return err
		}
		for _, list := range [][]json.RawMessage{s.Tools, s.Prompts} {
			for i, raw := range list { // the file is indented
				var compact bytes.Buffer
				if json.Compact(&compact, raw) == nil {
					list[i] = compact.Bytes()
				}
			}
		}
		l.policy.Servers[name] = s
	}
	return nil
}

// approved returns the policy; nil without a lock.
func (l *gatewayLock) approved() *quarantine.Policy {
	if l == nil {
		return nil
	}
	return l.policy
}

// stamp changes when the lock file does.
func (l *gatewayLock) stamp() string {
	if l == nil {
		return ""
	}
	return stamp(l.File)
}

// statusQuarantined is the maximum number of quarantined definitions in a status.
const statusQuarantined = 200

// quarantined returns what is refused now, without secrets.
func (c *catalogHandler) quarantined(scrub func(string) string) []quarantine.Item {
	if c == nil || c.guard == nil { // a transparent gateway
		return []quarantine.Item{}
	}
	items := c.guard.Items()
	for i := range items {
		item := &items[i]
		for n := range item.Changes {
			one := &item.Changes[n]
			one.Message, one.Old, one.New = scrub(one.Message), scrub(one.Old), scrub(one.New)
		}
		for n := range item.Suspicions {
			item.Suspicions[n].Message = scrub(item.Suspicions[n].Message)
		}
	}
	return items
}

// waitingItems is the response of GET /catalog/quarantine, and the request of POST /catalog/approve.
type waitingItems struct {
	Items  []quarantine.Item `json:"items"`
	Reason string            `json:"reason,omitempty"`
}

func (c *catalogHandler) waiting(*metatools.Host, *http.Request) (any, error) {
	return waitingItems{Items: c.quarantined(c.invoker.Scrub)}, nil
}

// reviewAgain is the hint if another definition is waiting than the one that was reviewed.
const reviewAgain = "review it again: {mcptest catalog approve}"

// approvedItems is the response of POST /catalog/approve.
type approvedItems struct {
	Approved []catalog.Review `json:"approved"`
}

// approve approves definitions by their hashes. A definition that was seen a moment ago may not be in the store yet.
func (c *catalogHandler) approve(h *metatools.Host, r *http.Request) (any, error) {
	var in waitingItems
	if err := readBody(r, &in); err != nil {
		return nil, err
	}
	hashes := hashesOf(in.Items)
	var recent []catalog.Proposal
	for _, server := range slices.Sorted(maps.Keys(c.guard.Counts())) {
		for _, p := range c.guard.Proposals(server) {
			if p.Candidate != nil && hashes[p.ID] == p.Candidate.Hash {
				recent = append(recent, p)
			}
		}
	}
	err := c.tools.Propose(r.Context(), recent)
	var approved []catalog.Review
	if err == nil {
		approved, err = c.tools.Approve(r.Context(), hashes, h.Caller.Name, in.Reason)
	}
	for id := range hashes {
		c.invoker.NoteApproval(h.Caller.Name, id, approved, err)
	}
	return approvedItems{Approved: approved}, err
}

// hashesOf returns what to approve.
func hashesOf(items []quarantine.Item) map[catalog.ReviewID]string {
	hashes := map[catalog.ReviewID]string{}
	for _, item := range items {
		hashes[catalog.ReviewID{Server: item.Server, Kind: item.Kind, Name: item.Name}] = item.Hash
	}
	return hashes
}

// writeQuarantineMetrics writes the number of quarantined definitions, if there is a lock.
func (r *gatewayRun) writeQuarantineMetrics(w io.Writer) {
	if r.counter == nil || !r.counter.guard.Active() {
		return
	}
	fmt.Fprintln(w, "# HELP mcptest_gateway_quarantined Definitions that wait for an approval.\n# TYPE "+
		"mcptest_gateway_quarantined gauge")
	counts := r.counter.guard.Counts()
	for _, server := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "mcptest_gateway_quarantined{server=%q} %d\n", server, counts[server])
	}
}
