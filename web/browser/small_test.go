package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A target on the command line leads to its tools, Back to the tool before, and Reset out of the JSON editor; the editor
// is not loaded before it is used.
func TestToolsFirst(t *testing.T) {
	in := inspect(t, "--", program, "demo-guide")
	p := &toolPage{tab: open(t, in.address), inspector: in}
	p.there(`main[aria-label=Tools] #tools [role=option]`)
	p.link = in.link(t)
	for _, tool := range []string{"basic_integer", "basic_number", "basic_string"} {
		p.choose(tool)
	}
	p.do(chromedp.NavigateBack())
	p.says("[aria-label=Arguments] h1", "basic_number")
	p.do(chromedp.NavigateBack())
	p.says("[aria-label=Arguments] h1", "basic_integer")
	const editors = `performance.getEntriesByType("resource").filter((e) => e.name.includes("codemirror")).length`
	if n := take(p.tab, chromedp.Evaluate[int](editors)); n != 0 {
		t.Errorf("the editor was loaded before its first use")
	}
	p.json(`{"v":1,"v":2}`)
	p.says("[data-testid=warning]", "duplicate name")
	p.press("Reset")
	p.there("[aria-label=Arguments] .fields")
	p.gone(".json-editor")

	p.fill(`[aria-label="Filter tools"]`, "")
	p.says("#tools [role=option] .hint-word", "read-only")
	if p.text("#tools .badge.warn") != "" {
		t.Error("the list counts warnings, want errors alone")
	}
	p.field("v", "1")
	p.run()
	p.clickText("[aria-label=Result] button", "Copy as")
	p.there("[role=menuitem]")
	p.until(`![...document.querySelectorAll("[role=menuitem]")].some((e) => e.textContent.includes("curl"))`)
}

// A request of a server takes room of its own, and only the part with the focus has Ctrl+Enter.
func TestQuestionCoversNothing(t *testing.T) {
	p := openView(t, "Tools", "demo")
	p.ran("ask_user", func(page *toolPage) { page.field("question", "Who is there?") })
	p.there(".questions .question")
	p.until(`document.querySelector("[aria-label=Result]").getBoundingClientRect().bottom <= ` +
		`document.querySelector(".questions").getBoundingClientRect().top`)
	const hints = `[...document.querySelectorAll("main kbd")].filter((e) => e.checkVisibility() && e.textContent === "Ctrl ↵").length`
	p.until(hints + " === 1")
	p.click(".questions textarea, .questions input.input")
	p.until(hints + " === 1")
	p.until(`!document.querySelector("[data-testid=run] kbd").checkVisibility()`)
	p.clickText(".questions button", "Decline")
	p.gone(".questions")
}
