package browser

import (
	"fmt"
	"testing"
)

// Server-everything is reached as a process and over HTTP; what it asks is answered on cards that block nothing, and a
// call is cancelled.
func TestEverything(t *testing.T) {
	for name, target := range map[string]func(*testing.T) []string{
		"stdio": everything,
		"http":  func(t *testing.T) []string { return []string{listening(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			p := openView(t, "Tools", target(t)...)
			elicitation(p)
			sampling(p)
			cancellation(p)
			task(p)
		})
	}
}

// ran starts a tool and does not wait for it.
func (p *viewPage) ran(tool string, fill func(*toolPage)) {
	p.t.Helper()
	page := p.tools()
	page.choose(tool)
	fill(page)
	page.click(`[data-testid=run]`)
}

// elicitation fills in the form of the card, looks at the wire meanwhile, and sees the answer arrive.
func elicitation(p *viewPage) {
	p.ran("trigger-elicitation-request", func(*toolPage) {})
	p.there(".questions .question")
	p.until(`(() => { // the buttons are in sight, however long the form is
		const foot = document.querySelector(".questions .question-foot")?.getBoundingClientRect();
		return foot && foot.bottom <= document.querySelector(".questions").getBoundingClientRect().bottom && foot.bottom <= innerHeight;
	})()`)
	p.visit("Wire") // nothing is blocked
	p.says(".questions .question", "requests input (elicitation)")
	name := `.questions [data-path="name"] `
	p.fill(name+"textarea, "+name+"input.input", "Ada Lovelace")
	p.until(`document.querySelector("[data-will-be-sent]")?.textContent.includes('"name":"Ada Lovelace"')`)
	p.clickText(".questions button", "Accept Ctrl ↵")
	p.gone(".questions")
	p.visit("Tools")
	p.says("[aria-label=Result]", "Ada Lovelace")
}

// sampling answers in the model's place.
func sampling(p *viewPage) {
	p.ran("trigger-sampling-request", func(page *toolPage) { page.field("prompt", "Name a planet.") })
	p.says(".questions .said", "Name a planet.")
	p.fill(`.questions [aria-label="Model response"]`, "Neptune, said the person.")
	p.clickText(".questions button", "Send response Ctrl ↵")
	p.gone(".questions")
	p.says("[aria-label=Result]", "Neptune, said the person.")
}

// cancellation stops a call that is under way.
func cancellation(p *viewPage) {
	p.ran("trigger-long-running-operation", func(page *toolPage) {
		page.field("duration", "60")
		page.field("steps", "600")
	})
	p.there(`[aria-label=Result] progress, [aria-label=Result] [role=progressbar], [data-status=running]`)
	p.clickText("button", "Cancel")
	p.says("[aria-label=Result]", "ancelled")
}

// task runs a tool as a task, and finds it among the tasks.
func task(p *viewPage) {
	p.ran("simulate-research-query", func(page *toolPage) { page.field("topic", "tides") })
	p.says("[aria-label=Result]", "tides")
	p.visit("Tasks")
	p.says("[aria-label=Tasks]", "simulate-research-query")
	p.click(`[aria-label=Tasks] .op-choice`)
	p.says("[aria-label=Task]", "completed")
}

// What a server wants opened is shown in full and opened only by a click; it can be declined.
func TestVisitAPage(t *testing.T) {
	p := openView(t, "Tools", "demo")
	p.ran("visit_page", func(page *toolPage) { page.pick("topic", "p") })
	p.there(`.questions [data-url="https://example.com/demo/payment"]`)
	p.says(".questions .url-box b", "example.com")
	p.clickText(".questions button", "Decline")
	p.gone(".questions")
	p.says("[aria-label=Result]", "The user chose to decline.")
}

// What the schema of a question forbids is marked, and can be sent all the same; a question survives a reload.
func TestWrongAnswer(t *testing.T) {
	p := openView(t, "Tools", "demo")
	p.ran("ask_user", func(page *toolPage) { page.field("question", "Who is there?") })
	p.says(".questions .question-says", "Who is there?")
	p.reload()
	p.says(".questions .question-says", "Who is there?")
	p.says(".questions", "missing required")
	p.clickText(".questions button", "Accept anyway Ctrl ↵")
	p.gone(".questions")
	p.until(fmt.Sprintf(`fetch("/api/links/%s/calls/1", {headers: {Authorization: "Bearer " + `+
		`sessionStorage.getItem("mcptest-token")}}).then((a) => a.text()).then((t) => globalThis.seen = t) && `+
		`globalThis.seen?.includes("Invalid form data")`, p.link))
}

// The roots that are typed are those that the server is told of.
func TestRoots(t *testing.T) {
	p := openView(t, "Roots", "demo")
	p.there(`[aria-label=Roots] button[type=button]:not(:disabled)`)
	p.press("Add root")
	p.fill(`[aria-label="URI of root 1"]`, "file:///home/ada/project")
	p.fill(`[aria-label="Name of root 1"]`, "Project")
	p.press("Save")
	p.there(`[aria-label=Roots] button[type=submit]:disabled`)
	p.ran("list_roots", func(*toolPage) {})
	p.says("[aria-label=Result]", "file:///home/ada/project")
}
