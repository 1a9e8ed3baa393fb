package frontend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/metatools"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// maxMetaCost is what a model may have to read before its first call, in characters: the meta-tools and one search.
const maxMetaCost = 6_000

// TestMetaToolsAreCheap registers 55 tools with descriptions and arguments like those of real servers.
func TestMetaToolsAreCheap(t *testing.T) {
	s := newStage(t, "2025-11-25")
	for i := range 55 {
		s.register(fmt.Sprintf(`"name":"read_file_%d","description":%q,"parameters":{"type":"object","properties":{`+
			`"path":{"type":"string","description":"The path of the file to read, relative to the root folder."},`+
			`"head":{"type":"integer","description":"Only the first lines."},"format":{"enum":["text","base64"]}},`+
			`"required":["path"]},"run":{"func":"echo"}`, i,
			"Read the whole contents of a file as text, in the encoding of the file. "+strings.Repeat("Details follow. ", 20)))
	}
	list, err := s.client.List(t.Context(), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	definitions := 0
	for _, item := range list.Items {
		definitions += len(item.Raw)
	}
	found := s.call("catalog_search", `{"query":"read a file"}`)
	search := len(textsOf(found))
	t.Logf("%d meta-tools: %d characters, a search: %d", len(list.Items), definitions, search)
	if definitions+search > maxMetaCost {
		t.Errorf("the meta-tools (%d) and a search (%d) have %d characters, at most %d are allowed", definitions, search,
			definitions+search, maxMetaCost)
	}
	if strings.Contains(found, "structuredContent") {
		t.Errorf("the result is sent twice: %s", found)
	}
	s.wants(textsOf(found), `"arguments":"(path: string, head?: integer, format?: \"text\"|\"base64\")"`)
	s.wants(s.call("catalog_search", `{}`), `"type":"ValidationError"`, "missing required: query")
}

// A long list is brief and in pages, so that a model that asks for all tools is not flooded. What is asked for by name
// has its schemas.
func TestLongListsAreBrief(t *testing.T) {
	s := newStage(t, "2026-07-28")
	var want []string
	for i := range 120 {
		name := fmt.Sprintf("tool%03d", i)
		want = append(want, name)
		s.register(fmt.Sprintf(`"name":%q,"description":%q,"run":{"func":"echo"}`, name, strings.Repeat("Long text. ", 40)))
	}
	var got []string
	for cursor := ""; ; {
		var page struct {
			listing
			Next string `json:"next_cursor"`
		}
		arguments := `{}`
		if cursor != "" {
			arguments = `{"cursor":"` + cursor + `"}`
		}
		result := s.call("catalog_list", arguments)
		if text := textsOf(result); len(text) > 9_000 || json.Unmarshal([]byte(text), &page) != nil {
			t.Fatalf("a page has %d characters: %.200s", len(text), text)
		}
		if page.Tools[0].Parameters != nil {
			t.Fatalf("a long list has schemas: %.300s", result)
		}
		got = append(got, page.names()...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the pages have %d tools, want each of %d once", len(got), len(want))
	}
	if one := s.list("catalog_list", `{"filter":"tool007"}`); len(one.Tools) != 1 || one.Tools[0].Parameters == nil {
		t.Errorf("a short list has no schemas: %+v", one)
	}
	if all := s.list("catalog_list", `{"brief":false}`); all.Count != 120 || all.Tools[0].Parameters == nil {
		t.Errorf("with brief false: %d tools, want all with schemas", all.Count)
	}
	if few := s.list("catalog_list", `{"limit":100}`); few.Count != 100 {
		t.Errorf("with a limit of 100: %d tools", few.Count)
	}
}

// TestHostsKeepTheMetaTools requires that no known host drops one of the meta-tools.
func TestHostsKeepTheMetaTools(t *testing.T) {
	var tools []hosts.Tool
	for _, meta := range metatools.All() {
		tools = append(tools, hosts.Read(meta.Definition([]string{"files", "mail"})))
	}
	for _, a := range hosts.Arrivals("gateway", tools, nil) {
		if a.Arrived != len(tools) {
			t.Errorf("%s: %d of %d arrive: lost by %+v, dropped %+v", a.Host, a.Arrived, len(tools), a.Blame, a.Dropped)
		}
	}
}
