package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A page is a file of the documentation.
type page struct {
	name     string // relative to the documentation, with slashes
	title    string
	html     string
	sections []part
	source   []byte
	document ast.Node
}

// A part is the text below a heading.
type part struct {
	heading
	text string
}

// A heading is a title within a page.
type heading struct {
	Level    int
	ID, Text string
}

// url returns the address relative to the root of the site.
func (p *page) url() string { return pageURL(p.name) }

func pageURL(name string) string {
	dir, file := path.Split(name)
	if file == "README.md" {
		return dir + "index.html"
	}
	return strings.TrimSuffix(name, ".md") + ".html"
}

// root returns the address of the root of the site relative to the page.
func (p *page) root() string { return strings.Repeat("../", strings.Count(p.name, "/")) }

// contents returns the headings for the table of contents; none for a short page.
func (p *page) contents() []heading {
	var all []heading
	for _, s := range p.sections {
		if s.Level == 2 || s.Level == 3 {
			all = append(all, s.heading)
		}
	}
	if len(all) < 3 {
		return nil
	}
	return all
}

// markdown reads the syntax of GitHub, where the pages are also read. They are ours, so their HTML is passed on.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(),
		parser.WithASTTransformers(util.Prioritized(pageLinks{}, 100))),
	goldmark.WithRendererOptions(html.WithUnsafe()))

func readPages(docs string) (map[string]*page, error) {
	pages := map[string]*page{}
	root := os.DirFS(docs)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		if entry.IsDir() || path.Ext(name) != ".md" {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		pages[name], err = parsePage(name, source)
		return err
	})
	return pages, err
}

func parsePage(name string, source []byte) (*page, error) {
	p := &page{name: name, source: source}
	context := parser.NewContext(parser.WithIDs(&slugs{used: map[string]int{}}))
	context.Set(nameKey, name)
	p.document = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, p.document); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	drawn, err := drawDiagrams(out.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.html = strings.ReplaceAll(drawn, "<pre>", `<pre tabindex="0">`) // so that a keyboard can scroll it
	p.sections = partsOf(p.document, source)
	if len(p.sections) == 0 || p.sections[0].Level != 1 {
		return nil, fmt.Errorf("%s: no title; the first line must be a heading of level 1", name)
	}
	p.title = p.sections[0].Text
	return p, nil
}

// partsOf splits a page at its headings.
func partsOf(document ast.Node, source []byte) []part {
	var parts []part
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			slug, _ := id.([]byte)
			parts = append(parts, part{heading: heading{h.Level, string(slug), plain(n, source)}})
		} else if len(parts) > 0 {
			last := &parts[len(parts)-1]
			last.text = strings.TrimSpace(last.text + " " + plain(n, source))
		}
	}
	return parts
}

// plain returns the text of a node without markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				for i := range n.Lines().Len() {
					line := n.Lines().At(i)
					b.Write(line.Value(source))
				}
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// slugs makes the same IDs of headings as GitHub, so that links work in both places.
type slugs struct{ used map[string]int }

var notInSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	slug := strings.ToLower(notInSlug.ReplaceAllString(strings.TrimSpace(string(value)), ""))
	slug = strings.ReplaceAll(slug, " ", "-")
	n := s.used[slug]
	s.used[slug]++
	if n > 0 {
		slug = fmt.Sprintf("%s-%d", slug, n)
	}
	return []byte(slug)
}

func (s *slugs) Put(value []byte) { s.used[string(value)]++ }
