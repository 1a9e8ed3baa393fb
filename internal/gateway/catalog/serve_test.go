package catalog_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// A process shows the tools of its own servers and what was registered; the tools of other servers stay in the store,
// for those who have them.
func TestOnlyOwnServersAreShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.db")
	all := openFile(t, file)
	for _, server := range []string{"a", "b"} {
		tool, err := catalog.FromServer(server, []byte(`{"name":"echo","description":"Says it again."}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all.ReplaceServer(t.Context(), server, []catalog.Tool{tool}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := all.Register(t.Context(), catalog.Tool{Server: "b", Name: "own", Description: "Says it again.",
		Run: catalog.Run{Func: "f"}}); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(t.Context(), s, &catalog.Options{Servers: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	check := func(when string, want ...string) {
		t.Helper()
		var listed, found []string
		for _, tool := range c.List(catalog.Filter{}) {
			listed = append(listed, tool.Key().String())
		}
		for _, hit := range c.Search([]string{"says again"}, catalog.Filter{}) {
			found = append(found, hit.Tool.Key().String())
		}
		slices.Sort(found)
		if !slices.Equal(listed, want) || !slices.Equal(found, want) {
			t.Errorf("%s: listed %v, found %v, want %v", when, listed, found, want)
		}
		_, err := c.Get(catalog.Key{Server: "b", Name: "echo"})
		if got := err == nil; got != slices.Contains(want, "b/echo") {
			t.Errorf("%s: b/echo can be had: %v", when, got)
		}
	}
	check("with a", "a/echo", "b/own")
	c.SetServers([]string{"b"})
	check("with b", "b/echo", "b/own")
	c.SetServers([]string{"a", "b"})
	check("with both", "a/echo", "b/echo", "b/own")
	c.SetServers([]string{"a"})
	if _, err := all.ReplaceServer(t.Context(), "b", nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.SetServers([]string{"a", "b"})
	check("after b has lost its tool", "a/echo", "b/own")
	if got := len(all.List(catalog.Filter{})); got != 2 {
		t.Errorf("the other process lists %d tools, want 2: nothing is removed by not being shown", got)
	}
}
