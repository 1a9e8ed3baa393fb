package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What a person typed is there after another tool was looked at, and after a reload; so are the calls.
func TestNothingIsLost(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.choose("basic_string")
	p.field("v", "kept")
	p.sends(`{"v":"kept"}`)
	p.choose("basic_number")
	p.field("v", "1.50")
	p.click(`[aria-label="Filter tools"]`)
	p.fill(`[aria-label="Filter tools"]`, "")
	p.click(`#tools [data-key=basic_string]`)
	p.willBeSent(`{"v":"kept"}`)
	p.do(chromedp.Reload())
	p.willBeSent(`{"v":"kept"}`)
	p.says(`[data-testid=payload]`, "kept")
	p.click(`#tools [data-key=basic_number]`)
	p.willBeSent(`{"v":1.50}`)
}

func TestDeepLink(t *testing.T) {
	in := inspect(t, "demo-guide")
	link := in.link(t)
	p := open(t, in.base+"/#/tools/"+link+"/optional_nullable?token="+in.token)
	p.until(`document.querySelector("[aria-label=Arguments] h1")?.textContent === "optional_nullable"`)
	if hash := take(p, chromedp.Evaluate[string]("location.href")); hash != in.base+"/#/tools/"+link+
		"/optional_nullable" {
		t.Errorf("the address is %s, want it without the token", hash)
	}
}

func TestKeyboard(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.there(`[role=dialog] [role=combobox]:focus`)
	p.typed("basic_int")
	p.until(`document.querySelectorAll("#commands [role=option]").length === 1 && ` +
		`document.querySelector("#commands").textContent.includes("basic_integer")`)
	p.typed(kb.Enter)
	p.until(`document.querySelector("[aria-label=Arguments] h1")?.textContent === "basic_integer"`)
	p.gone(`[role=dialog]`)
	p.key("?")
	p.says(`[role=dialog]`, "Ctrl")
	p.typed(kb.Escape)
	p.gone(`[role=dialog]`)
	p.key("/")
	p.there(`[aria-label="Filter tools"]:focus`)
	p.typed("basic_str" + kb.Tab + kb.Tab)
	p.there(`#tools:focus`)
	p.key("j")
	p.until(`document.querySelector("[aria-label=Arguments] h1")?.textContent === "basic_string"`)
	p.click(inside("v", "textarea"))
	p.typed("by hand")
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.says(`[data-testid=payload]`, "by hand")
	p.click(`[aria-label=Result] [data-tab=history]`)
	p.key("g")
	p.key("s")
	p.there(`main[aria-label=Servers]`)
}

func TestCancelAndProgress(t *testing.T) {
	p := openTools(t, "demo")
	p.choose("wait")
	p.field("milliseconds", "5000")
	p.field("steps", "100")
	p.click(`[data-testid=run]`)
	p.there(`.running progress`)
	p.click(`[data-testid=cancel]`)
	p.there(`[aria-label=Result] [data-status=cancelled]`)
	p.verdict("Transport", "bad", "cancelled")
	p.gone(`[data-testid=cancel]`)
}

func TestHistoryAndDiff(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.choose("basic_string")
	p.field("v", "one")
	p.sends(`{"v":"one"}`)
	p.field("v", "two")
	p.sends(`{"v":"two"}`)
	p.click(`[data-tab=history]`)
	p.until(`document.querySelectorAll(".history li").length === 2`)
	p.click(`.history li:nth-child(2) button:last-child`)
	p.says(`[data-testid=diff] .minus`, "one")
	p.says(`[data-testid=diff] .plus`, "two")
	p.typed(kb.Escape)
	p.gone(`[role=dialog]`)
	p.click(`.history li:nth-child(2) [aria-label^="Run call"]`)
	p.until(fmt.Sprintf(`%s === 3 && document.querySelector("[data-testid=payload]")?.textContent.includes("one")`,
		latest))
}

