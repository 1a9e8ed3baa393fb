package browser

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openFixture shows the tools of the fixture.
func openFixture(t *testing.T) *toolPage {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return openTools(t, "--", self, fixture)
}

// call runs a tool as it stands and waits for the end of it.
func (p *toolPage) call(tool string) {
	p.t.Helper()
	p.choose(tool)
	before := take(p.tab, chromedp.Evaluate[int](latest))
	p.willBeSent(`{}`)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.until(fmt.Sprintf(`%s > %d && document.querySelector("[aria-label=Result] [data-status]")?.dataset.status !== `+
		`"running"`, latest, before))
}

// verdict waits for one of the verdicts.
func (p *toolPage) verdict(what, tone, says string) {
	p.t.Helper()
	p.says(fmt.Sprintf(`.verdict.%s[data-verdict=%q]`, tone, what), says)
}

// Every verdict stands for itself, and none hides the payload.
func TestResults(t *testing.T) {
	p := openFixture(t)
	t.Run("an error of JSON-RPC shows code and data", func(t *testing.T) {
		p := p.in(t)
		p.call("refused")
		p.verdict("Transport", "good", "response")
		p.verdict("JSON-RPC", "bad", "-32050")
		p.verdict("Tool", "none", "no result")
		p.says(`[data-detail=rpc]`, "not today")
		p.says(`[data-detail=rpc]`, "9007199254740993")
	})
	t.Run("structured content that repeats the text is shown once", func(t *testing.T) {
		p := p.in(t)
		p.call("twice")
		p.says(`[data-kind=structured]`, "equal to the text")
		p.gone(`[data-testid=payload] [data-kind=text]`)
		p.call("wrapped")
		p.says(`[data-testid=payload] summary`, "the same text, in items")
	})
	t.Run("content against the output schema", func(t *testing.T) {
		p := p.in(t)
		p.call("mismatch")
		p.verdict("JSON-RPC", "good", "result")
		p.verdict("Tool", "good", "ok")
		p.verdict("Output schema", "bad", "invalid")
		p.says(`[data-detail=output]`, "integer")
		p.says(`[data-testid=payload]`, "the payload")
		p.says(`[data-kind=structured]`, "not a number")
	})
	t.Run("markdown is rendered and can be read as it came", func(t *testing.T) {
		p := p.in(t)
		p.call("markdown")
		p.says(`[data-testid=payload] h3`, "Title")
		p.there(`[data-testid=payload] a[href="https://example.com/"][rel~=noopener]`)
		p.clickText(`[data-testid=payload] button`, "Source")
		p.says(`[data-testid=payload] pre`, "**bold**")
	})
	t.Run("what cannot be shown is said, and shown as it came", func(t *testing.T) {
		p := p.in(t)
		p.call("odd")
		p.says(`[data-testid=payload] [data-kind=text]`, "Empty text.")
		p.says(`[data-testid=payload] [data-kind=text] summary`, "Annotations")
		p.says(`[data-testid=payload] [data-kind=image]`, "not valid base64")
		p.says(`[data-testid=payload] [data-kind=image] .tree`, `data: "!"`)
		p.says(`[data-testid=payload] [data-kind=image]:nth-child(3)`, "the browser cannot show it")
		p.says(`[data-testid=payload] [data-kind=other]`, `Content type not defined by the protocol: "video"`)
		p.says(`[data-testid=payload] [data-kind=audio] button`, "Save")
		p.call("nothing")
		p.says(`[data-testid=payload]`, "No content.")
		p.there(`.about .clamped`)
		p.press("Show full description")
		p.gone(`.about .clamped`)
	})
	t.Run("hostile text stays text", func(t *testing.T) {
		p := p.in(t)
		p.call("hostile")
		p.says(`[data-testid=payload]`, "onerror=alert(1)")
		for _, selector := range []string{"img", "script", `a[href^="javascript"]`, "[onerror]", "iframe", "object",
			"embed"} {
			if n := take(p.tab, chromedp.Evaluate[int]("document.querySelectorAll("+quote("#app "+selector)+
				").length")); n > 0 {
				t.Errorf("the page has %d of %s", n, selector)
			}
		}
	})
	t.Run("five megabytes stay smooth", func(t *testing.T) { largeResult(p.in(t)) })
}

// largeResult looks at a result of several megabytes: only what is in sight is in the document, and going to its end is
// quick.
func largeResult(p *toolPage) {
	p.call("large")
	p.there(`[data-testid=payload] .tree-row`)
	const rows = `document.querySelectorAll("[data-testid=payload] .tree-row").length`
	if n := take(p.tab, chromedp.Evaluate[int](rows)); n > 300 {
		p.t.Errorf("%d rows are in the document, want only those in sight", n)
	}
	p.quick("scroll through the result", `
		const box = document.querySelector("[aria-label=Result] .scroll");
		box.scrollTop = round % 2 ? 0 : box.scrollHeight;`)
	p.until(`document.querySelector("[data-testid=payload]").textContent.includes("item number")`)
	p.click(`[data-tab=raw]`)
	p.says(`[aria-label=Result] .scroll`, "jsonrpc")
	p.quick("scroll through the bytes", `
		const box = document.querySelector("[aria-label=Result] .scroll");
		box.scrollTop = round % 2 ? 0 : box.scrollHeight;`)
	p.click(`[data-tab=result]`)
}

// limit is how much work of the page one thing that a person does may cost.
const limit = 100 * time.Millisecond

// quick measures what a step costs the page's main thread until the next frame is there. The least of several rounds
// counts, since what else the page does can only make it more.
func (p *toolPage) quick(what, step string) {
	p.t.Helper()
	best := time.Hour
	for round := range 6 {
		best = min(best, p.work(func() {
			take(p.tab, chromedp.Evaluate[bool](fmt.Sprintf(`(async () => {
				const round = %d;
				%s
				await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
				return true;
			})()`, round, step), chromedp.EvalAwaitPromise))
		}))
	}
	p.t.Logf("%s: %v", what, best)
	if best > limit {
		p.t.Errorf("%s: the page is busy for %v, want at most %v", what, best, limit)
	}
}

func TestThousandTools(t *testing.T) {
	p := openFixture(t)
	p.until(fmt.Sprintf(`Number(document.querySelector("[aria-label=Tools] [data-count]").dataset.count) > %d`,
		manyTools))
	if n := take(p.tab, chromedp.Evaluate[int](`document.querySelectorAll("#tools [role=option]").length`)); n > 100 {
		t.Errorf("%d rows are in the document, want only those in sight", n)
	}
	p.quick("scroll", `
		const box = document.querySelector("[aria-label=Tools] .scroll");
		box.scrollTop = round % 2 ? 0 : box.scrollHeight;`)
	p.quick("filter", `
		const input = document.querySelector("[aria-label='Filter tools']");
		input.value = round % 2 ? "" : "9" + round;
		input.dispatchEvent(new Event("input", {bubbles: true}));`)
	p.fill(`[aria-label="Filter tools"]`, "tool 0999")
	p.until(`document.querySelectorAll("#tools [role=option]").length === 1`)
	p.says(`#tools [role=option]`, "tool_0999")
	p.do(chromedp.KeyEvent(kb.ArrowDown)) // into the list, and on to the arguments
	p.says(`[aria-label=Arguments] h1`, "tool_0999")
	p.there(`[data-path=v] textarea`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.activeElement === document.querySelector("[data-path=v] textarea")`)
}
