package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A command that the page adds is started only after the person saw exactly what it is and agreed.
func TestAddCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	in := inspect(t)
	p := open(t, in.address)
	p.clickText("button", "Add")
	p.fill(`[name=command]`, `"`+self+`" `+fixture)
	p.fill(`[name=env]`, "FIXTURE_VALUE=secret")
	p.fill(`[name=name]`, "mine")
	p.says(`.argv`, fixture)
	p.typed(kb.Enter)
	p.there(`[aria-label=Approval]`)
	for _, want := range []string{self, fixture, "FIXTURE_VALUE"} {
		p.says(`[aria-label=Approval]`, want)
	}
	if shown := p.text(`[aria-label=Approval]`); strings.Contains(shown, "secret") {
		t.Errorf("the approval shows the value of a variable: %s", shown)
	}
	var links struct{ Links []struct{ ID string } }
	in.decode(t, "/links", &links)
	if len(links.Links) > 0 {
		t.Fatal("something was started before it was approved")
	}
	p.click(`[data-testid=approve]`)
	p.there(`[data-testid=connection][data-state=open]`)
	p.says(`[data-testid=connection]`, "2025-06-18")
	p.says(`[aria-label="stderr"]`, "fixture: ready")
	p.clickText(`[data-testid=connection] button`, "Reconnect")
	p.there(`[data-testid=connection][data-state=open]`)
	p.clickText(`[data-testid=connection] button`, "Disconnect")
	p.there(`[data-testid=connection][data-state=closed]`)
}

