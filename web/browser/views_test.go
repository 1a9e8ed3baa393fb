package browser

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// A viewPage is a tab with one connection, and any of its views.
type viewPage struct {
	*tab
	inspector *inspector
	link      string
}

// openView starts mcptest inspect with a target and goes to a view by the rail.
func openView(t *testing.T, view string, target ...string) *viewPage {
	t.Helper()
	in := inspect(t, target...)
	p := &viewPage{tab: open(t, in.address), inspector: in}
	p.there(".rail")
	p.link = in.link(t)
	p.there(`.rail [aria-label=Connections] .dot.open`)
	p.visit(view)
	return p
}

// visit goes to a view by the rail. On a narrow page, that may be folded.
func (p *viewPage) visit(view string) {
	p.t.Helper()
	link := `.rail [aria-label=Views] a[title="` + view + `"]`
	if !take(p.tab, chromedp.Evaluate[bool]("document.querySelector("+quote(link)+").checkVisibility()")) {
		p.click(`[aria-label^="All views"]`)
	}
	p.click(link)
	p.there(`main[aria-label="` + view + `"]`)
}

// tools is the page of tools of the same connection.
func (p *viewPage) tools() *toolPage {
	p.t.Helper()
	p.visit("Tools")
	p.there(`#tools [role=option]`)
	return &toolPage{tab: p.tab, inspector: p.inspector, link: p.link}
}

// press presses a button by its text, wherever it is.
func (p *viewPage) press(text string) {
	p.t.Helper()
	p.clickText("button, label.button, a.button", text)
}

// count is how many elements there are.
func (p *viewPage) count(selector string) int {
	p.t.Helper()
	return take(p.tab, chromedp.Evaluate[int]("document.querySelectorAll("+quote(selector)+").length"))
}

// everything is how to start server-everything as a process.
func everything(t *testing.T) []string {
	t.Helper()
	in := npm.Require(t)
	return []string{"--", in.Node, in.Script("server-everything"), "stdio"}
}

// listening starts server-everything on a free port and returns its URL.
func listening(t *testing.T) string {
	t.Helper()
	return npm.Require(t).Everything(t, "streamableHttp") + "/mcp"
}

// reload loads the page again, as a person does.
func (p *viewPage) reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
	p.there(".rail")
}
