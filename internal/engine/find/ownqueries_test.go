package find

import (
	"slices"
	"testing"
)

func TestOwnQueries(t *testing.T) {
	for _, test := range []struct {
		tool Tool
		want []string
	}{
		{Tool{Name: "price_order", Title: "Order price", Description: "Get the price of an order. Fails if it is unknown."},
			[]string{"price order", "Order price", "Get the price of an order", "get price"}},
		{Tool{Name: "searchRepositories", Description: "Search for GitHub repositories, issues and users."},
			[]string{"search repositories", "Search for GitHub repositories, issues and users", "search github repositories"}},
		{Tool{Name: "list-notes", Title: "List notes", Description: "List notes"}, []string{"list notes"}},
		{Tool{Name: "x", Description: "This tool returns a list."}, []string{"x", "This tool returns a list"}},
		{Tool{Name: "y", Description: "Deletes."}, []string{"y", "Deletes"}},
		{Tool{Name: "z", Description: "Convert one two three four"}, []string{"z", "Convert one two three four",
			"convert one two three"}},
		{Tool{}, nil},
	} {
		queries, unasked := OwnQueries([]Tool{test.tool})
		var got []string
		for _, q := range queries {
			got = append(got, q.Text)
		}
		if !slices.Equal(got, test.want) || unasked != 0 {
			t.Errorf("OwnQueries(%+v) = %q, %d; want %q", test.tool, got, unasked, test.want)
		}
	}
}

// TestOwnQueriesAreLimited makes queries of the first tools alone if there are too many tools.
func TestOwnQueriesAreLimited(t *testing.T) {
	tools := make([]Tool, 100_000)
	for i := range tools {
		tools[i] = Tool{Name: "get_data", Description: "Reads a record of a table."}
	}
	queries, unasked := OwnQueries(tools)
	if n := len(queries) * len(tools); n > maxPairs || n < maxPairs/2 {
		t.Errorf("%d queries for %d tools", len(queries), len(tools))
	}
	if last := queries[len(queries)-1].Tools[0]; unasked != len(tools)-last-1 {
		t.Errorf("unasked %d, but the last tool with queries is %d", unasked, last)
	}
}
