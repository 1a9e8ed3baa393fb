package catalog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

func openFile(t *testing.T, file string) *catalog.Catalog {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func serverTool(t *testing.T, raw string) catalog.Tool {
	t.Helper()
	tool, err := catalog.FromServer("srv", json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// What is read back is what was written, to the byte, whichever way the tool came.
func TestAToolOutlivesTheProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.db")
	c := openFile(t, file)
	if _, err := c.Register(t.Context(), fullTool()); err != nil {
		t.Fatal(err)
	}
	listed := serverTool(t, `{ "name":"a", "title":"A <tool>", "description":"d\u00e9\ud83d", `+
		`"inputSchema":{"type":"object" , "x": 1.0},`+
		`"outputSchema":{}, "annotations":{"readOnlyHint":true},"_meta":{"k":12345678901234567890}, "future":[ 1 ] }`)
	renamed := serverTool(t, `{"name":"b","description":"as the server says"}`)
	renamed.Description, renamed.Tags = "as we say", []string{"ours"}
	if _, err := c.ReplaceServer(t.Context(), "srv", []catalog.Tool{listed, renamed}); err != nil {
		t.Fatal(err)
	}
	want := c.List(catalog.Filter{})
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	got := openFile(t, file).List(catalog.Filter{})
	if diff := cmp.Diff(got, want); diff != "" || len(got) != 3 {
		t.Errorf("after reopening %d tools: got - want +\n%s", len(got), diff)
	}
	if raw := string(got[1].Raw); raw != string(listed.Raw) {
		t.Errorf("the raw definition is %s, want %s", raw, listed.Raw)
	}
}

func TestReplaceServerKeepsWhatHasNotChanged(t *testing.T) {
	c := register(t)
	a, b := serverTool(t, `{"name":"a"}`), serverTool(t, `{"name":"b"}`)
	replace := func(tools ...catalog.Tool) []catalog.Skipped {
		t.Helper()
		skipped, err := c.ReplaceServer(t.Context(), "srv", tools)
		if err != nil {
			t.Fatal(err)
		}
		return skipped
	}
	versions := func() map[string]int {
		out := map[string]int{}
		for _, tool := range c.List(catalog.Filter{}) {
			out[tool.Name] = tool.Version
		}
		return out
	}
	replace(a, b)
	before, _ := c.Get(a.Key())
	replace(b, a)
	if after, _ := c.Get(a.Key()); !cmp.Equal(before, after) {
		t.Errorf("an unchanged tool changed: %s", cmp.Diff(after, before))
	}
	replace(a, serverTool(t, `{"name":"b","description":"new"}`))
	if diff := cmp.Diff(versions(), map[string]int{"a": 1, "b": 2}); diff != "" {
		t.Errorf("after a change of b: %s", diff)
	}
	replace(a)
	if diff := cmp.Diff(versions(), map[string]int{"a": 1}); diff != "" {
		t.Errorf("after b is gone: %s", diff)
	}
	if _, err := c.Register(t.Context(), catalog.Tool{Server: "srv", Name: "own"}); err != nil {
		t.Fatal(err)
	}
	skipped := replace(a, a, serverTool(t, `{"name":"own"}`), catalog.Tool{Name: "bad\x00"})
	var conflict *catalog.ConflictError
	if len(skipped) != 3 || !errors.As(skipped[1].Reason, &conflict) {
		t.Errorf("skipped %v; want the second a, the one that was registered here, and the one without a proper name",
			skipped)
	}
	if diff := cmp.Diff(versions(), map[string]int{"a": 1, "own": 1}); diff != "" {
		t.Errorf("one bad tool changed the others: %s", diff)
	}
}

func TestStaleToolsStay(t *testing.T) {
	c := register(t, "own", "")
	if _, err := c.ReplaceServer(t.Context(), "srv",
		[]catalog.Tool{serverTool(t, `{"name":"a","description":"boils eggs"}`)}); err != nil {
		t.Fatal(err)
	}
	stale := func() (out []string) {
		for _, tool := range c.List(catalog.Filter{}) {
			if tool.Stale {
				out = append(out, tool.Name)
			}
		}
		return out
	}
	c.SetStale("srv", true)
	if got := stale(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("stale: %v, want a", got)
	}
	if hits := c.Search([]string{"eggs"}, catalog.Filter{}); len(hits) != 1 || !hits[0].Tool.Stale ||
		hits[0].Tool.Version != 1 {
		t.Errorf("Search = %+v, want the stale tool at version 1", hits)
	}
	if _, err := c.ReplaceServer(t.Context(), "srv",
		[]catalog.Tool{serverTool(t, `{"name":"a","description":"boils eggs"}`)}); err != nil {
		t.Fatal(err)
	}
	if got := stale(); len(got) > 0 {
		t.Errorf("after the server answered, stale: %v", got)
	}
}

func TestWatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.db")
	here, there := openFile(t, file), openFile(t, file)
	changes := there.Watch(t.Context())
	next := func() catalog.Change {
		t.Helper()
		select {
		case got := <-changes:
			if len(got) != 1 {
				t.Fatalf("%d changes at once, want 1", len(got))
			}
			return got[0]
		case <-time.After(30 * time.Second): // the store's own test holds it to a second
			t.Fatal("no change was told")
			return catalog.Change{}
		}
	}
	tool := catalog.Tool{Name: "a"}
	for i, step := range []struct {
		kind catalog.Kind
		do   func() error
	}{
		{catalog.Added, func() error { _, err := here.Register(t.Context(), tool); return err }},
		{catalog.Updated, func() error { _, err := here.Update(t.Context(), tool, 1); return err }},
		{catalog.Removed, func() error { return here.Remove(t.Context(), tool.Key()) }},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := next(); got.Kind != step.kind || got.Tool.Name != "a" {
			t.Errorf("change %d is %s of %s, want %s of a", i, got.Kind, got.Tool.Name, step.kind)
		}
	}
	if err := there.Close(); err != nil {
		t.Fatal(err)
	}
	if _, open := <-changes; open {
		t.Error("the watch did not end with the catalog")
	}
}

// A replica that has not yet heard of a change is told of the conflict, and knows the change from then on.
func TestConflictBringsTheNews(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.db")
	here, there := openFile(t, file), openFile(t, file)
	tool, err := here.Register(t.Context(), catalog.Tool{Name: "a", Description: "new"})
	if err != nil {
		t.Fatal(err)
	}
	var conflict *catalog.ConflictError
	if _, err := there.Register(t.Context(), catalog.Tool{Name: "a"}); !errors.As(err, &conflict) {
		t.Errorf("Register = %v, want a ConflictError", err)
	}
	if got, err := there.Get(tool.Key()); err != nil || got.Description != "new" {
		t.Errorf("Get after the conflict = %q, %v; want the other's tool", got.Description, err)
	}
}

// A record that cannot be read does not break searches for the tools before it.
func TestSearchAfterAnUnreadableRecord(t *testing.T) {
	s := &store.Memory{}
	c, err := catalog.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Register(t.Context(), catalog.Tool{Name: "read_file"}); err != nil {
		t.Fatal(err)
	}
	records, err := s.Since(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	changes := make([]store.Change, 200) // they are decoded by the hundred
	for i := range changes {
		changes[i] = store.Change{Key: catalog.Key{Name: fmt.Sprint("mail_", i)}, Body: records[0].Body}
	}
	if _, err := s.Commit(t.Context(), append(changes, store.Change{Key: catalog.Key{Name: "unreadable"},
		Body: []byte("{")})...); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err == nil {
		t.Error("Refresh reads a record that is not JSON")
	}
	if got := found(c.Search([]string{"mail_7"}, catalog.Filter{})); len(got) == 0 || got[0] != "mail_7" {
		t.Errorf("Search = %v, expected mail_7 first", got)
	}
}
