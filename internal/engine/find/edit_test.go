package find

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// TestEdits gives a tool that Codex cannot find by the words of its name, among tools with these words.
func TestEdits(t *testing.T) {
	tools := []Tool{{Server: "t", Name: "search_repositories", Description: "Looks up projects by topic."}}
	for _, word := range strings.Fields("issues commits labels branches forks wikis") {
		tools = append(tools, Tool{Server: "t", Name: word, Description: "Search " + word + " of repositories."})
	}
	queries, _ := OwnQueries(tools)
	engines := Engines()
	r := Run(t.Context(), engines, tools, queries)
	if a := r.Answers[0][0]; queries[0].Text != "search repositories" || a.Rank != 0 {
		t.Fatalf("Codex ranks the tool %d for %q", a.Rank, queries[0].Text)
	}
	if len(r.Shadows[0]) == 0 || r.Shadows[0][0].Tool != 0 || r.Shadows[0][0].By == 0 {
		t.Errorf("shadows %v, want another tool before the first", r.Shadows[0])
	}
	edits, untried := Edits(t.Context(), engines, tools, queries, 5)
	if untried != 0 || len(edits) != 1 || edits[0].Tool != 0 || !slices.Contains(edits[0].Queries, queries[0].Text) {
		t.Fatalf("edits %+v, untried %d", edits, untried)
	}
	tools[0].Description = edits[0].Description
	if rank := Run(t.Context(), engines, tools, queries).Answers[0][0].Rank; rank < 1 || rank > engines[0].Limit {
		t.Errorf("with the edit Codex ranks the tool %d", rank)
	}
	if _, untried := Edits(t.Context(), engines, tools[1:], []Query{{Text: "zebra", Tools: []int{0}}}, 0); untried != 1 {
		t.Errorf("untried = %d, want 1 if no edit is allowed", untried)
	}
}

// TestEditsAreMinimal adds the one word that is needed, and no value of the query.
func TestEditsAreMinimal(t *testing.T) {
	tools := []Tool{{Server: "t", Name: "fx_quote", Description: "Returns a rate for two codes."}}
	for i := range 10 {
		tools = append(tools, Tool{Server: "t", Name: fmt.Sprintf("op_%c", 'a'+i),
			Description: "Returns a list of items for a day."})
	}
	edits, _ := Edits(t.Context(), Engines(), tools, []Query{{Text: `please returns a currency "EUR" for 100 items`,
		Tools: []int{0}}}, 5)
	if len(edits) != 1 || fmt.Sprint(edits[0].Added) != "[currency]" {
		t.Errorf("edits %+v, want the word currency alone", edits)
	}
}

// TestEditsKeepOthers does not give a tool the word of five others, one of which Claude Code would then not return.
func TestEditsKeepOthers(t *testing.T) {
	tools := []Tool{{Server: "t", Name: "op_a", Description: "Removes."}}
	queries := []Query{{Text: "deletes", Tools: []int{0}}}
	for i, name := range strings.Fields("b c d e f") {
		tools = append(tools, Tool{Server: "t", Name: "op_" + name, Description: "Deletes."})
		queries = append(queries, Query{Text: "deletes", Tools: []int{i + 1}})
	}
	if edits, _ := Edits(t.Context(), Engines(), tools, queries, 5); len(edits) != 0 {
		t.Errorf("edits %+v: five places for six tools", edits)
	}
	if edits, _ := Edits(t.Context(), Engines(), tools[:5], queries[:5], 5); len(edits) != 1 {
		t.Errorf("edits %+v for five tools, want one", edits)
	}
}

func TestKeywords(t *testing.T) {
	got := fmt.Sprint(keywords(`Send the "quarterly report" to bob@example.com, copy <NAME> in ./notes/x.md: sign-in ` +
		`by 12, 'later' GPT4o!`))
	if want := "[send copy sign-in gpt4o]"; got != want {
		t.Errorf("keywords = %s, want %s", got, want)
	}
}

