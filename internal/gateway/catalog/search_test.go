package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// office is a few tools that are easily mistaken for each other.
func office(t *testing.T) *catalog.Catalog {
	return register(t,
		"read_file", "Read the contents of a file. File operations need permission.",
		"writeFile", "Write text to a file on disk.",
		"list-directory", "List the files of a directory.",
		"file.operations", "All operations on a file: copy, move, delete.",
		"get_weather", "Current weather and forecast for a city.",
		"hostpool_list", "List host pools.",
		"database_server_list", "List the database servers of a subscription.",
		"database_server_get", "Show one database server.",
		"translate", "Übersetzt Text. 翻译 文本 to another language.",
	)
}

func TestTC_MTC_003_SearchByDescription(t *testing.T) {
	c := office(t)
	hits := c.Search([]string{"file operations"}, catalog.Filter{})
	if got := found(hits); len(got) < 4 || got[0] != "file.operations" || got[1] != "read_file" {
		t.Errorf("Search = %v, want file.operations, then read_file, then the other files", got)
	}
	for i, h := range hits {
		if h.Score <= 0 || h.Score > 1 || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("hit %d has score %v, want 0..1 and falling", i, h.Score)
		}
		if len(h.Matched) == 0 {
			t.Errorf("%s: no matched terms", h.Tool.Name)
		}
	}
	if got := found(hits); slices.Contains(got, "get_weather") {
		t.Errorf("Search = %v, want no tool that has nothing to do with it", got)
	}
}

func TestSearch(t *testing.T) {
	c := office(t)
	for _, test := range []struct{ about, query, first string }{
		{"the exact name", "read_file", "read_file"},
		{"the exact name in another case", "WRITEFILE", "writeFile"},
		{"a name in a sentence", "please call get_weather for all files and directories", "get_weather"},
		{"words of a name", "write file", "writeFile"},
		{"another form of a word", "reading", "read_file"},
		{"plural", "show me my database servers", "database_server_list"},
		{"singular", "show me the database server", "database_server_get"},
		{"a prefix", "trans", "translate"},
		{"two words that are one", "host pool", "hostpool_list"},
		{"the end of a name", "pools", "hostpool_list"},
		{"a misspelling", "wether", "get_weather"},
		{"swapped letters", "trnaslate", "translate"},
		{"two errors in a long word", "operashuns", ""},
		{"a phrase", `"text to a file"`, "writeFile"},
		{"another language", "übersetzt", "translate"},
		{"a word without spaces", "翻译", "translate"},
		{"nothing but stop words", "the of and", ""},
		{"nothing", "", ""},
		{"what nobody has", "xylophone quantum", ""},
	} {
		got := append(found(c.Search([]string{test.query}, catalog.Filter{})), "")[0]
		if got != test.first {
			t.Errorf("%s: Search(%q) finds %q first, want %q", test.about, test.query, got, test.first)
		}
	}
}

func TestSearchPhrase(t *testing.T) {
	c := office(t)
	if got, want := found(c.Search([]string{`"contents of a file"`}, catalog.Filter{})),
		[]string{"read_file"}; !slices.Equal(got, want) {
		t.Errorf("a phrase finds %v, want %v alone", got, want)
	}
	if got := found(c.Search([]string{`"file weather"`}, catalog.Filter{})); len(got) < 3 {
		t.Errorf("a phrase that no tool has finds %v, want what its words find", got)
	}
}

func TestSearchForgivesOnlyWhenLittleIsFound(t *testing.T) {
	c := register(t, "form_a", "", "form_b", "", "form_c", "", "farm", "")
	if got := found(c.Search([]string{"form"}, catalog.Filter{})); slices.Contains(got, "farm") || len(got) != 3 {
		t.Errorf("Search(form) = %v, want the three that are spelt so", got)
	}
}

func TestSearchSeveralQueries(t *testing.T) {
	c := office(t)
	hits := c.Search([]string{"weather in Paris and please all the other words that a long request has",
		"write a file"}, catalog.Filter{Limit: 4})
	if got := found(hits)[:2]; !slices.Contains(got, "get_weather") || !slices.Contains(got, "writeFile") {
		t.Errorf("Search = %v, want the best for each need first", found(hits))
	}
	for _, h := range hits {
		if h.Tool.Name == "get_weather" && !slices.Equal(h.Queries, []int{0}) {
			t.Errorf("get_weather answers %v, want query 0", h.Queries)
		}
	}
}

func TestSearchTellsWhatMatched(t *testing.T) {
	hits := office(t).Search([]string{"forecasts for my City please"}, catalog.Filter{Limit: 1})
	if len(hits) != 1 || !slices.Equal(hits[0].Matched, []string{"forecasts", "city"}) {
		t.Errorf("Search = %+v, want get_weather by forecasts and city", hits)
	}
}

