package catalog_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

func TestImport(t *testing.T) {
	from := register(t, "a", "one", "b", "two")
	if _, err := from.Register(t.Context(), fullTool()); err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(from.List(catalog.Filter{}))
	if err != nil {
		t.Fatal(err)
	}
	var tools []catalog.Tool
	if err := json.Unmarshal(file, &tools); err != nil {
		t.Fatal(err)
	}
	a, b, mail := catalog.Key{Name: "a"}, catalog.Key{Name: "b"}, catalog.Key{Server: "office", Name: "send_mail"}
	to := register(t, "a", "one", "b", "another")

	var conflict *catalog.ConflictError
	if _, err := to.Import(t.Context(), tools, false); !errors.As(err, &conflict) || conflict.Key != b {
		t.Errorf("Import = %v, want a conflict over b", err)
	}
	if got := len(to.List(catalog.Filter{})); got != 2 {
		t.Errorf("after the conflict there are %d tools, want the 2 that were there", got)
	}
	did, err := to.Import(t.Context(), tools, true)
	want := catalog.Imported{Added: []catalog.Key{mail}, Updated: []catalog.Key{b}, Unchanged: []catalog.Key{a}}
	if diff := cmp.Diff(did, want); err != nil || diff != "" {
		t.Errorf("Import: %v, got - want +\n%s", err, diff)
	}
	got, _ := to.Get(b)
	if got.Version != 2 || got.Description != "two" {
		t.Errorf("b is at version %d with %q, want 2 with two", got.Version, got.Description)
	}
	original, _ := from.Get(mail)
	if copied, _ := to.Get(mail); !copied.RegisteredAt.Equal(original.RegisteredAt) {
		t.Errorf("send_mail was registered %v, want %v as before", copied.RegisteredAt, original.RegisteredAt)
	}
	if _, err := to.Import(t.Context(), append(tools, tools[0]), true); err == nil {
		t.Error("Import took a tool that is there twice")
	}
}
