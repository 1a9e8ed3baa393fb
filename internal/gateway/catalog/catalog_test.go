package catalog_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// register puts tools in a fresh catalog: names and descriptions by turns.
func register(t *testing.T, texts ...string) *catalog.Catalog {
	t.Helper()
	c := catalog.New()
	t.Cleanup(func() { c.Close() })
	for i := 0; i < len(texts); i += 2 {
		if _, err := c.Register(t.Context(), catalog.Tool{Name: texts[i], Description: texts[i+1]}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func names(tools []catalog.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

func found(hits []catalog.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Tool.Name)
	}
	return out
}

// fullTool has everything that a definition can have.
func fullTool() catalog.Tool {
	return catalog.Tool{
		Name: "send_mail", Server: "office", Title: "Send mail", Description: "Sends a message.",
		Parameters: json.RawMessage("{ \"type\": \"object\",\n \"properties\": {\"to\": {\"type\":\"string\", " +
			"\"maxLength\": 1.0e2}} }"),
		Returns:     json.RawMessage(`{"type":"object"}`),
		Annotations: json.RawMessage(`{"readOnlyHint":false,"x":"<&>"}`),
		Metadata:    json.RawMessage(`{"owner":"post","big":12345678901234567890}`),
		Tags:        []string{"mail"}, Timeout: 90 * time.Second,
		Validators: []catalog.Validator{{Name: "internal only", Expression: `.to | endswith("@example.com")`},
			{Name: "office_hours"}},
		Run: catalog.Run{HTTP: &catalog.HTTPRun{Method: "POST", URL: "https://mail.example.com/{to}",
			Header: map[string]string{"Accept": "application/json"}}},
	}
}

func TestTC_MTC_001_ListAllTools(t *testing.T) {
	c := register(t, "write_file", "Writes.", "read_file", "Reads.", "add", "")
	want := fullTool()
	if _, err := c.Register(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		list := c.List(catalog.Filter{})
		if got, want := names(list), []string{"add", "read_file", "write_file", "send_mail"}; !slices.Equal(got, want) {
			t.Fatalf("List = %v, want %v, by server and name, each time", got, want)
		}
		for _, tool := range list {
			if tool.Version != 1 || tool.RegisteredAt.IsZero() || tool.UpdatedAt.IsZero() {
				t.Errorf("%s: version %d, registered %v, updated %v; want all set", tool.Name, tool.Version,
					tool.RegisteredAt, tool.UpdatedAt)
			}
		}
	}
	// In JSON every entry has the required metadata; no return schema is null.
	raw, err := json.Marshal(c.List(catalog.Filter{}))
	if err != nil {
		t.Fatal(err)
	}
	var entries []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, field := range []string{"name", "version", "description", "parameters", "returns", "server",
			"registered_at", "updated_at"} {
			if e[field] == nil {
				t.Errorf("%s has no %s", e["name"], field)
			}
		}
	}
	if got := string(entries[0]["returns"]); got != "null" {
		t.Errorf("a tool without a return schema has returns %s, want null", got)
	}
}

func TestTC_MTC_002_FilterToolsByName(t *testing.T) {
	c := register(t, "read_file", "", "FileInfo", "", "file", "", "profile", "", "add", "a file", "dir/file.list", "")
	for filter, want := range map[string][]string{
		"file":      {"FileInfo", "dir/file.list", "file", "profile", "read_file"},
		"FILE":      {"FileInfo", "dir/file.list", "file", "profile", "read_file"},
		"file*":     {"FileInfo", "file"},
		"*file":     {"file", "profile", "read_file"},
		"*file*":    {"FileInfo", "dir/file.list", "file", "profile", "read_file"},
		"?ead_file": {"read_file"},
		"[fp]*ile":  {"file", "profile"},
		"nothing":   nil,
		"[":         nil,
	} {
		if got := names(c.List(catalog.Filter{Name: filter})); !slices.Equal(got, want) {
			t.Errorf("List(%q) = %v, want %v", filter, got, want)
		}
	}
}

func TestListFiltersByServerTagAnnotationAndPermission(t *testing.T) {
	c := register(t, "a", "", "b", "")
	if _, err := c.Register(t.Context(), fullTool()); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]catalog.Filter{
		"server":               {Server: "office"},
		"tag":                  {Tags: []string{"mail"}},
		"annotation":           {Annotations: []string{"readOnlyHint=false"}},
		"text in annotation":   {Annotations: []string{"x=<&>"}},
		"permission":           {Allow: func(t *catalog.Tool) bool { return t.Server == "office" }},
		"source and all of it": {Source: catalog.Registered, Server: "office", Tags: []string{"mail"}, Name: "send"},
	} {
		if got, want := names(c.List(f)), []string{"send_mail"}; !slices.Equal(got, want) {
			t.Errorf("by %s: %v, want %v", name, got, want)
		}
	}
	for _, f := range []catalog.Filter{{Server: "off"}, {Tags: []string{"mail", "x"}},
		{Annotations: []string{"readOnlyHint"}}, {Source: catalog.FromUpstream}} {
		if got := names(c.List(f)); len(got) > 0 {
			t.Errorf("List(%+v) = %v, want none", f, got)
		}
	}
}

