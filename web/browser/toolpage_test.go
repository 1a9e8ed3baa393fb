package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A toolPage is a tab that shows the tools of the only connection.
type toolPage struct {
	*tab
	inspector *inspector
	link      string
	sent      map[string]bool // tools and modes in which arguments arrived
}

// openTools starts mcptest inspect with a target and shows its tools.
func openTools(t *testing.T, target ...string) *toolPage {
	t.Helper()
	in := inspect(t, target...)
	p := &toolPage{tab: open(t, in.address), inspector: in}
	p.there(".rail")
	p.link = in.link(t)
	p.clickText(".rail nav a", "Tools")
	p.there(`#tools [role=option]`)
	return p
}

// in is the same page for a part of a test.
func (p *toolPage) in(t *testing.T) *toolPage {
	return &toolPage{tab: p.tab.in(t), inspector: p.inspector, link: p.link, sent: p.sent}
}

// choose finds a tool by the filter and opens it, with nothing typed.
func (p *toolPage) choose(tool string) {
	p.t.Helper()
	p.fill(`[aria-label="Filter tools"]`, "")
	p.paste(tool)
	p.click(fmt.Sprintf(`#tools [data-key=%q]`, tool))
	p.until(fmt.Sprintf(`document.querySelector("[aria-label=Arguments] h1")?.textContent === %s`, quote(tool)))
	p.clickText("[aria-label=Arguments] button", "Reset")
}

// inside is a selector within a field.
func inside(path, selector string) string {
	return fmt.Sprintf(`[data-path=%q] %s`, path, selector)
}

// field types into a field, after what is there was taken out.
func (p *toolPage) field(path, text string) {
	p.t.Helper()
	p.fill(inside(path, "textarea, "+inside(path, "input.input")), text)
}

// state presses a state of a field: unset, null, empty or value.
func (p *toolPage) state(path, state string) {
	p.t.Helper()
	p.click(inside(path, fmt.Sprintf(`[role=radio][data-value=%q]`, state)))
}

// shows waits for a field to say its state.
func (p *toolPage) shows(path, state string) {
	p.t.Helper()
	p.there(fmt.Sprintf(`.field[data-path=%q][data-state=%q]`, path, state))
}

// problem waits for a field to say what is wrong with it.
func (p *toolPage) problem(path, part string) {
	p.t.Helper()
	p.says(inside(path, ".problem"), part)
}

// press presses a button of the arguments by its text.
func (p *toolPage) press(text string) {
	p.t.Helper()
	p.clickText("[aria-label=Arguments] button", text)
}

// named presses a button by its name.
func (p *toolPage) named(name string) {
	p.t.Helper()
	p.click(fmt.Sprintf(`[aria-label=%q]`, name))
}

// json switches to the JSON editor, unless it is there, and replaces its text.
func (p *toolPage) json(text string) {
	p.t.Helper()
	if take(p.tab, chromedp.Evaluate[bool](`Boolean(document.querySelector("[aria-label=Arguments] `+
		`[data-value=json][aria-checked=false]"))`)) {
		p.click(`[aria-label=Arguments] [data-value=json]`)
	}
	p.click(`.json-editor`)
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.Delete))
	if len(text) > shortText {
		p.paste(text)
	} else {
		p.typed(text)
	}
}

// shortText is what people type into an editor; the longer they paste.
const shortText = 10

// form switches to the form.
func (p *toolPage) form() {
	p.t.Helper()
	p.click(`[aria-label=Arguments] [data-value=form]`)
	p.there(`[aria-label=Arguments] .fields`)
}

// willBeSent waits for the line that shows the arguments.
func (p *toolPage) willBeSent(want string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelector("[data-testid=will-be-sent]")?.textContent === %s`, quote(want)))
}

// held presses Run and makes sure that nothing goes out.
func (p *toolPage) held() {
	p.t.Helper()
	before := p.calls()
	p.there(`[data-testid=run][aria-disabled=true]`)
	p.click(`[data-testid=run]`)
	p.there(`.insisted, .json-editor`)
	if after := p.calls(); after != before {
		p.t.Errorf("%d calls went out, want the arguments held back", after-before)
	}
}

// calls is how many calls the connection has seen.
func (p *toolPage) calls() int {
	p.t.Helper()
	var all struct{ Calls []struct{ N int } }
	p.inspector.decode(p.t, "/links/"+p.link+"/calls", &all)
	return len(all.Calls)
}

// latest is the number of the call that is shown.
const latest = `Number(document.querySelector("[aria-label=Result] [data-call]")?.dataset.call ?? 0)`

// toolAndMode is the tool that is shown, and how its arguments are entered.
const toolAndMode = `document.querySelector("[aria-label=Arguments] h1").textContent + " by " + ` +
	`(document.querySelector("[aria-label=Arguments] .json-editor") ? "JSON" : "form")`

// run presses Run and returns the bytes that the server received.
func (p *toolPage) run() string {
	p.t.Helper()
	return p.send(func() { p.click(`[data-testid=run]`) })
}

// anyway presses Send anyway.
func (p *toolPage) anyway() string {
	p.t.Helper()
	return p.send(func() { p.click(`[data-testid=anyway]`) })
}

func (p *toolPage) send(press func()) string {
	p.t.Helper()
	before := take(p.tab, chromedp.Evaluate[int](latest))
	if p.sent != nil {
		p.sent[take(p.tab, chromedp.Evaluate[string](toolAndMode))] = true
	}
	press()
	p.until(fmt.Sprintf(`%s > %d && document.querySelector("[aria-label=Result] [data-status=done] `+
		`[data-testid=payload]")`, latest, before))
	return p.inspector.echoed(p.t, p.link, take(p.tab, chromedp.Evaluate[int](latest)))
}

// sends checks what goes out: that it was announced, and the bytes that arrived.
func (p *toolPage) sends(want string) {
	p.t.Helper()
	p.willBeSent(want)
	if got := p.run(); got != want {
		p.t.Errorf("the server received %s, want %s", got, want)
	}
}

// sendsAnyway checks what goes out although it was held back.
func (p *toolPage) sendsAnyway(want string) {
	p.t.Helper()
	p.held()
	if got := p.anyway(); got != want {
		p.t.Errorf("the server received %s, want %s", got, want)
	}
}
