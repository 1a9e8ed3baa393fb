package find

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// recordedSets reads the tools of each set as the server of the recording listed them: names with other characters
// replaced, cut to 50 characters, and numbered if they occur again.
func recordedSets(t testing.TB) map[string][]Tool {
	other := regexp.MustCompile(`[^A-Za-z0-9_]`)
	sets, seen := map[string][]Tool{}, map[string]int{}
	realdata.EachLine(t, realdata.Path(t, "search", "tools.jsonl"), func(line []byte) {
		var tool struct {
			Set, Name, Description string
			Params                 []string
		}
		if err := json.Unmarshal(line, &tool); err != nil {
			t.Fatal(err)
		}
		name := other.ReplaceAllString(tool.Name, "_")
		name = name[:min(len(name), 50)]
		seen[tool.Set+"/"+name]++
		if n := seen[tool.Set+"/"+name]; n > 1 {
			name = fmt.Sprintf("%s_%d", name, n)
		}
		one := Tool{Server: "t", Name: name, Description: tool.Description}
		for _, param := range tool.Params {
			property, _, _ := strings.Cut(param, ":")
			one.Properties = append(one.Properties, property)
		}
		sets[tool.Set] = append(sets[tool.Set], one)
	})
	return sets
}

// TestRecordedSearches compares each search with what the host returned for 60 queries. Tools of the host itself are
// omitted, and tools with the same score may be in any order.
func TestRecordedSearches(t *testing.T) {
	sets := recordedSets(t)
	for _, engine := range Engines() {
		same, first, total := 0, 0, 0
		searches := map[string]Search{}
		file := map[string]string{"codex": "search-codex.jsonl", "claude-code": "search-claude.jsonl"}[engine.ID]
		realdata.EachLine(t, realdata.Path(t, "hosts", file), func(line []byte) {
			var rec struct {
				Set, Query, Pool   string
				Returned, Relevant []string
			}
			if err := json.Unmarshal(line, &rec); err != nil {
				t.Fatal(err)
			}
			tools, key := sets[rec.Set], rec.Set
			if rec.Pool != "" { // the first 2,000 tools of the set and the relevant ones
				tools = poolOf(tools, rec.Relevant)
				key += strings.Join(rec.Relevant, ",")
			}
			if searches[key] == nil {
				searches[key] = engine.New(tools)
			}
			total++
			hits := searches[key].Rank(rec.Query)
			wrong, wrongFirst := compareHits(tools, hits, rec.Returned)
			if wrong == "" {
				same++
			} else {
				t.Logf("%s %s %q: %s", engine.ID, rec.Set, rec.Query, wrong)
			}
			if !wrongFirst {
				first++
			}
		})
		t.Logf("%s: the same tools for %d of %d queries, the same first tool for %d", engine.ID, same, total, first)
		if float64(same) < 0.95*float64(total) || float64(first) < 0.97*float64(total) || total == 0 {
			t.Errorf("%s: the same tools for %d of %d queries and the same first for %d, want 95%% and 97%%", engine.ID,
				same, total, first)
		}
	}
}

func poolOf(tools []Tool, relevant []string) []Tool {
	var pool []Tool
	for i, t := range tools {
		if i < 2000 || slices.Contains(relevant, t.Name) {
			pool = append(pool, t)
		}
	}
	return pool
}

// compareHits returns how the tools that a host returned differ from ours.
func compareHits(tools []Tool, hits []Hit, returned []string) (wrong string, wrongFirst bool) {
	scores := map[string]float64{}
	for _, h := range hits {
		scores[tools[h.Tool].Name] = h.Score
	}
	known := slices.DeleteFunc(slices.Clone(returned), func(name string) bool {
		return !slices.ContainsFunc(tools, func(t Tool) bool { return t.Name == name })
	})
	if len(known) == 0 {
		return "", false
	}
	if len(hits) < len(known) {
		return fmt.Sprintf("%d hits, recorded %d", len(hits), len(known)), true
	}
	last := hits[len(known)-1].Score
	for _, name := range known {
		if scores[name] < last-1e-9 {
			return fmt.Sprintf("recorded %s with score %.3f, ours end at %.3f", name, scores[name], last),
				math.Abs(scores[known[0]]-hits[0].Score) > 1e-9
		}
	}
	return "", math.Abs(scores[known[0]]-hits[0].Score) > 1e-9
}
