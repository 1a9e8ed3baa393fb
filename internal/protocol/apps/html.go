package apps

import (
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// A Load is something that a view loads from another origin.
type Load struct {
	Origin string // such as https://cdn.example.com
	List   string // the csp list that must contain it
	From   string // what loads it, such as <script src>
}

// maxLoads is how many loads of a view are found.
const maxLoads = 50

var (
	openTag = lazyregexp.New(`(?i)<(script|img|iframe|frame|video|audio|source|track|embed|base|link)\b([^>]+)>`)
	address = lazyregexp.New(`(?i)\b(?:src|href)\s*=\s*["']?((?:https?:)?//[^"'\s>]+)`)
	linkRel = lazyregexp.New(`(?i)\brel\s*=\s*["']?[^"'>]*(stylesheet|preload|modulepreload|icon)`)
	styled  = lazyregexp.New(`(?i)(?:@import\s+|url\()\s*["']?((?:https?:)?//[^"')\s]+)`)
	fetched = lazyregexp.New("\\b(fetch|WebSocket|EventSource|sendBeacon)\\(\\s*[\"'`]((?:https|http|wss|ws)://[^\"'`\\s$]+)")
	module  = lazyregexp.New(`\b(?:import\s*\(?|from)\s*["'](https?://[^"'\s]+)["']`)
	doctype = lazyregexp.New(`(?is)^(\x{FEFF}|\s|<!--.*?-->)*<!doctype\s+html\b`)
	calls   = lazyregexp.New(`callServerTool\(\s*\{\s*name\s*:\s*["']([A-Za-z0-9_./-]{1,128})["']`)
)

// Loads finds what the HTML of a view loads from other origins: elements, style sheets, and requests with a literal URL.
// What scripts compute is not found.
func Loads(html string) []Load {
	var all []Load
	add := func(uri, list, from string) {
		if strings.HasPrefix(uri, "//") {
			uri = "https:" + uri
		}
		u, err := url.Parse(uri)
		if err != nil || u.Host == "" || len(all) == maxLoads {
			return
		}
		one := Load{u.Scheme + "://" + u.Host, list, from}
		for _, known := range all {
			if known.Origin == one.Origin && known.List == one.List {
				return
			}
		}
		all = append(all, one)
	}
	markup, code := splitScripts(html)
	for _, m := range openTag().FindAllStringSubmatch(markup, -1) {
		tag := strings.ToLower(m[1])
		at := address().FindStringSubmatch(m[2])
		if at == nil || tag == "link" && !linkRel().MatchString(m[2]) {
			continue
		}
		add(at[1], listOf(tag), "<"+tag+">")
	}
	for _, m := range styled().FindAllStringSubmatch(markup, -1) {
		add(m[1], Resource, "a style sheet")
	}
	for _, m := range fetched().FindAllStringSubmatch(code, -1) {
		add(m[2], Connect, m[1])
	}
	for _, m := range module().FindAllStringSubmatch(code, -1) {
		add(m[1], Resource, "import")
	}
	return all
}

// splitScripts separates the text of script elements from the rest of a document, which keeps their tags.
func splitScripts(html string) (markup, code string) {
	var outside, inside strings.Builder
	lower := strings.ToLower(html)
	if len(lower) != len(html) { // offsets would differ
		lower = html
	}
	for {
		start := strings.Index(lower, "<script")
		if start < 0 {
			break
		}
		open := strings.IndexByte(lower[start:], '>')
		if open < 0 {
			break
		}
		body := start + open + 1
		outside.WriteString(html[:body])
		end := strings.Index(lower[body:], "</script")
		if end < 0 {
			end = len(lower) - body
		}
		inside.WriteString(html[body:body+end] + "\n")
		html, lower = html[body+end:], lower[body+end:]
	}
	outside.WriteString(html)
	return outside.String(), inside.String()
}

// listOf returns the csp list for the loads of an element.
func listOf(tag string) string {
	switch tag {
	case "iframe", "frame":
		return Frame
	case "base":
		return Base
	}
	return Resource
}

// HasDoctype reports whether a document starts as HTML5.
func HasDoctype(html string) bool { return doctype().MatchString(html[:min(len(html), 4096)]) }

// CalledTools lists the tools that a view calls with a literal name.
func CalledTools(html string) []string {
	var names []string
	for _, m := range calls().FindAllStringSubmatch(html, maxLoads) {
		names = append(names, m[1])
	}
	return names
}

// WrongHandshake reports whether a view starts with the handshake of a client instead of ui/initialize.
func WrongHandshake(html string) bool {
	return !strings.Contains(html, "ui/initialize") && strings.Contains(html, "clientInfo") &&
		(strings.Contains(html, `"initialize"`) || strings.Contains(html, `'initialize'`))
}
