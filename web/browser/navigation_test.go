package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// titles are those of all views, in the order of the rail.
const titles = `[...document.querySelectorAll(".rail [aria-label=Views] a")].map((a) => a.title)`

// Every view can be opened on a page as wide as a phone, nothing is wider than the page, and no part of the rail is out
// of reach.
func TestEveryViewOnANarrowPage(t *testing.T) {
	p := openView(t, "Tools", "demo")
	p.size(390, 844)
	for _, view := range take(p.tab, chromedp.Evaluate[[]string](titles)) {
		p.visit(view)
		p.there(`.rail[data-open=false]`)
		p.until(`!document.querySelector("main [aria-busy=true]")`)
		if wide := take(p.tab, chromedp.Evaluate[int](`Math.max(document.documentElement.scrollWidth, `+
			`...[...document.querySelectorAll(".rail a, .rail button, main h1, main button")].filter((e) => e.checkVisibility() && !e.closest(".scroll, .tabs")).map((e) => Math.ceil(e.getBoundingClientRect().right)))`)); wide > 390 {
			t.Errorf("%s: %d pixels wide in a window of 390", view, wide)
		}
	}
	p.click(`[aria-label="All views"]`)
	p.typed(kb.Escape)
	p.there(`.rail[data-open=false]`)
	p.click(`[aria-label="All views"]`)
	p.clickText(".rail button", "Shortcuts?")
	p.there(`[role=dialog][aria-label="Keyboard shortcuts"]`)
}

// Every view has a key of its own and gets the focus; the history and the saved calls are one key away.
func TestEveryViewByKeyboard(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.choose("basic_string")
	p.field("v", "first")
	p.sends(`{"v":"first"}`)
	p.field("v", "second")
	p.click(`[title="Saved calls"]`)
	p.clickText(`[role=menuitem]`, "Save arguments …")
	p.fill(`[role=dialog] input`, "mine")
	p.typed(kb.Enter)
	p.gone(`[role=dialog]`)

	p.key("?")
	p.there(`[role=dialog]`)
	keys := take(p.tab, chromedp.Evaluate[[]string](`[...document.querySelectorAll("[role=dialog] dt")].filter((e) => `+
		`e.textContent.length === 2 && e.textContent[0] === "g").map((e) => e.textContent[1] + e.nextSibling.textContent.replace("Go to ", ""))`))
	p.typed(kb.Escape)
	p.gone(`[role=dialog]`)
	if all := take(p.tab, chromedp.Evaluate[int](titles+".length")); len(keys) != all {
		t.Fatalf("%d views have a key, want all %d", len(keys), all)
	}
	for _, key := range keys {
		p.key("g")
		p.key(key[:1])
		p.there(`main[aria-label=` + quote(key[1:]) + `]:focus`)
	}

	p.key("h")
	p.says(`[aria-label="History of calls"] [role=option]`, `basic_string {"v":"first"}`)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.until(latest + ` === 2`)
	p.says(`[data-testid=payload]`, "first")
	p.key("s")
	p.says(`[aria-label="Saved calls"] [role=option]`, `mine`)
	p.typed(kb.Enter)
	p.willBeSent(`{"v":"second"}`)
	p.key("j")
	p.there(`#tools:focus`)
}
