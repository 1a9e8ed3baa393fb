package main

import (
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var nameKey = parser.NewContextKey()

// pageLinks makes links between pages lead to the HTML, and links to other files of the project to the repository.
type pageLinks struct{}

func (pageLinks) Transform(document *ast.Document, _ text.Reader, pc parser.Context) {
	name, _ := pc.Get(nameKey).(string)
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			link.Destination = []byte(siteLink(name, string(link.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// siteLink converts a link of a page.
func siteLink(name, destination string) string {
	file, anchor, anchored := strings.Cut(destination, "#")
	if file == "" || strings.Contains(file, ":") {
		return destination
	}
	target := path.Join(path.Dir(name), file)
	switch {
	case strings.HasPrefix(target, "../"):
		file = repository + strings.TrimPrefix(target, "../")
	case path.Ext(file) == ".md":
		dir, _ := path.Split(file)
		file = dir + path.Base(pageURL(target))
	}
	if anchored {
		file += "#" + anchor
	}
	return file
}

// A section is a group of links of the navigation.
type section struct {
	Title string
	Links []navLink
}

type navLink struct{ URL, Title string }

// navigation is what the home page links to, by heading.
func navigation(home *page) []section {
	var all []section
	for n := home.document.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if h.Level == 2 {
				all = append(all, section{Title: plain(n, home.source)})
			}
			continue
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			link, ok := n.(*ast.Link)
			if ok && entering && !strings.Contains(string(link.Destination), ":") {
				last.Links = append(last.Links, navLink{string(link.Destination), plain(link, home.source)})
			}
			return ast.WalkContinue, nil
		})
	}
	return all
}
