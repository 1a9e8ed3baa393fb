package find

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
)

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{"search_repositories": "search repositories", "getUserData": "get user data",
		"a.b-c": "a b c", "HTTPGet": "httpget"} {
		if got := NameWords(name); got != want {
			t.Errorf("NameWords(%s) = %q, want %q", name, got, want)
		}
	}
}

// TestEdits gives a tool that Codex cannot find by the words of its name, among tools with these words.
func TestEdits(t *testing.T) {
	tools := []Tool{{Server: "t", Name: "search_repositories", Description: "Looks up projects by topic."}}
	for _, word := range strings.Fields("issues commits labels branches forks wikis") {
		tools = append(tools, Tool{Server: "t", Name: word, Description: "Search " + word + " of repositories."})
	}
	queries := OwnQueries(tools)
	engines := Engines()
	r := Run(engines, tools, queries)
	if a := r.Answers[0][0]; queries[0].Text != "search repositories" || a.Rank != 0 {
		t.Fatalf("Codex ranks the tool %d for %q", a.Rank, queries[0].Text)
	}
	if len(r.Shadows[0]) == 0 || r.Shadows[0][0].Tool != 0 || r.Shadows[0][0].By == 0 {
		t.Errorf("shadows %v, want another tool before the first", r.Shadows[0])
	}
	edits, ok := Edits(engines, tools, r, 5)
	if !ok || len(edits) == 0 || edits[0].Tool != 0 || !strings.Contains(edits[0].Description, "search repositories") {
		t.Fatalf("edits %v, %v", edits, ok)
	}
	tools[0].Description = edits[0].Description
	after := Run(engines, tools, queries)
	if rank := after.Answers[0][0].Rank; rank < 1 || rank > engines[0].Limit {
		t.Errorf("with the edit Codex ranks the tool %d", rank)
	}
	if worse(engines, r, after) {
		t.Error("with the edit another query loses its tool")
	}
}

// TestClaudeSearch covers what the recorded queries do not contain.
func TestClaudeSearch(t *testing.T) {
	s := newClaude([]Tool{{Server: "notes", Name: "add_note", Description: "Adds text."}, {Server: "notes", Name: "list_notes", Description: "Lists all."}})
	for query, want := range map[string]string{"add_note": "[{0 1}]", "mcp__notes__list_notes": "[{1 1}]", "+list note": "[{1 26}]", "zebra": "[]"} {
		if got := fmt.Sprint(s.Rank(query)); got != want {
			t.Errorf("Rank(%q) = %s, want %s", query, got, want)
		}
	}
}

// TestSpeed ranks 1,000 tools for 300 queries in 2 seconds.
func TestSpeed(t *testing.T) {
	var tools []Tool
	for _, set := range recordedSets(t) {
		tools = append(tools, set[:min(len(set), 350)]...)
	}
	tools = tools[:min(len(tools), 1000)]
	queries := OwnQueries(tools)
	queries = queries[:min(len(queries), 300)]
	started := cputime.Used()
	Run(Engines(), tools, queries)
	took := cputime.Used() - started
	t.Logf("%d queries, %d tools: %v of CPU time", len(queries), len(tools), took)
	if took > 2*time.Second*slowdown {
		t.Errorf("took %v, want at most 2 s", took)
	}
}
