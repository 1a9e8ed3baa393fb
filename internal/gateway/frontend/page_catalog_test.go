package frontend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// catalog_list answers with all tools; whoever wants fewer at a time gets the rest with a cursor, each tool once,
// whatever comes and goes meanwhile. A cursor that was not made for the same question is refused with what to do.
func TestCatalogListInPages(t *testing.T) {
	for _, protocol := range protocols {
		s := newStage(t, protocol)
		var want []string
		for i := range 7 {
			name := fmt.Sprintf("tool%d", i)
			want = append(want, name)
			s.registerAll(name, "One of seven")
		}
		type answer struct {
			listing
			Total int
			Next  string `json:"next_cursor"`
		}
		ask := func(arguments string) (a answer) {
			s.structured("catalog_list", arguments, &a)
			return a
		}
		if all := ask(`{}`); !slices.Equal(all.names(), want) || all.Next != "" || all.Total != 7 {
			t.Errorf("%s: %v of %d, next %q; want all of 7", protocol, all.names(), all.Total, all.Next)
		}
		page := ask(`{"limit":3,"brief":true}`)
		first, got := page.Next, page.names()
		s.structured("remove_tool", `{"name":"tool2"}`, &struct{}{}) // the one that the cursor stands on
		for page.Next != "" {
			page = ask(`{"limit":3,"cursor":"` + page.Next + `"}`)
			got = append(got, page.names()...)
		}
		if !slices.Equal(got, want) || page.Total != 6 {
			t.Errorf("%s: page by page %v of %d, want %v", protocol, got, page.Total, want)
		}
		other := s.rig.dial(t, protocol, "bob", mcp.Options{})
		for arguments, who := range map[string]*mcp.Session{
			`{"cursor":"made-up"}`:                                 s.client,
			`{"cursor":"` + first + `","filter":"tool"}`:           s.client,
			`{"cursor":"` + first + `"}`:                           other,
			`{"cursor":"` + first[:len(first)-1] + `A","limit":3}`: s.client,
		} {
			got := call(t, who, "catalog_list", arguments)
			if !strings.Contains(got, "ValidationError") ||
				!strings.Contains(got, "omit it to start at the first tool") || !json.Valid([]byte(got)) {
				t.Errorf("%s: %s: %s; want it refused with what to do", protocol, arguments, got)
			}
		}
	}
}
