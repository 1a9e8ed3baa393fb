package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// Reviews are in the store beside the tools, and are none: two catalogs see the same, and only what was recorded can be
// approved, by its hash.
func TestReviews(t *testing.T) {
	shared := &store.Memory{}
	open := func() *Catalog {
		c, err := Open(t.Context(), shared, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	one, other := open(), open()
	defer one.Close()
	id := ReviewID{Server: "s", Kind: "tool", Name: "read"}
	for i := range 2 * maxCandidates {
		definition := json.RawMessage(fmt.Sprintf(`{"name":"read","n":%d,"html":"<b>"}`, i))
		candidate := &Candidate{Hash: fmt.Sprint("h", i), Definition: definition}
		if err := one.Propose(t.Context(), []Proposal{{ID: id, Candidate: candidate}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tools := other.List(Filter{}); len(tools) != 0 {
		t.Errorf("a review became a tool: %v", tools)
	}
	if got := other.Reviews("s"); len(got) != 1 || len(got[0].Candidates) != maxCandidates ||
		got[0].Candidates[0].Hash != "h7" {
		t.Fatalf("%+v; want the last %d candidates", got, maxCandidates)
	}
	var outdated *NotWaitingError
	if _, err := other.Approve(t.Context(), map[ReviewID]string{id: "h0"}, "eve", ""); !errors.As(err, &outdated) {
		t.Errorf("%v; want an error for a hash that is not waiting", err)
	}
	changed := one.ReviewsChanged()
	if _, err := other.Approve(t.Context(), map[ReviewID]string{id: "h7"}, "eve", "fine"); err != nil {
		t.Fatal(err)
	}
	<-changed
	got := one.Reviews("")[0]
	if len(got.Candidates) != 0 || len(got.Approved) != 1 || got.Approved[0].By != "eve" ||
		string(got.Approved[0].Definition) != `{"name":"read","n":7,"html":"<b>"}` {
		t.Errorf("%+v; want the approval with the definition as it was", got)
	}
	if _, err := one.Register(t.Context(), Tool{Server: reviewMark + "s", Name: "tool/read"}); err == nil {
		t.Error("a registered tool replaced a review")
	}
}

// A tool that the filter rejects is stored, not visible, and replaced as if it were.
func TestFilter(t *testing.T) {
	c := New()
	defer c.Close()
	list := func(about string) {
		t.Helper()
		tool, err := FromServer("s", json.RawMessage(`{"name":"read","description":"`+about+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.ReplaceServer(t.Context(), "s", []Tool{tool}); err != nil {
			t.Fatal(err)
		}
	}
	list("bad")
	c.SetFilter(func(t *Tool) bool { return t.Description != "bad" })
	if len(c.List(Filter{})) != 0 {
		t.Error("a tool that the filter rejects is visible")
	}
	list("good")
	if got, err := c.Get(Key{Server: "s", Name: "read"}); err != nil || got.Version != 2 {
		t.Errorf("%v %v; want version 2", got.Version, err)
	}
	c.SetQuarantined("s", map[string]string{"read": ReasonChanged})
	if got, _ := c.Get(Key{Server: "s", Name: "read"}); got.Quarantined != ReasonChanged {
		t.Errorf("%+v; want a mark", got)
	}
	list("bad")
	if _, err := c.ReplaceServer(t.Context(), "s", nil); err != nil || len(c.hidden) != 0 {
		t.Errorf("%v; want a hidden tool to be removed", err)
	}
}

// A definition that a server returns to is the latest again, so that operators see what the server lists now. One that
// is only proposed again, as by another replica, is not.
func TestCandidateSeenAgain(t *testing.T) {
	c := New()
	defer c.Close()
	id := ReviewID{Server: "s", Kind: "tool", Name: "read"}
	start := time.Now()
	for _, step := range []struct {
		hash  string
		after int
		first string
	}{{"a", 0, "a"}, {"b", 1, "b"}, {"a", 0, "b"}, {"a", 2, "a"}, {"b", 1, "a"}} {
		err := c.Propose(t.Context(), []Proposal{{ID: id, Candidate: &Candidate{Hash: step.hash,
			Definition: json.RawMessage(`{}`), SeenAt: start.Add(time.Duration(step.after) * time.Second)}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Reviews("s")[0].Candidates; got[0].Hash != step.first {
			t.Errorf("after %+v: %+v", step, got)
		}
	}
}
