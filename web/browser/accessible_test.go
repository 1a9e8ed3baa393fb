package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// checker is axe-core, which `npm ci` in web installs; empty without.
func checker(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "node_modules", "axe-core", "axe.min.js"))
	if err == nil {
		return string(source)
	}
	const missing = "left out: needs `npm ci` in web, for axe-core"
	if os.Getenv("MCPTEST_REQUIRE_NPM") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// accessible checks what is shown now, light and dark. What axe calls moderate or minor is left to taste.
func (p *tab) accessible(axe, what string) {
	p.t.Helper()
	take(p, chromedp.Evaluate[bool](axe+"; Boolean(axe)"))
	for _, scheme := range []string{"light", "dark"} {
		p.theme(scheme)
		found := take(p,
			chromedp.Evaluate[[]string](`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.passes.length < 5 ? ["axe looked at nothing"] : r.violations.filter((v) => ["serious", "critical"].includes(v.impact))
			.flatMap((v) => v.nodes.slice(0, 5).map((n) => v.id + ": " + n.target.join(" ") + " " + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? "") + " " + n.html.slice(0, 120))))`, chromedp.EvalAwaitPromise))
		if len(found) > 0 {
			p.t.Errorf("%s, %s:\n%s", what, scheme, strings.Join(found, "\n"))
		}
	}
}

// No view has a serious problem for those who cannot see it well or use a mouse.
func TestAccessible(t *testing.T) {
	axe := checker(t)
	p := openView(t, "Wire", "demo-flawed")
	p.click(`#frames [role=option]`)
	p.there(`[aria-label=Frame] .tree`)
	p.press("Send raw frame")
	p.accessible(axe, "wire")
	p.visit("Quality")
	p.accessible(axe, "the overview before a run")
	p.clickText("button", "Run all checks Ctrl ↵")
	p.there("[data-grade=F]")
	p.click(".cause-toggle")
	p.accessible(axe, "the overview")
	p.section("schema-lint")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.there(`#findings [role=option]`)
	p.clickOn(`[...document.querySelectorAll("#findings [role=option]")].find((o) => o.textContent.includes("fix"))`)
	p.clickText("button", "Show fix")
	p.there(".fix-panel .diff")
	p.accessible(axe, "quality")
	p.section("hosts")
	p.there(".lens-card")
	p.accessible(axe, "host lens")
	p.visit("Gateway")
	p.accessible(axe, "gateway")
	p.visit("Authorization")
	p.accessible(axe, "authorization")
	p.visit("Tasks")
	p.accessible(axe, "tasks")
	p.size(400, 800)
	p.visit("Wire")
	p.accessible(axe, "wire on a narrow page")
}

// The same for what a server with everything offers and asks.
func TestAccessibleOffers(t *testing.T) {
	axe := checker(t)
	p := openView(t, "Resources", "demo")
	p.click(`#resources [data-key="demo://welcome"]`)
	p.there("[aria-label=Content] .prose")
	p.accessible(axe, "a resource")
	p.clickText(".tab", "Templates 2")
	p.click(`#resources [data-key^="demo://planets/"]`)
	p.click(`[aria-label=Template] [role=combobox]`)
	p.there(`[aria-label=Template] [role=option]`)
	p.accessible(axe, "a template with suggestions")
	p.visit("Prompts")
	p.click(`#prompts [data-key="describe_picture"]`)
	p.clickText("button", "Get prompt Ctrl ↵")
	p.there(".said img")
	p.accessible(axe, "a prompt")
	p.ran("ask_user", func(page *toolPage) { page.field("question", "Who is there?") })
	p.there(".questions .question")
	p.ran("ask_model", func(page *toolPage) { page.field("prompt", "Say hello.") })
	p.there(".questions .said")
	p.accessible(axe, "questions in the corner")
	p.visit("Elicitation")
	p.accessible(axe, "an elicitation, with a sampling request below")
	p.visit("Sampling")
	p.accessible(axe, "a sampling request, with an elicitation below")
	p.visit("Roots")
	p.accessible(axe, "roots")
}
