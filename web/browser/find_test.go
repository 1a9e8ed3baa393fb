package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Queries made from the tools: the rank of each tool in each search, and where a row leads.
func TestFindOwnQueries(t *testing.T) {
	p := openView(t, "Tool search", "demo")
	p.says(`[aria-label=Results]`, "Not searched yet")
	p.clickText("button", "Search tools Ctrl ↵")
	p.says(`[aria-label=Searches] [aria-label=Codex]`, "among its first 8")
	p.says(`tr[data-query=echo] [data-engine=codex]`, "1")
	p.says(`tr[data-query=echo] [data-engine=claude-code]`, "1")
	p.fill(`[aria-label="Filter queries"]`, "price order")
	p.until(`[...document.querySelectorAll("tr[data-query]")].every((r) => r.dataset.query.toLowerCase().includes("price"))`)
	p.click(`tr[data-query="price order"] .find-toggle`)
	p.says(`.find-tops`, "Expected: price_order")
	p.click(`.find-tops .find-top a`)
	p.says("[aria-label=Arguments] h1", "price_order")
	p.visit("Tool search")
	p.there(`tr[data-query=echo]`) // the run is kept
}

// Typed queries: ranks of the expected tool, a verified edit, tools without an expectation; they survive a reload.
func TestFindTypedQueries(t *testing.T) {
	p := openView(t, "Tool search", "demo")
	p.clickText("[role=radio]", "Your own")
	p.fill(`[aria-label="Query 1"]`, "zebra")
	p.fill(`[aria-label="Expected tool of query 1"]`, "price_order")
	p.clickText("button", "Add query")
	p.fill(`[aria-label="Query 2"]`, "price of an order")
	p.clickText("button", "Search tools Ctrl ↵")
	p.says(`tr[data-query=zebra] [data-engine=codex]`, "–")
	p.says(`tr[data-query="price of an order"] [data-engine=codex]`, "price_order")
	p.says(`[aria-label=Searches] [aria-label="Claude Code"]`, "0 %")
	p.says(`[aria-label="Suggested edits"] [aria-label=price_order]`, "zebra")
	p.clickText(`[aria-label=Rows] button`, "misses 1")
	p.until(`document.querySelectorAll("tr[data-query]").length === 1`)
	p.reload()
	p.until(`document.querySelector('[aria-label="Query 1"]')?.value === "zebra"`)
	p.click(`[aria-label="Remove query 1"]`)
	p.until(`document.querySelector('[aria-label="Query 1"]').value === "price of an order"`)
	p.fill(`[aria-label="Expected tool of query 1"]`, "nothing")
	p.clickText("button", "Search tools Ctrl ↵")
	p.says(`[data-run=failed]`, `unknown tool "nothing"`)
}

// Tools with words of each other: what hides what is listed, with the searches that do so; rows are added on demand.
func TestFindHiddenTools(t *testing.T) {
	p := openView(t, "Tool search", "demo-guide")
	p.clickText("button", "Search tools Ctrl ↵")
	p.says(`[aria-label="Hidden tools"]`, "extra_enum")
	p.says(`[aria-label="Hidden tools"]`, "Claude Code")
	p.until(`document.querySelectorAll("tr[data-query]").length === 100`)
	p.clickOn(`[...document.querySelectorAll("[aria-label=Ranks] button")].find((b) => b.textContent.startsWith("Show"))`)
	p.until(`document.querySelectorAll("tr[data-query]").length > 100`)
	p.clickOn(`[...document.querySelectorAll("[aria-label=Rows] button")].find((b) => b.textContent.startsWith("misses"))`)
	p.says(`tr[data-query="extra map"] [data-engine=codex]`, "–")
	if text := p.text("main"); strings.Contains(text, "undefined") || strings.Contains(text, "NaN") {
		t.Errorf("the view shows a missing value:\n%s", text)
	}
}

// The view has no serious problem for those who cannot see it well, wide and narrow, before and after a search.
func TestFindAccessible(t *testing.T) {
	axe := checker(t)
	p := openView(t, "Tool search", "demo-flawed")
	p.accessible(axe, "tool search before a run")
	p.clickText("button", "Search tools Ctrl ↵")
	p.click(`tr[data-query] .find-toggle`)
	p.there(`.find-tops`)
	p.accessible(axe, "tool search")
	p.size(390, 844)
	p.accessible(axe, "tool search on a narrow page")
	if wide := take(p.tab, chromedp.Evaluate[int](`document.documentElement.scrollWidth`)); wide > 390 {
		t.Errorf("%d pixels wide in a window of 390", wide)
	}
	p.click(`[aria-label="Back to the queries"]`)
	p.clickText("[role=radio]", "Your own")
	p.accessible(axe, "queries on a narrow page")
	p.clickText("button", "Search tools Ctrl ↵") // without a query, those of the tools
	p.there(`tr[data-query]`)
}
