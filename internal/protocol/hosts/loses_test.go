package hosts

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Definitions that a host drops, one that no host does, and one that is malformed.
var losing = []string{
	`{"name":"a","description":"D","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":1.0}}}}`,
	`{"name":"a","inputSchema":{"type":"object"}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"object","anyOf":[{"required":["a"]}],"minProperties":2.50}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"object","properties":{"p":true}}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"null"}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"null","description":"` + strings.Repeat("long ", 1200) + `"}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"object","properties":{"p":{"anyOf":[{"type":"object",` +
		`"properties":{"q":{"items":[{}]}}}]}}}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"object","$defs":{"unused":{"items":[]}}}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"object","properties":{"p":{"$ref":"#/$defs/used"}},` +
		`"$defs":{"used":{"required":[1]}}}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}`,
	`{"name":"a","description":"D","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":null}}`,
	`{"name":"` + strings.Repeat("n", 150) + `","description":"D","inputSchema":{"type":"object"}}`,
	`{"name":"a","description":"D"}`,
	`{"name":"a","description":"D","inputSchema":"x"}`,
	`{"name":"a","description":"D","inputSchema":{"type":}}`,
}

// TestLoses holds that Loses decides as View does, and that neither changes the definition that all hosts share.
func TestLoses(t *testing.T) {
	reasons := map[string]bool{}
	for _, raw := range losing {
		tool := Read(json.RawMessage(raw))
		var before []byte
		if tree := tool.definition.tree(); tree != nil {
			before = tree.json()
		}
		for _, p := range Profiles() {
			why, losesServer := Loses(p, "t", tool)
			view := View(p, "t", tool)
			if why != view.Lost || losesServer != view.LosesServer {
				t.Errorf("%s: Loses(%.200s) = %q, %v; View says %q, %v", p.ID, raw, why, losesServer, view.Lost,
					view.LosesServer)
			}
			if tree := tool.definition.tree(); tree != nil && !bytes.Equal(before, tree.json()) {
				t.Fatalf("%s changed the definition %.200s to %.200s", p.ID, before, tree.json())
			}
			reasons[why] = true
		}
	}
	if len(reasons) < 12 {
		t.Errorf("%d reasons, want at least 12: the definitions hardly test anything", len(reasons))
	}
}