// A server of a config file that wants nothing special is shown before it is started, too.
func TestConfiguredCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(config, []byte(`{"mcpServers":{"plain":{"command":`+quote(self)+`,"args":["`+fixture+
		`"]},"absent":{"command":"no-such-program"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, inspect(t, "--config", config).address)
	p.clickOn(`[...document.querySelectorAll("#servers [role=option]")].find(e => ` +
		`e.querySelector("strong").textContent === "absent")`)
	p.says(`[data-testid=problem]`, "not found in PATH")
	p.gone(`[data-testid=approve]`) // there is nothing to approve
	p.clickOn(`[...document.querySelectorAll("#servers [role=option]")].find(e => ` +
		`e.querySelector("strong").textContent === "plain")`)
	p.says(`[aria-label=Approval]`, "default variables only")
	p.click(`[data-testid=approve]`)
	p.there(`[data-testid=connection][data-state=open]`)
}

// A server that was added is there in the next run. Its secret is asked for again; what was approved stays approved.
func TestAddedServerOutlivesARun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	in, stop := inspectIn(t, home)
	p := open(t, in.address)
	p.clickText("button", "Add")
	p.fill(`[name=command]`, `"`+self+`" `+fixture)
	p.fill(`[name=env]`, "FIXTURE_TOKEN=for-this-run-1")
	p.fill(`[name=name]`, "mine")
	p.typed(kb.Enter)
	p.click(`[data-testid=approve]`)
	p.there(`[data-testid=connection][data-state=open]`)
	p.close()
	stop()

	in, _ = inspectIn(t, home)
	p = open(t, in.address)
	p.clickOn(`[...document.querySelectorAll("#servers [role=option]")].find(e => ` +
		`e.querySelector("strong").textContent === "mine")`)
	p.says(`[aria-label=Values]`, "FIXTURE_TOKEN")
	p.gone(`[data-testid=connect]`)
	p.fill(`[name=FIXTURE_TOKEN]`, "for-this-run-2")
	p.typed(kb.Enter)
	p.there(`[data-testid=connection][data-state=open]`)
	p.says(`[aria-label=Definition]`, "saved without secrets")
	p.click(`[aria-label="Remove this server"]`)
	p.says(`#servers [role=option]`, "removed") // its connection is still there
}

func TestUnreachable(t *testing.T) {
	p := open(t, inspect(t).address)
	p.clickText("button", "Add")
	p.clickText(`[role=dialog] [role=radio]`, "URL")
	p.fill(`[name=url]`, "http://127.0.0.1:1/mcp")
	p.typed(kb.Enter)
	p.there(`[data-testid=connection][data-state=failed]`)
	p.says(`[data-testid=problem]`, "refused")
}

// What is tried again takes the place of what failed.
func TestFailedConnectionsDoNotPileUp(t *testing.T) {
	p := open(t, inspect(t, "http://127.0.0.1:1/mcp").address)
	p.says("[data-testid=connection-state][data-state=failed]", "refused") // its tools come first
	p.clickText(`.rail a`, "Servers")
	const failed = `document.querySelector("[data-testid=connection][data-state=failed]")`
	p.until(failed)
	take(p, chromedp.Evaluate[bool](failed+`.seen = true`))
	p.clickText(`button`, "Connect")
	p.until(failed + ` && ![...document.querySelectorAll("[data-testid=connection]")].some((e) => e.seen)`)
	p.until(`document.querySelectorAll("[data-testid=connection]").length === 1`)
}

// The rail leads to the connection of the server that a person looks at, and back, not to the first one.
func TestRailFollowsTheServer(t *testing.T) {
	p := open(t, inspect(t, "demo").address)
	p.there(`#tools [role=option]`)
	p.clickText(`.rail a`, "Servers")
	p.there(`[data-testid=connection][data-state=open]`)
	p.clickOn(`[...document.querySelectorAll("#servers [role=option]")].find(e => ` +
		`e.querySelector("strong").textContent === "demo-guide")`)
	p.click(`[data-testid=connect]`)
	p.there(`[data-testid=connection][data-state=open]`)
	name := p.text(`[data-testid=connection] h2`)
	p.clickText(`.rail a`, "Tools")
	p.says(`.rail [aria-label=Connections] [aria-current=page]`, name)
	p.there(`#tools [data-key=basic_string]`)
	p.clickText(`.rail a`, "Servers")
	p.says(`[data-testid=connection] h2`, name)
	p.clickText(`button`, "Connect another")
	p.until(`document.querySelectorAll("[data-testid=connection][data-state=open]").length === 2`)
	p.clickText(`[data-testid=connection] button`, "Disconnect")
	p.there(`[data-testid=connection][data-state=closed] ~ [data-testid=connection][data-state=open]`)
	p.says(`#servers [aria-selected=true]`, "connected") // as long as one of them is
}

// Several servers at once: each keeps its own tools.
func TestSeveralServers(t *testing.T) {
	p := open(t, inspect(t).address)
	for _, name := range []string{"demo", "demo-guide"} {
		p.clickOn(fmt.Sprintf(`[...document.querySelectorAll("#servers [role=option]")].find(e => `+
			`e.querySelector("strong").textContent === %s)`, quote(name)))
		p.click(`[data-testid=connect]`)
		p.there(`[data-testid=connection][data-state=open]`)
	}
	p.clickText(`[aria-label=Connections] a`, "Demo")
	p.there(`#tools [data-key=price_order]`)
	p.clickText(`[aria-label=Connections] a`, "Tool Testing Guide")
	p.there(`#tools [data-key=basic_integer]`)
}

func TestImportAndExport(t *testing.T) {
	p := open(t, inspect(t).address)
	p.click(`[title=More]`)
	p.clickText(`[role=menuitem]`, "Import mcp.json …")
	p.fill(`[aria-label=Config]`, `{"mcpServers":{"imported":{"command":"some-server","args":["--flag"]}}}`)
	p.clickText(`[role=dialog] button`, "Import")
	p.says(`[role=dialog] [role=status]`, "imported")
	p.typed(kb.Escape)
	p.gone(`[role=dialog]`)
	p.says(`#servers`, "imported")
	p.click(`[title=More]`)
	p.clickText(`[role=menuitem]`, "Export mcp.json …")
	p.says(`[role=dialog] pre`, `"some-server"`)
}

// A page that was opened without its token shows nothing and asks for it. One that does not fit is not taken in
// silence, and the address of another run may be opened in the same tab.
func TestToken(t *testing.T) {
	in := inspect(t, "demo")
	p := open(t, in.base)
	p.expected = "401"
	p.says("main", "Token required")
	p.gone("[role=alert]")
	p.fill(`input[type=password]`, "of-another-run")
	p.typed(kb.Enter)
	p.says("[role=alert]", "Invalid token")
	p.fill(`input[type=password]`, in.token)
	p.typed(kb.Enter)
	p.there(".rail")
	elsewhere := func(token string) { // only the end of the address differs, so the browser loads nothing by itself
		take(p, chromedp.Evaluate[bool](`(location.hash = "token=`+token+`", true)`))
	}
	elsewhere("of-yet-another-run")
	p.says("[role=alert]", "Invalid token")
	elsewhere(in.token)
	p.there(".rail")
	p.until(`!location.hash.includes("token")`)
}

// Log messages stand under the connection. Which of them are asked for can be changed there, or be chosen before
// connecting.
func TestLogMessages(t *testing.T) {
	p := openFixture(t)
	p.call("nothing")
	p.click(`.rail [aria-label=Views] a[title=Servers]`)
	p.says(`[data-testid=logs]`, "fixture: nothing to say")
	p.says(`[data-testid=connection] .facts`, "1 call")
	p.do(chromedp.Focus(chromedp.CSS(`[aria-label="Log level"]`)))
	p.typed("err")
	p.until(`document.querySelector("[aria-label='Log level']").value === "error"`)
	p.says(`[data-testid=connection] .facts`, "2 calls")
	p.clickText("summary", "Connection options")
	p.do(chromedp.Focus(chromedp.CSS(`[aria-label="Requested log level"]`)))
	p.typed("info")
	p.until(`document.querySelector("[aria-label='Requested log level']").value === "info"`)
	p.fill(`[aria-label="Timeout in seconds"]`, "7.5")
	p.click(`[data-testid=connect]`)
	p.there(`[data-testid=connection]:nth-of-type(2)[data-state=open]`)
	var all struct {
		Links []struct {
			LogLevel string `json:"log_level"`
		}
	}
	p.inspector.decode(t, "/links", &all)
	if len(all.Links) != 2 || all.Links[0].LogLevel != "" || all.Links[1].LogLevel != "info" {
		t.Errorf("connections %+v, want a second one that asks for info", all.Links)
	}
}