func TestSavedCalls(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.choose("basic_string")
	p.field("v", "precious")
	p.click(`[title="Saved calls"]`)
	p.clickText(`[role=menuitem]`, "Save arguments …")
	p.fill(`[role=dialog] input`, "mine")
	p.typed(kb.Enter)
	p.gone(`[role=dialog]`)
	p.field("v", "other")
	p.willBeSent(`{"v":"other"}`)
	p.do(chromedp.Reload())
	p.willBeSent(`{"v":"other"}`)
	p.click(`[title="Saved calls"]`)
	p.clickText(`[role=menuitem]`, "mine")
	p.sends(`{"v":"precious"}`)
}

// Saved calls are renamed, run and forgotten one by one.
func TestSavedCallsOneByOne(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.choose("basic_string")
	for _, name := range []string{"first", "second"} {
		p.field("v", "of "+name)
		p.willBeSent(`{"v":"of ` + name + `"}`)
		p.click(`[title="Saved calls"]`)
		p.clickText(`[role=menuitem]`, "Save arguments …")
		p.fill(`[role=dialog] input`, name)
		p.typed(kb.Enter)
		p.gone(`[role=dialog]`)
	}
	p.field("v", "")
	all := func() {
		t.Helper()
		p.click(`[title="Saved calls"]`)
		p.clickText(`[role=menuitem]`, "Manage saved calls…")
		p.there(`[role=dialog] .saved`)
	}
	all()
	p.says(`.saved li:first-child code`, `{"v":"of first"}`)
	p.fill(`[aria-label="Name of first"]`, "second")
	p.typed(kb.Enter) // taken
	p.until(`document.querySelector('[aria-label="Name of first"]').value === "first"`)
	p.fill(`[aria-label="Name of first"]`, "renamed")
	p.typed(kb.Enter)
	p.there(`[aria-label="Name of renamed"]`)
	p.click(`[aria-label="Delete second"]`)
	p.gone(`[aria-label="Name of second"]`)
	p.click(`[aria-label="Run renamed"]`)
	p.gone(`[role=dialog]`)
	p.says(`[data-testid=payload]`, "of first")
	if got := p.inspector.echoed(t, p.link, 1); got != `{"v":"of first"}` {
		t.Errorf("the server got %s, want what was saved", got)
	}
	p.do(chromedp.Reload())
	all()
	p.until(`[...document.querySelectorAll(".saved input")].map((e) => e.value).join() === "renamed"`)
	p.click(`[aria-label="Delete renamed"]`)
	p.gone(`[role=dialog]`) // nothing is left to choose from
}

func TestCopyAs(t *testing.T) {
	p := openTools(t, "demo-guide")
	take(p.tab, chromedp.Evaluate[bool](`(navigator.clipboard.writeText = (text) => { window.copied = text; return `+
		`Promise.resolve(); }, true)`))
	p.choose("basic_string")
	p.field("v", "x")
	p.sends(`{"v":"x"}`)
	for as, want := range map[string]string{"mcptest command": "mcptest tools call",
		"JSON-RPC message": `"tools/call"`} {
		p.click(`[title="Copy as"]`)
		p.clickText(`[role=menuitem]`, as)
		p.until(fmt.Sprintf(`window.copied?.includes(%s)`, quote(want)))
	}
}

// Switching between form and JSON keeps what is there, even what the form cannot show.
func TestSwitchingKeepsValues(t *testing.T) {
	p := openTools(t, "demo-guide")
	p.choose("scenario_nullable_vs_optional")
	p.state("nullable", "null")
	p.field("optional", "x")
	p.json(`{"nullable":null,"optional":"y","more":[1.0]}`)
	p.form()
	p.shows("nullable", "null")
	p.says(`[data-path=more]`, "[1.0]")
	p.sends(`{"nullable":null,"optional":"y","more":[1.0]}`)
	p.json(`{"optional": `)
	p.says(`[aria-label=Arguments] .problem`, "Line 1")
	p.click(`[aria-label=Arguments] [data-value=form]`)
	p.there(`.json-editor`)
}