// TestDescribe compares a search whose description was changed, and changed back, with a new one.
func TestDescribe(t *testing.T) {
	tools := []Tool{{Server: "t", Name: "one", Description: "Adds a note."},
		{Server: "t", Name: "two", Description: "Lists notes."}}
	changed := slices.Clone(tools)
	changed[0].Description = "Deletes old pages, notes and notes."
	for _, engine := range Engines() {
		search := engine.New(tools)
		check := func(want []Tool) {
			t.Helper()
			for _, query := range []string{"add note", "old notes", "pages", "one"} {
				if got, built := fmt.Sprint(search.Rank(query)), fmt.Sprint(engine.New(want).Rank(query)); got != built {
					t.Errorf("%s %q: %s, a new one %s", engine.ID, query, got, built)
				}
			}
		}
		check(tools)
		search.(editable).describe(0, changed[0].Description)
		check(changed)
		search.(editable).describe(0, tools[0].Description)
		check(tools)
	}
}

// TestEditsOfLabelledQueries applies the edits for labelled queries and measures how many expected tools are among the
// first five before and after: more in all, and not fewer for any query.
func TestEditsOfLabelledQueries(t *testing.T) {
	sets := recordedSets(t)
	labelled := labelledQueries(t)
	for set, most := range map[string]int{"azure2025": 226, "livemcpbench": 94, "metatool": 120, "toolret-apigen": 40} {
		tools, queries := sets[set], labelled[set]
		queries = queries[:min(len(queries), most)]
		engines := Engines()
		before := newEditor(engines, tools, queries).found
		edits, untried := Edits(t.Context(), engines, tools, queries, 15)
		changed := slices.Clone(tools)
		words := 0
		for _, edit := range edits {
			changed[edit.Tool].Description = edit.Description
			words += len(edit.Added)
		}
		after := newEditor(engines, changed, queries).found
		expected := 0
		for _, q := range queries {
			expected += len(q.Tools)
		}
		for s, engine := range engines {
			was, is := 0, 0
			for i := range queries {
				was, is = was+before[i][s].first, is+after[i][s].first
			}
			t.Logf("%s, %s: %d tools, %d queries: recall@5 %.3f before, %.3f with %d edits (%d words), %d misses "+
				"untried", set,
				engine.Name, len(tools), len(queries), float64(was)/float64(expected), float64(is)/float64(expected),
				len(edits), words, untried)
			if is <= was {
				t.Errorf("%s, %s: %d expected tools among the first 5, %d before the edits", set, engine.Name, is, was)
			}
		}
		if worse(before, after) {
			t.Errorf("%s: a query returns fewer expected tools with the edits", set)
		}
	}
}

// labelledQueries reads the queries of each set with the indexes of their tools.
func labelledQueries(t testing.TB) map[string][]Query {
	index, tools := map[string]int{}, map[string]int{}
	realdata.EachLine(t, realdata.Path(t, "search", "tools.jsonl"), func(line []byte) {
		var tool struct{ Set, ID string }
		if err := json.Unmarshal(line, &tool); err != nil {
			t.Fatal(err)
		}
		index[tool.ID] = tools[tool.Set]
		tools[tool.Set]++
	})
	queries := map[string][]Query{}
	realdata.EachLine(t, realdata.Path(t, "search", "queries.jsonl"), func(line []byte) {
		var rec struct {
			Set, Query string
			Relevant   []string
		}
		if err := json.Unmarshal(line, &rec); err != nil {
			t.Fatal(err)
		}
		q := Query{Text: rec.Query}
		for _, id := range rec.Relevant {
			tool, ok := index[id]
			if !ok {
				t.Fatalf("%q is not a tool of the set", id)
			}
			q.Tools = append(q.Tools, tool)
		}
		queries[rec.Set] = append(queries[rec.Set], q)
	})
	return queries
}
