package browser

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Schema-lint runs from the page: findings by severity, the explanation, the frame, the fix and its difference, the
// hosts.
func TestQuality(t *testing.T) {
	p := openView(t, "Quality", "demo-flawed")
	p.section("schema-lint")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.there(`[data-run=done]`)
	p.there(`#findings [role=option]`)
	p.clickOn(`[...document.querySelectorAll(".tally button")].find((b) => b.textContent.includes("info"))`)
	p.there(`.tally button[aria-pressed=false]`)
	p.until(`!document.querySelector("#findings .pip.info") && document.querySelector("#findings .pip.warning")`)
	p.fill(`[aria-label="Filter findings"]`, "SCH-001")
	p.until(`document.querySelectorAll("#findings [role=option]").length === 1`)
	p.click(`#findings [role=option]`)
	p.says("[aria-label=Finding] h2", "object without a required list")
	p.says("[aria-label=Finding] .prose", "Without \"required\" every argument is optional")
	p.clickText("button", "Show fix")
	p.until(`[...document.querySelectorAll(".fix-panel .plus")].some((e) => e.textContent.includes('"required"'))`)
	p.clickOn(`[...document.querySelectorAll("[aria-label=Finding] a")].find((a) => a.textContent.startsWith("frame"))`)
	p.there(`main[aria-label=Wire]`)
	p.says(".frame-facts", "tools/list")
	p.visit("Quality")
	p.there(`#findings [role=option]`) // the run is kept
	p.section("hosts")
	p.says(`[aria-label="OpenAI, strict function calling"]`, "rejected")
	p.click(`#lens-tools [data-key="run"]`)
	p.says("[aria-label=Hosts] h2", "run")
}

// section opens a section of the Quality view.
func (p *viewPage) section(operation string) {
	p.t.Helper()
	p.click(`[data-section="` + operation + `"]`)
	p.there(`[data-section="` + operation + `"][aria-current=true]`)
}

// The overview shows the grade, the areas with their evidence and the causes; the call that shows a cause runs in the
// Tools view. No text is one of the command line.
func TestOverview(t *testing.T) {
	p := openView(t, "Quality", "demo-flawed")
	p.clickText("button", "Run all checks Ctrl ↵")
	p.there("[data-grade=F]")
	p.says("[aria-label=Areas] [aria-label=protocol]", "Tested: ")
	p.says("[aria-label=Areas] [aria-label=schemas]", "16 tools")
	p.click(`[data-rule="SCH-003"] .cause-toggle`)
	p.says(`[data-rule="SCH-003"]`, "search_notes")
	p.says(`[data-rule="SCH-003"]`, "Fix")
	if text := p.text("main"); strings.Contains(text, "LIST") || strings.Contains(text, "LEVEL") ||
		strings.Contains(text, "(use check") {
		t.Errorf("the overview has text of the command line:\n%s", text)
	}
	p.clickText(`[data-rule="FUZZ-014"] .cause-head button`, "Try it")
	p.there(`main[aria-label=Tools]`)
	p.says(`[data-testid=payload]`, "KeyError")
	p.says(`[data-testid=will-be-sent]`, `{"name":""}`)
	var call struct {
		Name      string
		Arguments string `json:"arguments_json"`
	}
	p.inspector.decode(t, "/links/"+p.link+"/calls/1", &call)
	if call.Name != "load_config" || call.Arguments != `{"name":""}` {
		t.Errorf("called %s with %s, want the reproducing call", call.Name, call.Arguments)
	}
}

// Two runs of one session are compared: what was resolved, and each finding of one alone.
func TestCompareRuns(t *testing.T) {
	p := openView(t, "Quality", "demo-flawed")
	p.section("schema-lint")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.there(`[data-run=done]`)
	p.fill(`.pane input[aria-label=Rules]`, "SCH-001")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.says(`.trend`, "resolved, 0 new")
	p.reload() // the runs are kept
	p.click(`.trend-run:not(:disabled)`)
	p.until(`[...document.querySelectorAll("[data-testid=diff] .minus")].some((e) => e.textContent.includes("SCH-003"))`)
	p.until(`[...document.querySelectorAll("[data-testid=diff] .line:not(.minus):not(.plus)")].some((e) => e.textContent.includes("SCH-001"))`)
	p.gone(`[data-testid=diff] .plus`)
}

