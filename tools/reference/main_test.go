package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// The pages are those of now, and there are no others.
func TestReferenceIsCurrent(t *testing.T) {
	want, err := pages("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("..", "..", "docs", "reference")
	there, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range there {
		if _, made := want[f.Name()]; !made {
			t.Errorf("docs/reference/%s is written by hand; what is not made from the program belongs elsewhere",
				f.Name())
		}
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(got), text); diff != "" {
			t.Errorf("docs/reference/%s: run go generate ./cmd/mcptest (-file +program):\n%s", name, diff)
		}
	}
}

// No key, flag or setting is left without an explanation.
func TestReferenceExplainsEverything(t *testing.T) {
	all, err := pages("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range all {
		meaning := -1
		for i, line := range strings.Split(text, "\n") {
			cells := strings.Split(strings.ReplaceAll(line, `\|`, "/"), "|")
			if strings.HasPrefix(line, "| ") && strings.HasPrefix(strings.Split(text, "\n")[i+1], "|---") {
				meaning = -1
				for j, cell := range cells {
					if cell := strings.TrimSpace(cell); cell == "meaning" || cell == "what it does" {
						meaning = j
					}
				}
			} else if strings.HasPrefix(line, "| ") && meaning >= 0 && strings.TrimSpace(cells[meaning]) == "" {
				t.Errorf("%s:%d explains nothing: %s", name, i+1, line)
			}
		}
	}
}

func TestFlowIsTheSameValue(t *testing.T) {
	for _, raw := range []string{`{"a":"b c","n":1.50,"l":[true,null,"true","yes","no"],"u":"demo://x/{y}","t":"30s",` +
		`"r":"100/s","d":"2025-06-18","e":"","o":{"x":"a: b"},"m":"-x"}`, `"~"`, `[]`, `{}`} {
		node, problems := document.Parse("", []byte(flow(json.RawMessage(raw))))
		if len(problems) > 0 {
			t.Errorf("flow(%s) = %s: %v", raw, flow(json.RawMessage(raw)), problems)
			continue
		}
		if got := string(node.JSON()); got != raw {
			t.Errorf("flow(%s) = %s, which is %s", raw, flow(json.RawMessage(raw)), got)
		}
	}
}

// A release has completions for four shells, and a manual page for every command.
func TestExtras(t *testing.T) {
	dir := t.TempDir()
	if err := writeExtras(dir, cli.Commands); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"completions/mcptest.bash", "completions/_mcptest", "completions/mcptest.fish",
		"completions/mcptest.ps1", "man/mcptest.1", "man/mcptest-tools-call.1"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(text) < 500 {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	page, _ := os.ReadFile(filepath.Join(dir, "man", "mcptest-tools-call.1"))
	for _, want := range []string{".SH NAME\nmcptest\\-tools\\-call \\- Call a tool", ".B \\-\\-args JSON",
		".B TOOL\nthe tool to call", ".B 130"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the manual page of tools call lacks %q:\n%s", want, page)
		}
	}
}
