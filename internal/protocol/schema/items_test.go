package schema

import "testing"

// A value of another tool fits an argument by its pattern, or as a path.
func TestItems(t *testing.T) {
	t.Parallel()
	airports := Items("search_airports", []byte(`{"structuredContent":{"airports":[{"name":"Schiphol","code":"AMS","built":"1916-09-16"}]}}`))
	for pattern, want := range map[string]string{"^[A-Z]{3}$": `"AMS"`, "^[0-9]{4}$": "", "^.*$": "", "(": "",
		"^[0-9]{4}-[0-9]{2}-[0-9]{2}$": ""} {
		if got := string(airports[0].ValueLike(pattern)); got != want {
			t.Errorf("%s: got %s, expected %s", pattern, got, want)
		}
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
