package browser

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

var update = flag.Bool("update", false, "take the pictures of docs/img again")

// pictures are the views that docs/inspector.md shows, each light and dark.
var pictures = []string{"servers", "tools", "resources", "prompts", "questions", "tasks", "wire", "overview", "quality", "hosts",
	"find", "gateway", "authorization", "changes"}

// heaviest is how many bytes a picture may have.
const heaviest = 150_000

// The documentation shows every view, light and dark, in pictures that are there and not too heavy. With -update they
// are taken again, of real servers.
func TestScreenshots(t *testing.T) {
	if *update {
		t.Run("take", takePictures)
	}
	if *look != "" {
		t.Run("look", takeEveryView)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "inspector.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pictures {
		for _, scheme := range []string{"light", "dark"} {
			path := picture(name, scheme)
			if info, err := os.Stat(path); err != nil || info.Size() > heaviest {
				t.Errorf("%s: %v, want a picture of at most %d bytes", path, err, heaviest)
			}
			if !strings.Contains(string(text), "img/"+filepath.Base(path)) {
				t.Errorf("docs/inspector.md does not show %s", filepath.Base(path))
			}
		}
	}
}

func picture(name, scheme string) string {
	return filepath.Join("..", "..", "docs", "img", "inspector-"+name+"-"+scheme+".png")
}

// shoot takes a picture of what is shown, light and dark.
func (p *viewPage) shoot(name string) {
	p.t.Helper()
	take(p.tab, chromedp.Evaluate[bool](`document.activeElement?.blur(), true`))
	for _, scheme := range []string{"light", "dark"} {
		p.theme(scheme)
		// animations end
		take(p.tab, chromedp.Evaluate[bool](`new Promise((done) => setTimeout(() => requestAnimationFrame(() => `+
			`done(true)), 400))`, chromedp.EvalAwaitPromise))
		small, err := shrink(take(p.tab, chromedp.CaptureScreenshot()))
		if err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(picture(name, scheme), small, 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	p.theme("light")
}

func takePictures(t *testing.T) {
	if err := os.MkdirAll(filepath.Dir(picture("", "")), 0o755); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "mcp.json")
	const others = `{"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem",` +
		`"."]},"memory":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"]},` +
		`"tracker":{"url":"https://tracker.example/mcp"}}}`
	if err := os.WriteFile(config, []byte(others), 0o600); err != nil {
		t.Fatal(err)
	}
	p := openView(t, "Servers", "--config", config, listening(t))
	p.size(1280, 800)
	p.connect("demo")
	p.connect("demo-flawed")
	p.click(`#servers [role=option]`)
	p.there(`.rail [aria-label=Connections] a:nth-child(3) .dot.open`)
	p.shoot("servers")
	p.pictureTools()
	p.pictureOffers()
	p.pictureQuality()
	pictureGateway(t)
	pictureAuthorization(t)
}

// connect opens a connection to a built-in server.
func (p *viewPage) connect(name string) {
	p.t.Helper()
	p.clickOn(fmt.Sprintf(`[...document.querySelectorAll("#servers [role=option]")].find((o) => `+
		`o.textContent.startsWith(%s + "built"))`, quote(name)))
	p.clickOn(`[...document.querySelectorAll("[aria-label=Server] button")].find((b) => b.textContent.trim() === ` +
		`"Connect")`)
	p.until(fmt.Sprintf(`[...document.querySelectorAll(".rail [aria-label=Connections] a")].some((a) => a.title === `+
		`%s && a.querySelector(".dot.open"))`, quote(name)))
}

// use makes a connection the current one.
func (p *viewPage) use(index int) {
	p.t.Helper()
	p.click(fmt.Sprintf(`.rail [aria-label=Connections] a:nth-child(%d)`, index))
}

func (p *viewPage) pictureTools() {
	p.use(1)
	p.ran("get-structured-content", func(page *toolPage) { page.pick("location", "C") })
	p.there("[data-testid=payload]")
	p.fill(`[aria-label="Filter tools"]`, "")
	p.shoot("tools")
	p.ran("simulate-research-query", func(page *toolPage) { page.field("topic", "tides") })
	p.there("[aria-label=Result] [data-status=done]")
	p.ran("trigger-elicitation-request", func(*toolPage) {})
	p.there(".questions .question")
	p.fill(`[aria-label="Filter tools"]`, "")
	p.shoot("questions")
	p.clickText(".questions button", "Decline")
	p.gone(".questions")
	p.visit("Tasks")
	p.click(`[aria-label=Tasks] .op-choice`)
	p.there("[aria-label=Task] .tree")
	p.shoot("tasks")
	p.visit("Wire")
	p.clickOn(`[...document.querySelectorAll("#frames [role=option]")].findLast((o) => o.textContent.includes("✓ ` +
		`tools/call"))`)
	p.there("[aria-label=Frame] .tree")
	p.shoot("wire")
}

func (p *viewPage) pictureOffers() {
	p.visit("Resources")
	p.clickOn(`document.querySelector("#resources [role=option]")`)
	p.there("[aria-label=Content] .prose")
	p.shoot("resources")
	p.use(2)
	p.visit("Prompts")
	p.click(`#prompts [data-key="describe_planet"]`)
	p.fill(`[role=combobox][aria-label=planet]`, "Neptune")
	p.clickText("button", "Get prompt Ctrl ↵")
	p.says(".said", "Neptune")
	p.shoot("prompts")
}

func (p *viewPage) pictureQuality() {
	p.use(3)
	p.visit("Quality")
	p.clickText("button", "Run all checks Ctrl ↵")
	p.there("[data-grade]")
	p.shoot("overview")
	p.section("schema-lint")
	p.clickText("button", "Check schemas Ctrl ↵")
	p.there(`#findings [role=option]`)
	p.clickOn(`[...document.querySelectorAll("#findings [role=option]")].find((o) => o.textContent.includes("fix"))`)
	p.clickText("button", "Show fix")
	p.there(".fix-panel .diff")
	p.shoot("quality")
	p.section("hosts")
	p.there(".lens-card")
	p.shoot("hosts")
	p.visit("Tool search")
	p.clickText("button", "Search tools Ctrl ↵")
	p.there("tr[data-query]")
	p.shoot("find")
}

// pictureGateway looks at a gateway with some traffic.
func pictureGateway(t *testing.T) {
	address, token := startGateway(t)
	p := openView(t, "Gateway", "demo")
	p.size(1280, 800)
	p.fill(`[aria-label="Gateway URL"]`, address)
	p.fill(`[aria-label="Gateway token"]`, token)
	p.press("Watch")
	p.there("[aria-label=Servers] .badge.good")
	for looks := 0; looks < 12; looks++ { // each look of the page is a point of the curve
		before := p.text("[role=status]")
		for range 20 + 15*(looks%4) {
			callGateway(t, address, token, "demo__add", fmt.Sprintf(`{"a":%d,"b":1.5}`, looks))
		}
		callGateway(t, address, token, "demo__wait", `{"milliseconds":120}`)
		p.until(fmt.Sprintf(`document.querySelector("[role=status]")?.textContent.trim() !== %s`, quote(before)))
	}
	p.shoot("gateway")
}

func callGateway(t *testing.T, address, token, tool, arguments string) {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization":        {"Bearer " + token},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {tool}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
}

// pictureAuthorization goes the way to a token up to the person.
func pictureAuthorization(t *testing.T) {
	p := protected(t, oauth.Start(t).URL(""))
	p.size(1280, 800)
	p.press("Get a token")
	p.there("[data-step=authorization][data-state=waiting]")
	p.shoot("authorization")
}
