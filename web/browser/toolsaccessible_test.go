package browser

import (
	"fmt"
	"testing"
)

// The views of tools and servers have no serious problem for those who cannot see well or use a mouse.
func TestToolsAndServersAccessible(t *testing.T) {
	axe := checker(t)
	p := openTools(t, "demo")
	p.accessible(axe, "tools, none chosen")
	p.choose("price_order")
	p.press("Example")
	p.until(`document.querySelector("[data-testid=will-be-sent]")?.textContent.includes("article")`)
	p.click(`[data-testid=run]`)
	p.there(`[data-testid=payload]`)
	p.accessible(axe, "a form and its result")
	p.field("items[0].quantity", "x")
	p.problem("items[0].quantity", "x")
	for _, tab := range []string{"raw", "wire", "history"} {
		p.click(fmt.Sprintf("[data-tab=%s]", tab))
		p.accessible(axe, "a problem, and "+tab)
	}
	p.click(`[aria-label=Arguments] [data-value=json]`)
	p.there(`.json-editor`)
	p.accessible(axe, "the editor")
	p.clickText(".rail nav a", "Servers")
	p.there(`[data-testid=connection]`)
	p.accessible(axe, "servers")
	p.clickText("button", "Add")
	p.there(`[role=dialog]`)
	p.accessible(axe, "add a server")
}
