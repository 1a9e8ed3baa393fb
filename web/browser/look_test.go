package browser

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

var look = flag.String("look", "", "take pictures of every view, wide and narrow, light and dark, into this folder")

// all takes four pictures of what is shown: wide and narrow, light and dark.
func (p *viewPage) all(name string) {
	p.t.Helper()
	for _, width := range []struct {
		name string
		w, h int64
	}{{"wide", 1440, 900}, {"narrow", 390, 844}} {
		p.size(width.w, width.h)
		for _, scheme := range []string{"light", "dark"} {
			p.theme(scheme)
			take(p.tab, chromedp.Evaluate[bool](`new Promise((done) => setTimeout(() => done(true), 300))`, chromedp.EvalAwaitPromise))
			path := filepath.Join(*look, strings.Join([]string{name, width.name, scheme}, "-")+".png")
			if err := os.WriteFile(path, take(p.tab, chromedp.CaptureScreenshot()), 0o644); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	p.size(1440, 900)
	p.theme("light")
}

// takeEveryView takes pictures of every view with real servers, for a person to look at.
func takeEveryView(t *testing.T) {
	if err := os.MkdirAll(*look, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Run("server-everything", lookAtEverything)
	t.Run("demo", lookAtDemo)
	t.Run("demo-flawed", lookAtFlawed)
	t.Run("fastmcp", func(t *testing.T) {
		p, _ := openModels(t, "fastmcp", "orders.py")
		p.choose("place")
		view := &viewPage{tab: p.tab, inspector: p.inspector, link: p.link}
		view.all("fastmcp-form")
		p.press("Example")
		p.until(`document.querySelector("[data-testid=will-be-sent]")?.textContent.includes("street")`)
		p.click(`[data-testid=run]`)
		p.there(`[data-testid=payload]`)
		view.all("fastmcp-result")
	})
	t.Run("authorization", func(t *testing.T) {
		p := protected(t, oauth.Start(t).URL(""))
		p.press("Get a token")
		p.there("[data-step=authorization][data-state=waiting]")
		p.all("authorization")
	})
	t.Run("gateway", func(t *testing.T) {
		address, token := startGateway(t)
		p := openView(t, "Gateway", "demo")
		p.all("gateway-empty")
		p.fill(`[aria-label="Gateway URL"]`, address)
		p.fill(`[aria-label="Gateway token"]`, token)
		p.press("Watch")
		p.there("[aria-label=Servers] .badge.good")
		callGateway(t, address, token, "demo__add", `{"a":1,"b":1.5}`)
		p.all("gateway")
	})
}

func lookAtEverything(t *testing.T) {
	p := openView(t, "Servers", everything(t)...)
	p.all("servers")
	p.visit("Tools")
	p.all("tools-none")
	p.ran("get-structured-content", func(page *toolPage) { page.pick("location", "C") })
	p.there("[data-testid=payload]")
	p.all("tools-result")
	for _, tab := range []string{"raw", "wire", "history"} {
		p.click("[data-tab=" + tab + "]")
		p.all("tools-" + tab)
	}
	p.ran("get-tiny-image", func(*toolPage) {})
	p.there("[data-testid=payload] img")
	p.all("tools-image")
	p.ran("simulate-research-query", func(page *toolPage) { page.field("topic", "tides") })
	p.there("[aria-label=Result] [data-status=done]")
	p.ran("trigger-elicitation-request", func(*toolPage) {})
	p.there(".questions .question")
	p.all("tools-elicitation")
	p.visit("Elicitation")
	p.all("elicitation")
	p.clickText(".question button", "Decline")
	p.gone(".question")
	p.all("elicitation-none")
	p.ran("trigger-sampling-request", func(page *toolPage) { page.field("prompt", "Say hello.") })
	p.there(".questions .question")
	p.visit("Sampling")
	p.all("sampling")
	p.clickText(".question button", "Decline")
	p.gone(".question")
	p.visit("Roots")
	p.all("roots")
	p.visit("Tasks")
	p.click(`[aria-label=Tasks] .op-choice`)
	p.there("[aria-label=Task] .tree")
	p.all("tasks")
	p.visit("Wire")
	p.all("wire")
	p.click(`#frames [role=option]`)
	p.there("[aria-label=Frame] .tree")
	p.all("wire-frame")
	p.visit("Resources")
	p.click(`#resources [role=option]`)
	p.there("[aria-label=Content] .prose")
	p.all("resources")
	p.clickText(".tab", "Templates 2")
	p.click(`#resources [role=option]`)
	p.all("resources-template")
	p.visit("Prompts")
	p.click(`#prompts [role=option]`)
	p.all("prompts")
	p.visit("Authorization")
	p.all("authorization-none")
}

func lookAtDemo(t *testing.T) {
	p := openView(t, "Tools", "demo")
	page := p.tools()
	page.choose("price_order")
	p.all("demo-form")
	page.press("Example")
	p.until(`document.querySelector("[data-testid=will-be-sent]")?.textContent.includes("article")`)
	p.all("demo-example")
	page.field("items[0].quantity", "x")
	page.problem("items[0].quantity", "x")
	p.all("demo-problem")
	page.click(`[aria-label=Arguments] [data-value=json]`)
	p.there(`.json-editor`)
	p.all("demo-json")
	for key, dialog := range map[string]string{"h": "History of calls", "s": "Saved calls", "?": "Keyboard shortcuts"} {
		take(p.tab, chromedp.Evaluate[bool](`document.activeElement?.blur(), true`))
		p.key(key)
		p.there(`[role=dialog][aria-label="` + dialog + `"]`)
		p.all("dialog-" + strings.Fields(strings.ToLower(dialog))[0])
		p.typed(kb.Escape)
		p.gone(`[role=dialog]`)
	}
	p.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.there(`[role=dialog] [role=combobox]:focus`)
	p.all("dialog-palette")
	p.typed(kb.Escape)
	p.visit("Servers")
	p.clickText("button", "Add")
	p.there(`[role=dialog]`)
	p.all("dialog-add")
	p.typed(kb.Escape)
	p.size(390, 844)
	p.click(`[aria-label="All views"]`)
	p.all("menu")
	guide := openTools(t, "demo-guide")
	guide.choose("extra_root_one_of")
	guide.variant("the arguments", 1)
	(&viewPage{tab: guide.tab, inspector: guide.inspector, link: guide.link}).all("root-union")
}

func lookAtFlawed(t *testing.T) {
	p := openView(t, "Quality", "demo-flawed")
	p.all("quality-none")
	p.clickText("button", "Run all checks Ctrl ↵")
	p.there("[data-grade]")
	p.click(".cause-toggle")
	p.all("quality-overview")
	p.section("schema-lint")
	p.all("quality-schemas-none")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.there(`#findings [role=option]`)
	p.all("quality-schemas")
	p.clickOn(`[...document.querySelectorAll("#findings [role=option]")].find((o) => o.textContent.includes("fix"))`)
	p.clickText("button", "Show fix")
	p.there(".fix-panel .diff")
	p.all("quality-finding")
	for _, section := range []string{"conform", "fuzz", "load", "run", "init"} {
		p.section(section)
		p.all("quality-" + section)
	}
	p.section("hosts")
	p.there(".lens-card")
	p.all("quality-hosts")
}
