package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A resource is read and rendered; one that is followed is read again when it changes.
func TestResources(t *testing.T) {
	p := openView(t, "Resources", "demo")
	p.click(`#resources [data-key="demo://welcome"]`)
	p.there(`[aria-label=Content] .prose h3, [aria-label=Content] .prose h4`)
	p.click(`#resources [data-key="demo://square"]`)
	p.until(`document.querySelector("[aria-label=Content] img")?.naturalWidth > 0`)
	p.click(`#resources [data-key="demo://note"]`)
	p.press("Subscribe")
	p.says("[data-updates]", "Subscribed: no updates yet")
	p.ran("write_note", func(page *toolPage) { page.field("text", "The tide is high.") })
	p.says("[aria-label=Result]", "The note was saved.")
	p.visit("Resources")
	p.clickText(".tab", "Subscribed 1")
	p.says(`#resources [data-key="demo://note"] .sub`, "demo://note · 1 update")
	p.click(`#resources [data-key="demo://note"]`)
	p.there(`[data-updates="1"]`)
	p.says("[aria-label=Content] .block", "The tide is high.")
}

// A template is filled in with what the server suggests.
func TestTemplate(t *testing.T) {
	p := openView(t, "Resources", "demo")
	p.clickText(".tab", "Templates 2")
	p.click(`#resources [data-key^="demo://planets/"]`)
	p.click(`[aria-label=Template] [role=combobox]`)
	p.typed("Ne")
	p.says(`[aria-label=Template] [role=listbox]`, "Neptune")
	p.typed(kb.ArrowDown)
	p.there(`[aria-label=Template] [role=option][aria-selected=true]`)
	p.typed(kb.Enter)
	p.there(`[data-uri="demo://planets/Neptune"]`)
	p.clickText("[aria-label=Template] button", "Read")
	p.says("[aria-label=Content] .block", "Neptune is planet 8 from the sun.")
}

// A prompt's arguments are completed with what is known of the others; its messages are rendered, pictures too.
func TestPrompts(t *testing.T) {
	p := openView(t, "Prompts", "demo")
	p.click(`#prompts [data-key="visit"]`)
	p.says("[aria-label=Arguments]", "Missing: country, city")
	p.click(`[role=combobox][aria-label=country]`)
	p.there(`[aria-label="Suggestions for country"] [role=option]`)
	country := p.text(`[aria-label="Suggestions for country"] [role=option]`)
	p.click(`[aria-label="Suggestions for country"] [role=option]`)
	p.click(`[role=combobox][aria-label=city]`)
	p.there(`[aria-label="Suggestions for city"] [role=option]`)
	city := p.text(`[aria-label="Suggestions for city"] [role=option]`)
	p.click(`[aria-label="Suggestions for city"] [role=option]`)
	p.clickText("button", "Get prompt Ctrl ↵")
	p.says(".said", "Plan a day in "+city+", "+country+".")
	p.click(`#prompts [data-key="describe_picture"]`)
	p.clickText("button", "Get prompt Ctrl ↵")
	p.until(`document.querySelector(".said img")?.naturalWidth > 0`)
	p.click(`#prompts [data-key="greet"]`)
	p.clickText("button", "Get anyway Ctrl ↵")
	p.says("[aria-label=Messages]", "-32602")
}

// On a narrow page one pane is shown at a time, and each leads back to the one before.
func TestNarrow(t *testing.T) {
	p := openView(t, "Prompts", "demo")
	p.size(400, 800)
	p.click(`#prompts [data-key="introduce"]`)
	p.clickText("button", "Get prompt Ctrl ↵")
	p.says(".said", "What can this server do?")
	p.click(`[aria-label="Back to the arguments"]`)
	p.click(`[aria-label="Back to the list"]`)
	p.there(`#prompts`)
	p.visit("Wire")
	p.click(`#frames [role=option]`)
	p.clickText("button", "Timeline")
	p.click(`#frames [role=option]`)
	if width := take(p.tab, chromedp.Evaluate[int](`document.documentElement.scrollWidth`)); width > 400 {
		t.Errorf("the page is %d pixels wide in a window of 400", width)
	}
}
