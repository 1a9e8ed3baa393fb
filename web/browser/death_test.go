package browser

import "testing"

// A call that ends the server says how it ended. From there a person can connect again, and goes on with what was
// typed.
func TestServerDiesOfACall(t *testing.T) {
	p := openTools(t, "--", program, "demo-flawed") // a process: it takes a while to be there again
	p.choose("divide")
	p.field("a", "1")
	p.field("b", "0")
	p.click(`[data-testid=run]`)
	p.says("[data-detail=transport]", "divide by zero")
	p.says("[data-testid=connection-state][data-state=lost]", "lost")
	p.clickText("[data-testid=connection-state] button", "Reconnect")
	p.there("[data-testid=connection-state][data-state=ready]")
	p.field("b", "2")
	p.willBeSent(`{"a":1,"b":2}`)
	p.click(`[data-testid=run]`)
	p.there("[data-verdict=Transport].good")
}
