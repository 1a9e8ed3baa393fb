package catalog_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// A labelled set is tools, and queries with the tools that answer them.
type labelled struct {
	name    string
	tools   []catalog.Tool
	ids     map[catalog.Key]string
	queries []labelledQuery
}

type labelledQuery struct {
	Set      string   `json:"set"`
	Query    string   `json:"query"`
	Relevant []string `json:"relevant"`
}

// labelledSets reads whatever sets the folder holds, in their order.
func labelledSets(t testing.TB) []*labelled {
	t.Helper()
	folder := realdata.Path(t, "search")
	var sets []*labelled
	byName := func(name string) *labelled {
		i := slices.IndexFunc(sets, func(l *labelled) bool { return l.name == name })
		if i < 0 {
			sets = append(sets, &labelled{name: name, ids: map[catalog.Key]string{}})
			i = len(sets) - 1
		}
		return sets[i]
	}
	realdata.EachLine(t, filepath.Join(folder, "tools.jsonl"), func(line []byte) {
		var l struct {
			Set, ID, Server, Name, Description string
			Params                             []string
			InputSchema                        json.RawMessage
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		tool := catalog.Tool{Name: l.Name, Server: l.Server, Description: l.Description, Parameters: l.InputSchema}
		if l.InputSchema == nil {
			tool.Parameters = schemaOf(t, l.Params)
		}
		set := byName(l.Set)
		for set.ids[tool.Key()] != "" { // some sets have a name twice; a dot is no word, so search does not see it
			tool.Server += "·"
		}
		set.ids[tool.Key()] = l.ID
		set.tools = append(set.tools, tool)
	})
	realdata.EachLine(t, filepath.Join(folder, "queries.jsonl"), func(line []byte) {
		var q labelledQuery
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		set := byName(q.Set)
		set.queries = append(set.queries, q)
	})
	return sets
}

// schemaOf makes a schema of parameters given as "name: description".
func schemaOf(t testing.TB, params []string) json.RawMessage {
	t.Helper()
	properties := map[string]any{}
	for _, p := range params {
		name, description, _ := strings.Cut(p, ":")
		properties[name] = map[string]string{"description": strings.TrimSpace(description)}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// distractors are real tools that answer no query of a labelled set, as far as anybody knows.
func distractors(t testing.TB) []catalog.Tool {
	t.Helper()
	var out []catalog.Tool
	seen := map[catalog.Key]bool{}
	realdata.EachLine(t, realdata.Path(t, "tools.jsonl"), func(line []byte) {
		var l struct {
			Server string
			Tools  []json.RawMessage
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		for _, raw := range l.Tools {
			tool, err := catalog.FromServer(l.Server, raw)
			if err != nil || seen[tool.Key()] {
				continue
			}
			seen[tool.Key()] = true
			out = append(out, tool)
		}
	})
	return out
}

// fill makes a catalog of tools. Where a later list has a tool of the same server and name, it is the same tool.
func fill(t testing.TB, lists ...[]catalog.Tool) *catalog.Catalog {
	t.Helper()
	c := catalog.New()
	t.Cleanup(func() { c.Close() })
	servers, seen := map[string][]catalog.Tool{}, map[catalog.Key]bool{}
	for _, list := range lists {
		for _, tool := range list {
			if seen[tool.Key()] {
				continue
			}
			seen[tool.Key()] = true
			servers[tool.Server] = append(servers[tool.Server], tool)
		}
	}
	for server, tools := range servers {
		if skipped, err := c.ReplaceServer(t.Context(), server, tools); err != nil || len(skipped) > 0 {
			t.Fatalf("ReplaceServer(%s) left out %v, %v", server, skipped, err)
		}
	}
	return c
}

// A searcher answers a query with the keys of the ten best tools.
type searcher func(query string) []catalog.Key

// searcherOf is the search of a catalog.
func searcherOf(c *catalog.Catalog) searcher {
	return func(query string) []catalog.Key {
		var out []catalog.Key
		for _, hit := range c.Search([]string{query}, catalog.Filter{Limit: 10}) {
			out = append(out, hit.Tool.Key())
		}
		return out
	}
}

// A quality is what the answers to the queries of a set are worth.
type quality struct{ recall1, recall5, recall10, ndcg10, mrr float64 }

// measure asks all queries of a set.
func (l *labelled) measure(search searcher) quality {
	var sum quality
	for _, q := range l.queries {
		dcg, first := 0.0, 0.0
		for i, key := range search(q.Query) {
			if !slices.Contains(q.Relevant, l.ids[key]) {
				continue
			}
			share := 1 / float64(len(q.Relevant))
			dcg += 1 / math.Log2(float64(i+2))
			if first == 0 {
				first = 1 / float64(i+1)
			}
			if i == 0 {
				sum.recall1 += share
			}
			if i < 5 {
				sum.recall5 += share
			}
			sum.recall10 += share
		}
		ideal := 0.0
		for i := range min(len(q.Relevant), 10) {
			ideal += 1 / math.Log2(float64(i+2))
		}
		sum.ndcg10 += dcg / ideal
		sum.mrr += first
	}
	n := float64(len(l.queries))
	return quality{sum.recall1 / n, sum.recall5 / n, sum.recall10 / n, sum.ndcg10 / n, sum.mrr / n}
}