// Warnings are counted as such: a server without errors has not failed.
func TestWarningsAreNotFailures(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := openView(t, "Quality", "--", self, fixture)
	p.section("schema-lint")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.says(`[data-run=done]`, "with warnings")
	if got := p.text(`[data-run=done]`); strings.Contains(got, "failed") {
		t.Errorf("the run is summed up as %q, want no failure", got)
	}
}

// A load runs from the page and shows its figures, and what does not hold.
func TestLoadOfThePage(t *testing.T) {
	p := openView(t, "Quality", "demo")
	p.section("load")
	p.fill(`.pane input[aria-label=Tool]`, "echo")
	p.fill(`.pane input[aria-label=Rate]`, "20/s")
	p.fill(`.pane input[aria-label=Duration]`, "500ms")
	p.fill(`.pane input[aria-label=Threshold]`, "calls>1000")
	p.clickText("button", "Run load test Ctrl ↵")
	p.there(`[data-run=done]`)
	p.says(`[aria-label="Load statistics"]`, "Calls10")
	p.says(`[aria-label="Load statistics"]`, "0 of 10")
	p.says("#findings", "threshold calls>1000 failed")
}

// A first suite stands in the page as the file that it would be, and a check ends in a grade.
func TestSuiteAndGradeOfThePage(t *testing.T) {
	p := openView(t, "Quality", "demo")
	p.section("init")
	p.clickText("button", "Generate suite Ctrl ↵")
	p.until(`/tools:\s+- name: "add"\s+tool: "add"/.test(document.querySelector("[aria-label=Suite]")?.textContent)`)
	p.clickText("button", "Run this suite")
	p.until(`document.querySelector("textarea[aria-label=Suite]")?.value.includes("tool: \"add\"")`)
	p.clickText("button", "Run suite Ctrl ↵")
	p.says("[data-run=done]", "passed")
	p.section("check")
	p.clickText("button", "Run all checks Ctrl ↵")
	p.there("[data-grade=A]")
	p.says("[aria-label=Grade]", "No errors")
	take(p.tab, chromedp.Evaluate[bool](`new MutationObserver(() => (window.stale ||= Boolean(document.querySelector(`+
		`".stale [aria-label=Grade]")))).observe(document.body, { subtree: true, childList: true, attributes: true }), true`))
	p.clickText("button", "Run all checks Ctrl ↵") // the verdict stays in sight during the next run
	p.until(`window.stale && document.querySelector("[data-grade=A]") && !document.querySelector(".stale")`)
}

// The report can be taken along as it was printed, and a run that is stopped says so.
func TestSavedReportAndStoppedRun(t *testing.T) {
	p := openView(t, "Quality", "demo")
	p.section("schema-lint")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.there(`[data-run=done]`)
	take(p.tab, chromedp.Evaluate[bool](`(() => {
		URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), "blob:none");
		HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
		return true;
	})()`))
	p.click(`[aria-label="Save report"]`)
	p.until(`window.saved && window.savedAs === "mcptest-schema-lint.json" && JSON.parse(window.saved).summary`)
	p.section("load")
	p.fill(`.pane input[aria-label=Tool]`, "echo")
	p.fill(`.pane input[aria-label=Duration]`, "10m")
	p.clickText("button", "Run load test Ctrl ↵")
	p.there(`[data-run=running]`)
	p.clickText("button", "Stop")
	p.says(`[data-run=stopped]`, "not kept")
	p.size(420, 800) // where one pane is in sight at a time, what runs and what failed can be left
	p.reload()
	p.there(`[data-section=load]`)
	p.until(`((b) => b.left >= 0 && b.right <= 420)(document.querySelector("[data-section=load]").getBoundingClientRect())`)
	p.fill(`.pane input[aria-label=Tool]`, "echo")
	p.fill(`.pane input[aria-label=Duration]`, "10m")
	p.clickText("button", "Run load test Ctrl ↵")
	p.there(`[data-run=running]`)
	p.click(`[aria-label="Back to the operations"]`)
	p.clickText("button", "Stop")
	p.there(`[data-run=stopped]`)
	p.fill(`.pane input[aria-label=Tool]`, "no-such-tool")
	p.clickText("button", "Run load test Ctrl ↵")
	p.there(`[data-run=failed]`)
	p.click(`[aria-label="Back to the operations"]`)
	p.until(`document.querySelector(".pane-foot .button.primary").checkVisibility()`)
}
