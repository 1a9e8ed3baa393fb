package httpapi_test

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// TestToolsWithTheSameName lists a tool a thousand times: each finding is shown once at each of them, so that the size of
// the response grows with their number and not with its square.
func TestToolsWithTheSameName(t *testing.T) {
	t.Parallel()
	for _, server := range zoo.Servers() {
		if server.Name != "endless-pages" {
			continue
		}
		argv, env := server.Command()
		p := newPage(t, &target.Spec{Command: argv, Env: env}, "")
		l := p.settled(ask[view.Link](p, "POST", "/api/links", view.NewLink{Server: "given", Protocol: "2025-11-25"}).ID)
		_, _, body := p.send("GET", "/api/links/"+l.ID+"/list/tools", "", nil)
		var list view.List
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Items) != server.Sight.Items || len(list.Items[0].Findings) == 0 {
			t.Fatalf("%d tools, findings %+v; expected %d tools with findings", len(list.Items), list.Items[0].Findings,
				server.Sight.Items)
		}
		seen := map[view.Finding]bool{}
		for _, f := range list.Items[0].Findings {
			if seen[f] {
				t.Fatalf("the finding is shown twice: %+v", f)
			}
			seen[f] = true
		}
		const limit = 3000 // bytes for each tool
		if len(body) > limit*len(list.Items) {
			t.Errorf("%d bytes for %d tools, expected at most %d", len(body), len(list.Items), limit*len(list.Items))
		}
		return
	}
	t.Fatal("the zoo has no server with endless pages")
}
