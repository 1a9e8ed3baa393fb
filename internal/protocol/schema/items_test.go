package schema

import "testing"

// A value of another tool fits an argument by its pattern, by the name of the tool in its description, or as a path.
func TestItems(t *testing.T) {
	t.Parallel()
	airports := Items("search_airports", []byte(`{"structuredContent":{"airports":[{"name":"Schiphol","code":"AMS","built":"1916-09-16"}]}}`))
	for pattern, want := range map[string]string{"^[A-Z]{3}$": `"AMS"`, "^[0-9]{4}$": "", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$": ""} {
		if got := string(Like(pattern)(airports[0])); got != want {
			t.Errorf("%s: got %s, expected %s", pattern, got, want)
		}
	}
	for _, pattern := range []string{"", "^.*$", "(", "^[A-Z_]+$", "^[^ ]{5,}$", "^[0-9]+$"} {
		if Like(pattern) != nil {
			t.Errorf("%q says something about a value", pattern)
		}
	}
	for description, want := range map[string]string{"IATA code, see search_airports": `"AMS"`, "IATA code": "", "search_airports_by_name": ""} {
		if got := string(airports[0].Named(description)); got != want {
			t.Errorf("%s: got %s, expected %s", description, got, want)
		}
	}
	articles := Items("list_articles", []byte(`{"structuredContent":{"how-to":"How to","faq":"Questions"}}`))
	if got := string(articles[0].Named("ID as returned by list_articles")); got != `"how-to"` {
		t.Errorf("got %s", got)
	}
	repositories := Items("list_repositories", []byte(`{"structuredContent":{"result":["infra"]}}`))
	if got := string(repositories[0].ValueFor("repo", "branch")); got != `"infra"` {
		t.Errorf("got %s", got)
	}
	entries := Items("list_folder", []byte(`{"structuredContent":{"entries":[{"name":"readme.md","size":3}]}}`))
	users := Items("list_users", []byte(`{"structuredContent":{"users":[{"name":"ada"}]}}`))
	for _, c := range []struct {
		item           Item
		argument, want string
	}{{entries[0], "path", `"readme.md"`}, {entries[0], "file_path", `"readme.md"`}, {entries[0], "title", ""}, {users[0], "path", ""}} {
		if got := string(c.item.ValueFor(c.argument, "text")); got != c.want {
			t.Errorf("%s: got %s, expected %s", c.argument, got, c.want)
		}
	}
}
