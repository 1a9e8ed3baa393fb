package main

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed assets
var assets embed.FS

var pageTemplate = template.Must(template.ParseFS(assets, "assets/page.html"))

// repository is where links to files outside the documentation lead.
const repository = "https://github.com/mcptest-dev/mcptest/blob/main/"

// marker is a file of every site. A directory without it is not replaced.
const marker = ".mcptest-site"

// view is what the template shows.
type view struct {
	Title    string
	Body     template.HTML
	Root     string // the relative URL of the root of the site
	Sections []section
	Current  string
	Contents []heading
	Source   string
}

// build writes the site and returns the number of pages.
func build(docs, out string) (int, error) {
	pages, err := readPages(docs)
	if err != nil {
		return 0, err
	}
	home := pages["README.md"]
	if home == nil {
		return 0, fmt.Errorf("%s: no README.md", docs)
	}
	if err := clear(out); err != nil {
		return 0, err
	}
	sections := navigation(home)
	for _, p := range pages {
		if err := writePage(out, p, sections); err != nil {
			return 0, err
		}
	}
	index, err := searchIndex(pages)
	if err != nil {
		return 0, err
	}
	files := map[string][]byte{"search-index.js": index, ".nojekyll": nil, marker: nil}
	for _, name := range []string{"site.css", "search.js"} {
		if files[name], err = assets.ReadFile("assets/" + name); err != nil {
			return 0, err
		}
	}
	for from, to := range ruleAddresses(pages) {
		files[from] = redirect(to)
	}
	for name, text := range files {
		if err := write(filepath.Join(out, filepath.FromSlash(name)), text); err != nil {
			return 0, err
		}
	}
	return len(pages), copyImages(filepath.Join(docs, "img"), filepath.Join(out, "img"))
}

// clear makes the output directory empty. It only deletes what an earlier run made.
func clear(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, marker)); err != nil {
		return fmt.Errorf("%s is not empty and not a site; choose another directory", out)
	}
	return os.RemoveAll(out)
}

func writePage(out string, p *page, sections []section) error {
	var b strings.Builder
	err := pageTemplate.Execute(&b, view{Title: p.title, Body: template.HTML(p.html), Root: p.root(),
		Sections: sections, Current: p.url(), Contents: p.contents(), Source: repository + "docs/" + p.name})
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return write(filepath.Join(out, filepath.FromSlash(p.url())), []byte(b.String()))
}

func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

func copyImages(from, to string) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.CopyFS(to, os.DirFS(from))
}

// ruleAddresses gives the pages of all rules an address that does not depend on the engine: rules/ID.html. It returns
// the addresses at which no page is, with the address of the page.
func ruleAddresses(pages map[string]*page) map[string]string {
	addresses := map[string]string{}
	for name, p := range pages {
		folder, file := path.Split(name)
		parent := path.Dir(strings.TrimSuffix(folder, "/"))
		if parent == "rules" && file != "README.md" {
			addresses["rules/"+strings.TrimSuffix(file, ".md")+".html"] = strings.TrimPrefix(p.url(), "rules/")
		}
	}
	return addresses
}

func redirect(to string) []byte {
	address := template.HTMLEscapeString(to)
	return []byte(`<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>` + address + `</title>` +
		`<link rel="canonical" href="` + address + `"><meta http-equiv="refresh" content="0; url=` + address + `">` +
		`<a href="` + address + `">` + address + "</a>\n")
}
