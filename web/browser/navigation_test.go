package browser

import (
	"fmt"
	"os"
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
	p.click(`[aria-label^="All views"]`)
	p.accessible(checker(t), "all views on a narrow page")
	p.typed(kb.Escape)
	p.there(`.rail[data-open=false]`)
	p.click(`[aria-label^="All views"]`)
	p.clickText(".rail button", "Shortcuts?")
	p.there(`[role=dialog][aria-label="Keyboard shortcuts"]`)
	p.typed(kb.Escape)
	p.gone(`[role=dialog]`)

	p.ran("ask_user", func(page *toolPage) { page.field("question", "Who is there?") }) // the whole loop
	p.until(`document.querySelector(".questions .question-foot")?.getBoundingClientRect().bottom <= innerHeight`)
	p.clickText(".questions button", "Decline")
	p.says("[aria-label=Result]", "decline")
	p.click(`[aria-label="Back to the arguments"]`)
	p.click(`[aria-label="Back to the list"]`)
	p.until(`document.querySelector("#tools").checkVisibility()`)
}

// On the low window of a laptop, every view, the connection and the buttons at the end are in sight without scrolling.
func TestRailOnALowWindow(t *testing.T) {
	p := openView(t, "Tools", "demo")
	for _, height := range []int64{900, 800, 720, 640} {
		p.size(1280, height)
		p.until(`[...document.querySelectorAll(".rail a, .rail button:not(.rail-toggle)")].every((e) => { const r = e.getBoundingClientRect(); ` +
			`return r.width > 20 && e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })`)
	}
}

// No tab of a result is cut off where there is room for three panes and no more.
func TestTabsOfAResult(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.choose("basic_string")
	for _, text := range []string{"one", "two"} { // two calls can be compared
		p.field("v", text)
		p.sends(`{"v":` + quote(text) + `}`)
	}
	for _, width := range []int64{1100, 1280, 1440, 1600} {
		p.size(width, 800)
		p.until(`document.querySelector('[title="Compare with"]').checkVisibility()`)
		p.until(`(() => { const tabs = document.querySelector("[aria-label=Result] .tabs"); return tabs.scrollWidth <= tabs.clientWidth; })()`)
	}
}

// A tool is found, filled in and run, a request is answered and the result compared, without a mouse.
func TestKeyboardOnly(t *testing.T) {
	p := openView(t, "Servers", "demo")
	control := func(key string) { p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl))) }
	find := func(tool string) {
		t.Helper()
		control("k")
		p.there(`[role=dialog] [role=combobox]:focus`)
		p.typed(tool)
		p.says(`#command-0`, tool)
		p.typed(kb.Enter)
		p.until(`document.querySelector("[aria-label=Arguments] h1")?.textContent === ` + quote(tool))
		p.there(`[aria-label=Arguments] .fields`)
		p.key("j")
		p.there(`#tools:focus`)
		p.typed(kb.Enter)
		p.until(`document.activeElement?.closest("[aria-label=Arguments]")`)
	}
	p.key("g")
	p.key("t")
	p.there(`#tools [role=option]`)
	find("echo")
	p.typed("by keyboard")
	control(kb.Enter)
	p.says(`[data-testid=payload]`, "by keyboard")
	p.typed(kb.Escape)
	p.there(`main:focus`)
	find("ask_user")
	p.typed("Who?")
	control(kb.Enter)
	p.there(".questions .question")
	p.typed(kb.Escape)
	p.there(`main:focus`)
	p.key("n")
	p.until(`document.activeElement?.closest(".question")`)
	p.typed("Ada")
	control(kb.Enter)
	p.gone(".questions")
	p.there("[aria-label=Result] [data-status=done]")
	p.typed(kb.Escape)
	p.key("h")
	p.says(`[aria-label="History of calls"] #command-1`, "by keyboard")
	p.typed(kb.ArrowDown + kb.Enter)
	p.says(`[data-testid=payload]`, "by keyboard")
}

// Ten thousand notifications during a call leave the page usable: the result is shown, only what is in sight exists.
func TestTenThousandNotifications(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := openView(t, "Tools", "--", self, fixture)
	p.ran(flood, func(*toolPage) {})
	p.says(`[data-testid=payload]`, "done")
	p.visit("Wire")
	p.until(fmt.Sprintf(`Number(document.querySelector("#frames [role=option]")?.getAttribute("aria-setsize")) > %d`, manyNotifications))
	if n := p.count("#frames [role=option]"); n > 120 {
		t.Errorf("%d rows are in the document, want those in sight", n)
	}
	p.ran("refused", func(*toolPage) {})
	p.says(`[aria-label=Result]`, "not today")
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
