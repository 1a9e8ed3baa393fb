package apps

import (
	"encoding/json"
	"fmt"
	"testing"
)

// What a tool declares, and the faults in it.
func TestTool(t *testing.T) {
	for _, c := range []struct{ meta, view, want string }{
		{`{}`, "", ""},
		{`{"ui":{"resourceUri":"ui://a/b","visibility":["model","app"]},"ui/resourceUri":"ui://a/b"}`, "ui://a/b", ""},
		{`{"ui":{"resourceUri":"https://a.example"}}`, "https://a.example",
			`/_meta/ui/resourceUri resourceUri is "https://a.example", expected a URI that starts with ui://` + "\n"},
		{`{"ui":{"resourceUri":"ui://"}}`, "ui://",
			`/_meta/ui/resourceUri resourceUri is "ui://", expected a URI that starts with ui://` + "\n"},
		{`{"ui":{"resourceUri":7}}`, "",
			"/_meta/ui/resourceUri resourceUri is 7, expected a string that starts with ui://\n"},
		{`{"ui":{"visibility":"app"}}`, "",
			`/_meta/ui/visibility visibility is "app", expected a list of "model" and "app"` + "\n"},
		{`{"ui":{"visibility":[]}}`, "", `/_meta/ui/visibility visibility is empty, so nobody can call the tool, ` +
			`expected a list of "model" and "app"` + "\n"},
		{`{"ui":{"visibility":["app","user"]}}`, "",
			`/_meta/ui/visibility/1 visibility has "user", expected a list of "model" and "app"` + "\n"},
		{`{"ui/resourceUri":"ui://a/b"}`, "ui://a/b", "/_meta/ui~1resourceUri the view is declared only with the " +
			"deprecated key ui/resourceUri, expected _meta.ui.resourceUri (warning)\n"},
		{`{"ui":{"resourceUri":"ui://a/b"},"ui/resourceUri":"ui://a/c"}`, "ui://a/b", `/_meta/ui~1resourceUri ` +
			`ui/resourceUri is "ui://a/c" and ui.resourceUri is "ui://a/b", expected the same URI` + "\n"},
	} {
		tool := json.RawMessage(`{"name":"x","_meta":` + c.meta + `}`)
		got := ""
		for _, find := range []func(json.RawMessage) []Problem{URIProblems, VisibilityProblems, FlatProblems} {
			for _, p := range find(tool) {
				got += p.Pointer + " " + p.Message
				if p.Warning {
					got += " (warning)"
				}
				got += "\n"
			}
		}
		if view, _ := ViewOf(tool); got != c.want || view != c.view {
			t.Errorf("%s: view %s\n%swant view %s\n%s", c.meta, view, got, c.view, c.want)
		}
	}
	for visibility, want := range map[string]bool{`["app"]`: true, `["app","model"]`: false, `[]`: false, `"app"`: false} {
		tool := json.RawMessage(fmt.Sprintf(`{"_meta":{"ui":{"visibility":%s}}}`, visibility))
		if HiddenFromModel(tool) != want {
			t.Errorf("visibility %s: hidden %v", visibility, !want)
		}
	}
}
