package httpapi_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// The page finds the same tools as the command line, for queries made from the tools and for a typed one.
func TestFindOfThePage(t *testing.T) {
	for _, test := range []struct {
		input string
		args  []string
	}{
		{`{"as":"demo-flawed"}`, []string{"find", "--json", "demo-flawed"}},
		{`{"as":"demo-flawed","query":["read a note"]}`, []string{"find", "--json", "read a note", "demo-flawed"}},
		{`{"as":"demo-flawed","expected":[{"query":"read a note","tools":[]}]}`,
			[]string{"find", "--json", "read a note", "demo-flawed"}},
	} {
		sys, err := target.ThisSystem()
		if err != nil {
			t.Fatal(err)
		}
		var out, notes bytes.Buffer
		if code := cli.Run(context.Background(), &cli.Env{Args: test.args, Stdin: strings.NewReader(""), Stdout: &out,
			Stderr: &notes, Getenv: func(string) string { return "" }, System: sys}); code != 0 {
			t.Fatalf("mcptest %q: exit %d\n%s", test.args, code, notes.String())
		}
		p := newPage(t, nil, "")
		event := p.run("find", p.connect(view.NewLink{Server: "builtin-demo-flawed"}).ID, test.input)
		if diff := cmp.Diff(strings.TrimSpace(out.String()), event.ResultJSON); diff != "" {
			t.Errorf("%s (-command line +page):\n%s", test.input, diff)
		}
	}
}

// An expected tool that the server does not have is an error, and the page may not read files.
func TestFindRejects(t *testing.T) {
	p := newPage(t, nil, "")
	link := p.connect(view.NewLink{Server: "builtin-demo"}).ID
	for input, want := range map[string]string{
		`{"expected":[{"query":"x","tools":["nothing"]}]}`: `unknown tool "nothing"`,
		`{"expected":[{"query":" "}]}`:                     "empty query",
		`{"queries":"file.yaml"}`:                          `unknown input field "queries"`,
		`{"run":["codex"]}`:                                `unknown input field "run"`,
	} {
		if event := p.run("find", link, input); event.Kind != "error" || !strings.Contains(event.Error.Message, want) {
			t.Errorf("%s: %s %v, want the error %q", input, event.Kind, event.Error, want)
		}
	}
}
