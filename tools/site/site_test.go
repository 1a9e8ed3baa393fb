package main

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/mcptest-dev/mcptest/internal/advice"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/isolate"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/engine/ready"
)

// built builds the site of this repository.
func built(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site")
	pages, err := build(filepath.Join("..", "..", "docs"), out)
	if err != nil {
		t.Fatal(err)
	}
	if pages < 400 {
		t.Fatalf("%d pages, want the whole documentation", pages)
	}
	return out
}

// A sitePage is what links of a page lead to, and what other pages can link to.
type sitePage struct {
	links []string
	ids   map[string]bool
}

func parse(t *testing.T, file string) sitePage {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	document, err := html.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	p := sitePage{ids: map[string]bool{}}
	for n := range document.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "href", "src":
				p.links = append(p.links, a.Val)
			case "srcset":
				p.links = append(p.links, strings.Fields(a.Val)[0])
			case "id":
				if p.ids[a.Val] {
					t.Errorf("%s has the ID %s twice", file, a.Val)
				}
				p.ids[a.Val] = true
			}
		}
	}
	return p
}

// Every link within the site leads to a file and, if it has a fragment, to a heading.
func TestLinks(t *testing.T) {
	out := built(t)
	pages := map[string]sitePage{}
	err := filepath.WalkDir(out, func(file string, _ os.DirEntry, err error) error {
		if filepath.Ext(file) == ".html" {
			name, _ := filepath.Rel(out, file)
			pages[filepath.ToSlash(name)] = parse(t, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range pages {
		for _, link := range p.links {
			u, err := url.Parse(link)
			if err != nil || u.IsAbs() {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			target := path.Join(path.Dir(name), u.Path)
			if u.Path == "" {
				target = name
			}
			if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(target))); err != nil {
				t.Errorf("%s links to %s, which is not there", name, link)
			} else if u.Fragment != "" && !pages[target].ids[u.Fragment] {
				t.Errorf("%s links to %s, which has no such heading", name, link)
			}
		}
	}
}

// The link of every finding leads to the page of its rule, whatever engine it comes from.
func TestRuleAddresses(t *testing.T) {
	out := built(t)
	var ids []string
	for _, r := range lint.Rules() {
		ids = append(ids, r.ID)
	}
	for _, c := range conform.Checks() {
		ids = append(ids, c.ID)
	}
	for _, r := range slices.Concat(fuzz.Rules(), change.Rules(), load.Rules(), isolate.Rules(), ready.Rules()) {
		ids = append(ids, r.ID)
	}
	if len(ids) < 300 {
		t.Fatalf("%d rules", len(ids))
	}
	for _, id := range ids {
		_, name, _ := strings.Cut(advice.Link(id), "/mcptest/")
		text, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if _, to, moved := strings.Cut(string(text), "; url="); moved {
			to, _, _ = strings.Cut(to, `"`)
			text, err = os.ReadFile(filepath.Join(out, "rules", filepath.FromSlash(to)))
			if err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		if !strings.Contains(string(text), id) {
			t.Errorf("%s does not describe %s", name, id)
		}
	}
}

// A directory that the program did not make is not deleted.
func TestOtherDirectory(t *testing.T) {
	out := t.TempDir()
	precious := filepath.Join(out, "precious.txt")
	if err := os.WriteFile(precious, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := build(filepath.Join("..", "..", "docs"), out); err == nil ||
		!strings.Contains(err.Error(), "choose another directory") {
		t.Errorf("%v, want a refusal", err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}

func TestHeadings(t *testing.T) {
	p, err := parsePage("a/b.md", []byte("# A `b` & c!\n\nText, see [x](../c/README.md#d) and "+
		"[code](../../main.go).\n\n## Same\n\none\n\n## Same\n\ntwo\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`id="a-b--c"`, `id="same"`, `id="same-1"`, `href="../c/index.html#d"`,
		`href="https://github.com/mcptest-dev/mcptest/blob/main/main.go"`} {
		if !strings.Contains(p.html, want) {
			t.Errorf("%s; want %s", p.html, want)
		}
	}
	if p.title != "A b & c!" || p.sections[2].text != "two" {
		t.Errorf("%q %+v", p.title, p.sections)
	}
	if _, err := parsePage("x.md", []byte("no title")); err == nil {
		t.Error("a page without a title is accepted")
	}
}