// A tool that a caller may not see changes no score, not even by the order in which similar spellings are added up.
func TestSpellingsOfHiddenTools(t *testing.T) {
	all, some := catalog.New(), catalog.New()
	defer all.Close()
	defer some.Close()
	seen := catalog.Tool{Name: "wetter_weather", Server: "file", Description: "weather"}
	for _, c := range []struct {
		into *catalog.Catalog
		tool catalog.Tool
	}{{all, catalog.Tool{Name: "hidden", Server: "file", Description: "weather"}}, {all, seen}, {some, seen}} {
		if _, err := c.into.Register(t.Context(), c.tool); err != nil {
			t.Fatal(err)
		}
	}
	queries := []string{"wether"}
	got := all.Search(queries, catalog.Filter{Allow: func(t *catalog.Tool) bool { return t.Name == seen.Name }})
	want := some.Search(queries, catalog.Filter{})
	if len(got) != 1 || len(want) != 1 || got[0].Score != want[0].Score {
		t.Errorf("filtered: got %+v, alone: %+v, expected one result with the same score", got, want)
	}
}

// What the caller may not see has no part in what is found: the answer is that of a catalog without it. And a catalog
// that has been changed answers like one that never was otherwise.
func TestSearchKnowsOnlyWhatIsAllowed(t *testing.T) {
	words := strings.Fields("file files read write list get database server servers weather mail send hostpool host " +
		"pool text pdf the please " +
		"wetter datei flies usd currency s3 k8s kubernetes not without")
	text := func(t *rapid.T, label string, n int) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, n).Draw(t, label), " ")
	}
	rapid.Check(t, func(t *rapid.T) {
		all, some := catalog.New(), catalog.New()
		defer all.Close()
		defer some.Close()
		allowed := map[string]bool{}
		for i := range rapid.IntRange(1, 12).Draw(t, "tools") {
			tool := catalog.Tool{Name: strings.ReplaceAll(text(t, "name", 3), " ", "_") + fmt.Sprint("_", i),
				Server: text(t, "server", 1), Description: text(t, "description", 9)}
			added, err := all.Register(t.Context(), tool)
			if err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "changed") {
				before := added
				before.Description = text(t, "before", 9)
				for version, next := range []catalog.Tool{before, tool} {
					if _, err := all.Update(t.Context(), next, version+1); err != nil {
						t.Fatal(err)
					}
				}
			}
			if rapid.Bool().Draw(t, "removed") {
				if err := all.Remove(t.Context(), tool.Key()); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if allowed[tool.Name] = rapid.Bool().Draw(t, "allowed"); allowed[tool.Name] {
				if _, err := some.Register(t.Context(), tool); err != nil {
					t.Fatal(err)
				}
			}
		}
		queries := []string{text(t, "query", 6)}
		if rapid.Bool().Draw(t, "misspelt") {
			queries[0] += " wether databese"
		}
		got := all.Search(queries, catalog.Filter{Allow: func(t *catalog.Tool) bool { return allowed[t.Name] }})
		want := some.Search(queries, catalog.Filter{})
		type line struct {
			Name    string
			Score   string
			Matched []string
		}
		lines := func(hits []catalog.Hit) (out []line) {
			for _, h := range hits {
				out = append(out, line{h.Tool.Name, fmt.Sprintf("%.9f", h.Score), h.Matched})
			}
			return out
		}
		if diff := cmp.Diff(lines(got), lines(want)); diff != "" {
			t.Errorf("Search(%q): filtered - alone +\n%s", queries, diff)
		}
	})
}

// A word that only a removed tool had does not change a score: the pair of words beside it is as rare as without it.
func TestSearchIgnoresWordsOfRemovedTools(t *testing.T) {
	var scores [2]float64
	for i := range scores {
		c := catalog.New()
		defer c.Close()
		for _, tool := range []catalog.Tool{{Name: "file_2", Server: "file", Description: "hostpool file"},
			{Name: "file_3", Server: "file", Description: "pool"}}[:i+1] {
			if _, err := c.Register(t.Context(), tool); err != nil {
				t.Fatal(err)
			}
		}
		if i == 1 {
			if err := c.Remove(t.Context(), (&catalog.Tool{Name: "file_3", Server: "file"}).Key()); err != nil {
				t.Fatal(err)
			}
		}
		hits := c.Search([]string{"hostpool file pool"}, catalog.Filter{})
		if len(hits) != 1 {
			t.Fatalf("got %v, expected one tool", found(hits))
		}
		scores[i] = hits[0].Score
	}
	if scores[0] != scores[1] {
		t.Errorf("the score is %v alone and %v after another tool was removed", scores[0], scores[1])
	}
}

// A word of the same meaning finds a tool, after those that have the word itself.
func TestSynonyms(t *testing.T) {
	c := register(t, "resize_picture", "Makes an image smaller.", "resize_photo", "Makes a photo smaller.",
		"send_letter", "By post.")
	hits := c.Search([]string{"photo"}, catalog.Filter{})
	if len(hits) != 2 || hits[0].Tool.Name != "resize_photo" || hits[1].Tool.Name != "resize_picture" ||
		hits[1].Score >= hits[0].Score {
		t.Errorf("Search(photo) = %v, want the photo before the picture, and no letter", hits)
	}
}
