package quarantine

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// An Item is a definition that waits for an approval, for people. Its texts are those of a server that nobody trusts.
type Item struct {
	Server     string             `json:"server"`
	Kind       string             `json:"kind"` // tool, prompt or instructions
	Name       string             `json:"name"`
	Hash       string             `json:"hash"`
	Reason     string             `json:"reason"`
	SeenAt     time.Time          `json:"seen_at"`
	Was        string             `json:"was,omitempty"` // the old name of something renamed
	Verdict    change.Verdict     `json:"verdict,omitempty"`
	Changes    []Change           `json:"changes,omitempty"`
	Suspicions []change.Suspicion `json:"suspicious,omitempty"`
}

// A Change is one difference from the approved definition.
type Change struct {
	Verdict change.Verdict `json:"verdict"`
	Message string         `json:"message"`
	Old     string         `json:"old,omitempty"`
	New     string         `json:"new,omitempty"`
}

// Limits of an item, since a server can list anything.
const (
	maxChanges = 20
	maxText    = 1000
)

// Items returns what is refused now, by server, kind and name.
func (g *Guard) Items() []Item {
	g.mu.RLock()
	defer g.mu.RUnlock()
	all := []Item{}
	if g.policy == nil {
		return all
	}
	for name, s := range g.servers {
		for id, e := range s.entries {
			if e.reason != "" {
				one := Item{Server: name, Kind: id.kind, Name: id.name, Hash: e.hash, Reason: e.reason,
					SeenAt: e.seen}
				one.describe(e.item, e.listed)
				all = append(all, one)
			}
		}
	}
	slices.SortFunc(all, compareItems)
	return all
}

func compareItems(a, b Item) int {
	return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}

// describe adds the difference. Of a new definition it is the whole text.
func (i *Item) describe(item *change.Item, listed json.RawMessage) {
	if i.Reason == catalog.ReasonNew || i.Reason == catalog.ReasonUnlocked {
		i.Changes = []Change{{Verdict: change.Compatible, Message: i.Kind + " was not approved",
			New: clip.Text(string(listed), maxText)}}
	}
	if item == nil {
		return
	}
	i.Was, i.Verdict = item.Was, item.Verdict
	for _, s := range item.Suspicions[:min(len(item.Suspicions), maxChanges)] {
		s.Message = clip.Text(s.Message, maxText)
		i.Suspicions = append(i.Suspicions, s)
	}
	if item.Status == change.Added {
		return
	}
	for _, c := range item.Changes[:min(len(item.Changes), maxChanges)] {
		i.Changes = append(i.Changes, Change{Verdict: c.Verdict, Message: clip.Text(c.Message, maxText),
			Old: plain(c.Old), New: plain(c.New)})
	}
}

// plain is a JSON value for people.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return clip.Text(text, maxText)
}

// Counts returns the number of refused definitions by server, of every server that has listed.
func (g *Guard) Counts() map[string]int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	counts := map[string]int{}
	if g.policy == nil {
		return counts
	}
	for name, s := range g.servers {
		counts[name] = 0
		for _, e := range s.entries {
			if e.reason != "" {
				counts[name]++
			}
		}
	}
	return counts
}

// A Decision is what was decided about a definition that a server lists.
type Decision struct {
	ID         catalog.ReviewID
	Hash       string
	Reason     string // why it is refused; "" if it is not
	Definition json.RawMessage
	base       json.RawMessage
	seen       time.Time
}

// Decisions returns what was decided about everything that a server lists.
func (g *Guard) Decisions(name string) []Decision {
	g.mu.RLock()
	defer g.mu.RUnlock()
	s := g.servers[name]
	if g.policy == nil || s == nil {
		return nil
	}
	var all []Decision
	for what, e := range s.entries {
		all = append(all, Decision{ID: catalog.ReviewID{Server: name, Kind: what.kind, Name: what.name}, Hash: e.hash,
			Reason: e.reason, Definition: e.listed, base: e.base, seen: e.seen})
	}
	return all
}

// Proposals returns what the store should know about a server: the definitions that wait, and those that no longer do.
func (g *Guard) Proposals(name string) []catalog.Proposal {
	var all []catalog.Proposal
	for _, d := range g.Decisions(name) {
		if !catalog.Reviewable(d.ID.Name) {
			continue // it cannot be approved
		}
		p := catalog.Proposal{ID: d.ID}
		if d.Reason != "" && d.Reason != catalog.ReasonDuplicate {
			p.Candidate = &catalog.Candidate{Hash: d.Hash, Reason: d.Reason, Definition: d.Definition, Base: d.base,
				SeenAt: d.seen}
		}
		all = append(all, p)
	}
	return all
}

// Pending returns the candidates in the store, as Items of a running gateway would.
func Pending(reviews []catalog.Review) []Item {
	type surfaces struct{ before, after *change.Surface }
	byServer := map[string]*surfaces{}
	for _, r := range reviews {
		if len(r.Candidates) == 0 {
			continue
		}
		s := byServer[r.Server]
		if s == nil {
			s = &surfaces{&change.Surface{Unordered: true}, &change.Surface{Unordered: true}}
			byServer[r.Server] = s
		}
		add(s.after, r.Kind, r.Candidates[0].Definition)
		if r.Candidates[0].Base != nil {
			add(s.before, r.Kind, r.Candidates[0].Base)
		}
	}
	all := []Item{}
	diffs := map[string]*change.Diff{}
	for _, r := range reviews {
		for n, c := range r.Candidates {
			one := Item{Server: r.Server, Kind: r.Kind, Name: r.Name, Hash: c.Hash, Reason: c.Reason, SeenAt: c.SeenAt}
			var item *change.Item
			if s := byServer[r.Server]; n == 0 {
				if diffs[r.Server] == nil {
					diffs[r.Server] = change.Compare(s.before, s.after)
				}
				item = find(diffs[r.Server], id{r.Kind, r.Name})
			}
			one.describe(item, c.Definition)
			all = append(all, one)
		}
	}
	slices.SortFunc(all, compareItems)
	return all
}

func add(s *change.Surface, kind string, definition json.RawMessage) {
	switch kind {
	case Tool:
		s.Tools = append(s.Tools, definition)
	case Prompt:
		s.Prompts = append(s.Prompts, definition)
	case Instructions:
		_ = json.Unmarshal(definition, &s.Instructions) // a candidate is a JSON string
	}
}

// Refused returns the definitions of a kind that are refused now, as errors.
func (g *Guard) Refused(kind string) []*catalog.QuarantineError {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.policy == nil {
		return nil
	}
	var all []*catalog.QuarantineError
	for name, s := range g.servers {
		for what, e := range s.entries {
			if what.kind == kind && e.reason != "" {
				all = append(all, &catalog.QuarantineError{Key: catalog.Key{Server: name, Name: what.name}, Kind: kind,
					Reason: e.reason, Hash: e.hash})
			}
		}
	}
	return all
}