func TestTC_MTU_001_RegisterNewTool(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c, err := catalog.Open(t.Context(), &store.Memory{}, &catalog.Options{Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want := fullTool()
	want.Version, want.Source, want.RegisteredAt, want.UpdatedAt = 1, catalog.Registered, at, at
	for _, tool := range []catalog.Tool{fullTool(), {Name: "minimal"}} {
		if _, err := c.Register(t.Context(), tool); err != nil {
			t.Fatal(err)
		}
		if got := names(c.List(catalog.Filter{Name: tool.Name})); !slices.Equal(got, []string{tool.Name}) {
			t.Errorf("after Register(%s) List has %v", tool.Name, got)
		}
		if got := found(c.Search([]string{tool.Name}, catalog.Filter{})); len(got) == 0 || got[0] != tool.Name {
			t.Errorf("after Register(%s) Search finds %v", tool.Name, got)
		}
	}
	got, err := c.Get(want.Key())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("Get: got - want +\n%s", diff)
	}
	var conflict *catalog.ConflictError
	if _, err := c.Register(t.Context(), fullTool()); !errors.As(err, &conflict) || conflict.Actual != 1 ||
		!strings.Contains(err.Error(), "office/send_mail") {
		t.Errorf("Register again = %v, want a ConflictError that names the tool and its version", err)
	}
}

func TestRegisterRefusesWhatCannotBeKept(t *testing.T) {
	c := register(t)
	for name, tool := range map[string]catalog.Tool{
		"no name":       {},
		"long name":     {Name: strings.Repeat("x", 1001)},
		"not text":      {Name: "a\xff"},
		"with a NUL":    {Name: "a\x00"},
		"bad schema":    {Name: "a", Parameters: json.RawMessage(`{"type":`)},
		"two values":    {Name: "a", Metadata: json.RawMessage(`1,"server":2`)},
		"past deadline": {Name: "a", Timeout: -1},
	} {
		var invalid *catalog.InvalidError
		if _, err := c.Register(t.Context(), tool); !errors.As(err, &invalid) {
			t.Errorf("%s: Register = %v, want an InvalidError", name, err)
		}
	}
	if got := c.List(catalog.Filter{}); len(got) > 0 {
		t.Errorf("the catalog has %v, want nothing", names(got))
	}
}

func TestTC_MTU_002_UpdateExistingTool(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c, err := catalog.Open(t.Context(), &store.Memory{}, &catalog.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	first, err := c.Register(t.Context(), catalog.Tool{Name: "a", Description: "Paints walls.",
		Parameters: json.RawMessage(`{"v":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(-time.Hour) // the clock is set back
	changed := first
	changed.Description, changed.Parameters = "Bakes bread.", json.RawMessage(`{"v":2}`)
	second, err := c.Update(t.Context(), changed, first.Version)
	if err != nil {
		t.Fatal(err)
	}
	if second.Version != 2 || !second.RegisteredAt.Equal(first.RegisteredAt) ||
		second.UpdatedAt.Before(first.UpdatedAt) {
		t.Errorf("Update gave version %d, registered %v, updated %v; want 2, the first time, and no earlier",
			second.Version, second.RegisteredAt, second.UpdatedAt)
	}
	list := c.List(catalog.Filter{})
	if len(list) != 1 || list[0].Description != "Bakes bread." || string(list[0].Parameters) != `{"v":2}` ||
		list[0].Version != 2 {
		t.Errorf("List = %+v, want the new definition alone", list)
	}
	if got := found(c.Search([]string{"walls"}, catalog.Filter{})); len(got) > 0 {
		t.Errorf("Search finds %v by its old description", got)
	}
	var conflict *catalog.ConflictError
	if _, err := c.Update(t.Context(), changed, 1); !errors.As(err, &conflict) || conflict.Seen != 1 ||
		conflict.Actual != 2 {
		t.Errorf("Update of a stale version = %v, want a ConflictError", err)
	}
	var missing *catalog.NotFoundError
	if _, err := c.Update(t.Context(), catalog.Tool{Name: "b"}, 1); !errors.As(err, &missing) ||
		missing.Key.Name != "b" {
		t.Errorf("Update of nothing = %v, want a NotFoundError", err)
	}
}

func TestTC_MTU_002_ConcurrentUpdates(t *testing.T) {
	c := register(t, "a", "")
	var mu sync.Mutex
	var wg sync.WaitGroup
	won, lost := 0, 0
	for range 8 {
		wg.Go(func() {
			_, err := c.Update(t.Context(), catalog.Tool{Name: "a"}, 1)
			var conflict *catalog.ConflictError
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case errors.As(err, &conflict):
				lost++
			}
		})
	}
	wg.Wait()
	if won != 1 || lost != 7 {
		t.Errorf("%d updates of version 1 won and %d conflicted, want 1 and 7", won, lost)
	}
}

func TestTC_MTU_003_RemoveTool(t *testing.T) {
	c := register(t, "brew_tea", "Brews tea.", "other", "")
	key := catalog.Key{Name: "brew_tea"}
	old, err := c.Get(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Remove(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if got := names(c.List(catalog.Filter{})); !slices.Equal(got, []string{"other"}) {
		t.Errorf("List = %v, want other alone", got)
	}
	if got := found(c.Search([]string{"brew tea", "brew_tea"}, catalog.Filter{})); len(got) > 0 {
		t.Errorf("Search finds %v, want nothing", got)
	}
	var missing *catalog.NotFoundError
	if _, err := c.Get(key); !errors.As(err, &missing) || !strings.Contains(err.Error(), "brew_tea") {
		t.Errorf("Get = %v, want a NotFoundError with the name", err)
	}
	if err := c.Remove(t.Context(), key); !errors.As(err, &missing) {
		t.Errorf("Remove again = %v, want a NotFoundError", err)
	}
	if _, err := c.Register(t.Context(), old); err != nil {
		t.Errorf("Register again = %v", err)
	}
	if got := found(c.Search([]string{"tea"}, catalog.Filter{})); !slices.Equal(got, []string{"brew_tea"}) {
		t.Errorf("Search after registering again finds %v, want brew_tea", got)
	}
	// Somebody who saw the tool before it was removed must not overwrite the new one.
	var conflict *catalog.ConflictError
	if _, err := c.Update(t.Context(), old, old.Version); !errors.As(err, &conflict) {
		t.Errorf("Update of the removed version = %v, want a ConflictError", err)
	}
}
