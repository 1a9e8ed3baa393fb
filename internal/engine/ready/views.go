package ready

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A View is a ui:// resource of a server.
type View struct {
	URI     string
	Entry   json.RawMessage // in resources/list; nil if it has none
	Content json.RawMessage // of resources/read
}

// maxInline is the maximum height of a view inside of a conversation of Claude, in pixels.
const maxInline = 500

// setting returns what a view declares: on its content, or else in the list.
func (v *View) setting(name string) (json.RawMessage, bool) {
	for _, from := range []json.RawMessage{v.Content, v.Entry} {
		if raw, ok := schema.Get(from, "/_meta/ui/"+name); ok {
			return raw, true
		}
	}
	return nil, false
}

// views are those of the server, or of all that were started.
func (r *run) views() []View {
	all := r.opts.Views
	for _, s := range r.opts.Started {
		all = append(all, s.Views...)
	}
	return all
}

// chatGPTViews applies the requirements of ChatGPT to the views.
func (r *run) chatGPTViews() {
	for _, v := range r.views() {
		if _, ok := v.setting("csp"); !ok {
			r.about("CHATGPT-004", v.URI, "/_meta/ui/csp", "the view declares no csp")
		}
		if _, ok := v.setting("domain"); !ok {
			r.about("CHATGPT-005", v.URI, "/_meta/ui/domain", "the view declares no domain")
		}
	}
}

// claudeViews applies the requirements of the directory of Claude to the views, as far as their HTML shows it.
func (r *run) claudeViews() {
	for _, v := range r.views() {
		html, problem := apps.Document(v.Content)
		if problem != "" {
			continue // it is not a view, which conform reports
		}
		if link := outsideLink(html); link != "" {
			r.about("CLAUDE-005", v.URI, "", fmt.Sprintf("the view opens links without the host: %s", link))
		}
		if !themed().MatchString(html) {
			r.about("CLAUDE-006", v.URI, "", "nothing in the view depends on the theme")
		}
		for _, one := range tooTall(html) {
			r.about("CLAUDE-007", v.URI, "", one)
		}
	}
}

var (
	// what a view uses that asks the host to open a link
	opensByHost = lazyregexp.New(`ui/open-link|openLink`)
	// what opens a link by itself
	opensItself = lazyregexp.New(`(?i)<a\b[^>]*\bhref\s*=\s*["']?https?://[^>]{0,60}|window\.open\(`)
	themed      = lazyregexp.New(`(?i)color-scheme|light-dark\(|theme`)
	styleRule   = lazyregexp.New(`(?i)([^{}<>;]+)\{([^{}]+)\}`)
	wholePage   = lazyregexp.New(`(?i)(^|[\s,])(html|body|:root|main|#(root|app|main))\s*(,|$)`)
	fixedHeight = lazyregexp.New(`(?i)(?:^|[;\s])(min-)?height\s*:\s*(\d{1,6})px`)
	scrolls     = lazyregexp.New(`(?i)(?:^|[;\s])overflow(-y)?\s*:\s*(auto|scroll)`)
	limited     = lazyregexp.New(`(?i)(?:^|[;\s])(max-)?height\s*:\s*\d+(px|vh|rem|em)`)
	styleBlock  = lazyregexp.New(`(?is)<style\b[^>]*>(.*?)</style`)
)

// outsideLink returns what opens a link without the host; empty if there is nothing, or if the view also asks the host.
func outsideLink(html string) string {
	if opensByHost().MatchString(html) {
		return ""
	}
	return strings.TrimSpace(opensItself().FindString(html))
}

// tooTall returns the styles of a view that make it higher than a frame in a conversation, or scroll inside of it.
func tooTall(html string) (all []string) {
	nested := false
	for _, block := range styleBlock().FindAllStringSubmatch(html, -1) {
		for _, rule := range styleRule().FindAllStringSubmatch(block[1], -1) {
			selector := strings.TrimSpace(rule[1])
			page := wholePage().MatchString(selector)
			if height := fixedHeight().FindStringSubmatch(rule[2]); height != nil && page {
				if n, _ := strconv.Atoi(height[2]); n > maxInline {
					all = append(all, fmt.Sprintf("%s is %d pixels high, expected at most %d", selector, n, maxInline))
				}
			}
			if !page && !nested && scrolls().MatchString(rule[2]) && limited().MatchString(rule[2]) {
				nested = true
				all = append(all, fmt.Sprintf("%s scrolls inside of the view", selector))
			}
		}
	}
	return all
}
