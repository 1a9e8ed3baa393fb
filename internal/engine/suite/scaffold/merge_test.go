package scaffold

import (
	"strings"
	"testing"
)

func TestScaffoldMerge(t *testing.T) {
	added := &Scaffold{}
	added.add("tools", "  - name: new\n    tool: new\n")
	added.add("prompts", "  - prompt: hello\n")
	for _, row := range []struct{ name, text, want, problem string }{
		{"between sections", "servers: {s: demo}\ntools:\n  - tool: a\n\n# about raw\nraw:\n  - method: ping\n",
			"servers: {s: demo}\ntools:\n  - tool: a\n  - name: new\n    tool: new\n\n# about raw\nraw:\n  - method: ping\n" +
				"\nprompts:\n  - prompt: hello\n", ""},
		{"at the end, without a last line break", "servers: {s: demo}\ntools:\n- tool: a\n  args: {x: 1}",
			"servers: {s: demo}\ntools:\n- tool: a\n  args: {x: 1}\n- name: new\n  tool: new\n\nprompts:\n  - prompt: hello\n",
			""},
		{"no tools", "servers: {s: demo}\n",
			"servers: {s: demo}\n\ntools:\n  - name: new\n    tool: new\n\nprompts:\n  - prompt: hello\n", ""},
		{"in brackets", "servers: {s: demo}\ntools: [{tool: a}]\n", "", "s.yaml:2: tests can be added only"},
	} {
		got, err := added.Merge("s.yaml", []byte(row.text))
		switch {
		case row.problem != "" && (err == nil || !strings.Contains(err.Error(), row.problem)):
			t.Errorf("%s: got %v, want %s", row.name, err, row.problem)
		case row.problem == "" && (err != nil || string(got) != row.want):
			t.Errorf("%s: %v, got\n%s\nwant\n%s", row.name, err, got, row.want)
		}
	}
}
