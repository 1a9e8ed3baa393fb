package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// mailTools are tools of the server mail, from pairs of name and description.
func mailTools(t *testing.T, texts ...string) []catalog.Tool {
	t.Helper()
	var all []catalog.Tool
	for i := 0; i < len(texts); i += 2 {
		tool, err := catalog.FromServer("mail", json.RawMessage(fmt.Sprintf(
			`{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, texts[i], texts[i+1])))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tool)
	}
	return all
}

// A listing takes the place of its server's tools for its caller alone. Nobody else finds its tools, and they do not
// affect the results of others.
func TestListings(t *testing.T) {
	c := office(t)
	if _, err := c.ReplaceServer(context.Background(), "mail", mailTools(t, "send_mail", "Send a letter.", "purge",
		"Delete all letters of everybody.")); err != nil {
		t.Fatal(err)
	}
	queries := []string{"letter", "send_mail", "delete letters", "file operations", "secret audit"}
	search := func(own map[string]*catalog.Listing) (all [][]catalog.Hit) {
		for _, q := range queries {
			all = append(all, c.Search([]string{q}, catalog.Filter{Own: own}))
		}
		return all
	}
	before := search(nil)
	ann := map[string]*catalog.Listing{"mail": c.AddListing("mail", mailTools(t, "send_mail", "Send a letter as ann.",
		"audit", "Secret audit of letters."))}
	bob := map[string]*catalog.Listing{"mail": c.AddListing("mail", mailTools(t, "send_mail", "Send a letter as bob."))}
	eve := map[string]*catalog.Listing{"mail": nil}

	if diff := cmp.Diff(before, search(nil)); diff != "" {
		t.Errorf("listings change the search of others:\n%s", diff)
	}
	for _, test := range []struct {
		who   string
		own   map[string]*catalog.Listing
		names []string
		text  string // of send_mail
	}{
		{"ann", ann, []string{"audit", "send_mail"}, "Send a letter as ann."},
		{"bob", bob, []string{"send_mail"}, "Send a letter as bob."},
		{"eve", eve, nil, ""},
		{"operator", nil, []string{"purge", "send_mail"}, "Send a letter."},
	} {
		if got := names(c.List(catalog.Filter{Server: "mail", Own: test.own})); !slices.Equal(got, test.names) {
			t.Errorf("%s: List = %v, want %v", test.who, got, test.names)
		}
		got := found(c.Search([]string{"letter"}, catalog.Filter{Own: test.own}))
		slices.Sort(got)
		if !slices.Equal(got, test.names) {
			t.Errorf("%s: Search = %v, want %v", test.who, got, test.names)
		}
		tool, err := c.Find(catalog.Key{Server: "mail", Name: "send_mail"}, test.own)
		if tool.Description != test.text || (err == nil) != (test.text != "") {
			t.Errorf("%s: Find = %q, %v, want %q", test.who, tool.Description, err, test.text)
		}
		missing := (*catalog.NotFoundError)(nil)
		if _, err := c.Find(catalog.Key{Server: "mail", Name: "audit"}, test.own); errors.As(err, &missing) !=
			(test.who != "ann") {
			t.Errorf("%s: audit: %v", test.who, err)
		}
	}
	if got := len(c.List(catalog.Filter{Own: ann, Limit: 3})); got != 3 {
		t.Errorf("%d tools with a limit of 3", got)
	}
	for _, l := range []*catalog.Listing{ann["mail"], bob["mail"]} {
		c.RemoveListing(l)
	}
	if got := found(c.Search([]string{"secret audit"}, catalog.Filter{Own: ann})); slices.Contains(got, "audit") {
		t.Errorf("a removed listing is found: %v", got)
	}
	if diff := cmp.Diff(before, search(nil)); diff != "" {
		t.Errorf("removed listings change the search of others:\n%s", diff)
	}
}

// Callers with the same definitions share them: what one removes, the other keeps.
func TestListingsShareDefinitions(t *testing.T) {
	c := office(t)
	tools := mailTools(t, "audit", "Secret audit of letters.")
	one, other := c.AddListing("mail", tools), c.AddListing("mail", tools)
	c.RemoveListing(one)
	c.RemoveListing(one) // twice is once
	hits := func() []string {
		return found(c.Search([]string{"secret audit"}, catalog.Filter{Own: map[string]*catalog.Listing{"mail": other}}))
	}
	if got := hits(); !slices.Contains(got, "audit") {
		t.Errorf("Search = %v, want the tool that is still listed", got)
	}
	if _, err := c.Register(t.Context(), catalog.Tool{Server: "mail", Name: "audit", Description: "Our audit."}); err != nil {
		t.Fatal(err)
	}
	own := map[string]*catalog.Listing{"mail": other}
	if got := c.List(catalog.Filter{Server: "mail", Own: own}); len(got) != 1 || got[0].Description != "Our audit." {
		t.Errorf("List = %v, want only the registered tool", got)
	}
}

// With a lock, a caller sees the approved definitions of the tools that its server lists for it.
func TestSharedListing(t *testing.T) {
	c := office(t)
	if _, err := c.ReplaceServer(context.Background(), "mail", mailTools(t, "send_mail", "Send.", "purge",
		"Purge.")); err != nil {
		t.Fatal(err)
	}
	own := map[string]*catalog.Listing{"mail": catalog.SharedListing([]string{"send_mail", "new"})}
	if got := names(c.List(catalog.Filter{Server: "mail", Own: own})); !slices.Equal(got, []string{"send_mail"}) {
		t.Errorf("List = %v, want send_mail", got)
	}
	if _, err := c.Find(catalog.Key{Server: "mail", Name: "purge"}, own); err == nil {
		t.Error("a tool that is not listed for the caller was found")
	}
}
