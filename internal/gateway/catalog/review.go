package catalog

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// A Review is the state of one definition that has to be approved: what is waiting, and what was approved. It is in the
// store, so that all replicas follow the same approvals.
type Review struct {
	Server     string      `json:"server"`
	Kind       string      `json:"kind"` // tool, prompt or instructions
	Name       string      `json:"name"`
	Candidates []Candidate `json:"candidates,omitempty"` // not approved, the latest first
	Approved   []Approval  `json:"approved,omitempty"`   // the latest first

	version int // of its record in the store; 0 if there is none
}

// A Candidate is a definition that a gateway has seen and that was not approved.
type Candidate struct {
	Hash       string          `json:"hash"`
	Reason     string          `json:"reason"`
	Definition json.RawMessage `json:"definition"`
	Base       json.RawMessage `json:"base,omitempty"` // the approved definition; none if there is none
	SeenAt     time.Time       `json:"seen_at"`
}

// An Approval says who approved a definition, and when.
type Approval struct {
	Hash       string          `json:"hash"`
	Definition json.RawMessage `json:"definition"`
	By         string          `json:"by"`
	At         time.Time       `json:"at"`
	Reason     string          `json:"reason,omitempty"`
}

// Limits of a review. A server that changes all the time must not fill the store.
const (
	maxCandidates = 4
	maxApprovals  = 20
)

// A ReviewID names a definition.
type ReviewID struct{ Server, Kind, Name string }

// ID returns the name of the definition.
func (r *Review) ID() ReviewID { return ReviewID{r.Server, r.Kind, r.Name} }

// reviewMark starts the server of the key of a review. No server in a config has such a name.
const reviewMark = "\x01review/"

func (id ReviewID) key() Key {
	return Key{Server: reviewMark + id.Server, Name: id.Kind + "/" + id.Name}
}

func isReview(key Key) bool { return strings.HasPrefix(key.Server, reviewMark) }

// Reviews returns all reviews of a server, or of all servers if it is empty, by server, kind and name.
func (c *Catalog) Reviews(server string) []Review {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []Review
	for _, r := range c.reviews {
		if r.Kind != "" && (server == "" || r.Server == server) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Review) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// ReviewsChanged returns a channel that is closed at the next change of a review, by any process.
func (c *Catalog) ReviewsChanged() <-chan struct{} {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.reviewed
}

// applyReviews takes the reviews out of the records, and returns the rest.
func (c *Catalog) applyReviews(records []store.Record) []store.Record {
	if !slices.ContainsFunc(records, func(r store.Record) bool { return isReview(r.Key) }) {
		return records
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := make([]store.Record, 0, len(records))
	for _, r := range records {
		switch {
		case !isReview(r.Key):
			rest = append(rest, r)
		case c.seen[r.Key] < r.Revision:
			c.seen[r.Key] = r.Revision
			c.setReview(r.Key, r.Version, r.Body)
		}
	}
	return rest
}

// setReview stores a review. One that cannot be read approves nothing. The catalog is locked.
func (c *Catalog) setReview(key Key, version int, body []byte) {
	r := Review{version: version}
	delete(c.reviews, key)
	if body != nil {
		if err := json.Unmarshal(body, &r); err != nil || r.ID().key() != key {
			r = Review{version: version}
		}
		c.reviews[key] = r
	}
	close(c.reviewed)
	c.reviewed = make(chan struct{})
}

// A Proposal is the current state of a definition at this gateway: a candidate, or nothing if it is approved.
type Proposal struct {
	ID        ReviewID
	Candidate *Candidate
}

// Propose records the definitions that wait for an approval, and removes the candidates of the others.
func (c *Catalog) Propose(ctx context.Context, proposals []Proposal) error {
	for attempt := 0; ; attempt++ {
		var changes []store.Change
		for _, p := range proposals {
			r := c.review(p.ID)
			old := r.Candidates
			if r.Candidates = nil; p.Candidate != nil {
				r.Candidates = withCandidate(old, *p.Candidate)
			}
			if sameCandidates(old, r.Candidates) {
				continue
			}
			change, err := r.change()
			if err != nil {
				return err
			}
			changes = append(changes, change)
		}
		if len(changes) == 0 {
			return nil
		}
		if err := c.commit(ctx, changes); !isRace(err) || attempt == maxRaces {
			return err
		}
	}
}

// withCandidate puts a candidate first that is not in the list, or that was seen again since it was put there.
func withCandidate(list []Candidate, one Candidate) []Candidate {
	at := slices.IndexFunc(list, func(c Candidate) bool { return c.Hash == one.Hash })
	if at >= 0 && !one.SeenAt.After(list[at].SeenAt) {
		return list
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(c Candidate) bool { return c.Hash == one.Hash })
	all := append([]Candidate{one}, rest...)
	return all[:min(len(all), maxCandidates)]
}

func sameCandidates(a, b []Candidate) bool {
	return slices.EqualFunc(a, b, func(a, b Candidate) bool { return a.Hash == b.Hash })
}

// Approve approves definitions by their hashes, all or none. A *NotWaitingError means that a definition of that hash is
// not waiting: another one may be. The definitions are those that were recorded; other candidates of the same name are
// removed, and recorded again by the gateways that still see them.
func (c *Catalog) Approve(ctx context.Context, hashes map[ReviewID]string, by, reason string) ([]Review, error) {
	if err := c.Refresh(ctx); err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		var changes []store.Change
		var all []Review
		for id, hash := range hashes {
			r := c.review(id)
			i := slices.IndexFunc(r.Candidates, func(c Candidate) bool { return c.Hash == hash })
			if i < 0 {
				return nil, &NotWaitingError{ID: id, Hash: hash}
			}
			now := Approval{Hash: hash, Definition: r.Candidates[i].Definition, By: by, At: c.now().UTC(),
				Reason: reason}
			r.Candidates = nil
			r.Approved = append([]Approval{now}, slices.DeleteFunc(slices.Clone(r.Approved),
				func(a Approval) bool { return a.Hash == hash })...)
			r.Approved = r.Approved[:min(len(r.Approved), maxApprovals)]
			change, err := r.change()
			if err != nil {
				return nil, err
			}
			changes, all = append(changes, change), append(all, r)
		}
		if len(changes) == 0 {
			return nil, nil
		}
		if err := c.commit(ctx, changes); !isRace(err) || attempt == maxRaces {
			return all, err
		}
	}
}

// review returns a review; an empty one if there is none.
func (c *Catalog) review(id ReviewID) Review {
	c.mu.RLock()
	defer c.mu.RUnlock()
	r := c.reviews[id.key()]
	r.Server, r.Kind, r.Name = id.Server, id.Kind, id.Name
	return r
}

// change is the write of a review; one without content is removed.
func (r *Review) change() (store.Change, error) {
	change := store.Change{Key: r.ID().key(), Seen: r.version}
	if len(r.Candidates)+len(r.Approved) == 0 {
		return change, nil
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // definitions are kept as they are
	err := encoder.Encode(r)
	change.Body = body.Bytes()
	return change, err
}

// Reviewable reports whether a definition of this name can be recorded in any store.
func Reviewable(name string) bool {
	t := Tool{Name: name}
	return t.check() == nil
}
