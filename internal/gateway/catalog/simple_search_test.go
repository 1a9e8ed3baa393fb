package catalog_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// sameAsSimple reports a difference between Search and SimpleSearch: the same tools in the same order, with the same
// scores.
func sameAsSimple(t interface {
	Helper()
	Errorf(string, ...any)
}, c *catalog.Catalog, query string, f catalog.Filter) {
	t.Helper()
	got, want := c.Search([]string{query}, f), c.SimpleSearch(query, f)
	same := len(got) == len(want)
	for i := 0; same && i < len(got); i++ {
		same = got[i].Tool.Key() == want[i].Key && math.Abs(got[i].Score-want[i].Score) < 1e-9
	}
	if same {
		return
	}
	var lines []string
	for _, h := range got {
		lines = append(lines, fmt.Sprintf("%s %.9f", h.Tool.Key(), h.Score))
	}
	t.Errorf("Search(%q) = %v, expected as the simple search %v", query, lines, want)
}

// Search ranks like the simple search: on the labelled sets, and for words of their queries in any order, with quotes,
// misspellings, negations, names, limits and permissions.
func TestSearchRanksLikeTheSimpleSearch(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("counts the words of thousands of tools")
	}
	random := rand.New(rand.NewSource(7))
	third := func(tool *catalog.Tool) bool { return len(tool.Name)%3 > 0 }
	for _, set := range labelledSets(t) {
		c := fill(t, set.tools)
		asked := every(set.queries, 1+len(set.queries)/20)
		for i, q := range asked {
			sameAsSimple(t, c, q.Query, catalog.Filter{})
			words := strings.Fields(q.Query + " " + asked[random.Intn(len(asked))].Query)
			random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			words = words[:min(len(words), 1+random.Intn(9))]
			mixed := strings.Join(words, " ")
			switch i % 5 {
			case 0:
				mixed = `"` + mixed + `"`
			case 1:
				mixed += " not " + words[0]
			case 2:
				mixed += " " + set.tools[random.Intn(len(set.tools))].Name
			case 3:
				mixed = misspell(mixed, random)
			}
			sameAsSimple(t, c, mixed, catalog.Filter{Allow: third, AllowKey: "third", Limit: []int{1, 10, 80}[i%3]})
		}
	}
}

// misspell swaps two letters.
func misspell(text string, random *rand.Rand) string {
	b := []byte(text)
	if len(b) > 1 {
		i := random.Intn(len(b) - 1)
		b[i], b[i+1] = b[i+1], b[i]
	}
	return strings.ToValidUTF8(string(b), "")
}

// What a search keeps for the next one is right after every change of the catalog.
func TestSearchRanksLikeTheSimpleSearchAfterChanges(t *testing.T) {
	words := strings.Fields("file files filesystem read write list get database server weather mail send hostpool text " +
		"pdf please flie")
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string, n int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, n).Draw(t, label), " ")
		}
		c := catalog.New()
		defer c.Close()
		listings := []*catalog.Listing{}
		for range rapid.IntRange(1, 15).Draw(t, "changes") {
			server := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "server")
			var tools []catalog.Tool
			for range rapid.IntRange(0, 4).Draw(t, "tools") {
				tools = append(tools, catalog.Tool{Name: strings.ReplaceAll(text("name", 2), " ", "_"),
					Description: text("description", 9)})
				if rapid.Bool().Draw(t, "tie") { // tools with the same words are sorted by key
					tools[len(tools)-1] = catalog.Tool{Name: "mail_" + rapid.StringOfN(rapid.RuneFrom([]rune("_-./")), 1, 4,
						-1).Draw(t, "dots")}
				}
			}
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				listings = append(listings, c.AddListing(server, tools))
			case 1:
				c.SetStale(server, rapid.Bool().Draw(t, "stale"))
			default:
				if _, err := c.ReplaceServer(t.Context(), server, tools); err != nil {
					t.Fatal(err)
				}
			}
			if len(listings) > 1 {
				c.RemoveListing(listings[0])
				listings = listings[1:]
			}
			query := text("query", 5)
			sameAsSimple(t, c, query, catalog.Filter{})
			sameAsSimple(t, c, query, catalog.Filter{AllowKey: "a and b",
				Allow: func(t *catalog.Tool) bool { return t.Server != "c" }})
			for _, l := range listings {
				sameAsSimple(t, c, query, catalog.Filter{Own: map[string]*catalog.Listing{"a": l}})
			}
		}
	})
}

func TestSimilarSpellings(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("compares with every word of thousands of tools")
	}
	c := fill(t, labelledSets(t)[0].tools)
	random := rand.New(rand.NewSource(3))
	found := 0
	for _, tool := range every(c.List(catalog.Filter{}), 8) {
		for _, word := range strings.Fields(strings.ToLower(tool.Description)) {
			got, want := c.Similar(misspell(word, random))
			if len(word) >= 4 && !slices.Equal(got, want) {
				t.Errorf("words similar to %q: %q, expected %q", word, got, want)
			}
			found += len(got)
		}
	}
	if found < 100 {
		t.Errorf("%d similar words found, expected hundreds", found)
	}
}

// At least n scores reach the limit, and it is not 0 if there are more.
func TestReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(0, 3), 0, 400).Draw(t, "scores")
		n := rapid.IntRange(0, 60).Draw(t, "n")
		least, reach := catalog.Reached(scores, n), 0
		for _, s := range scores {
			if s >= least {
				reach++
			}
		}
		if reach < min(n, len(scores)) {
			t.Errorf("%d of %d scores reach %v, expected at least %d", reach, len(scores), least, n)
		}
	})
}
