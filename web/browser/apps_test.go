package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// showView calls a tool and waits until its view has the result.
func (p *toolPage) showView(tool string) {
	p.t.Helper()
	p.openView(tool)
	p.shown()
}

// openView calls a tool and opens its view.
func (p *toolPage) openView(tool string) {
	p.t.Helper()
	p.openViewWith(tool, nil)
}

func (p *toolPage) openViewWith(tool string, arguments map[string]string) {
	p.t.Helper()
	p.choose(tool)
	for name, value := range arguments {
		p.field(name, value)
	}
	p.until(`document.querySelector("[data-testid=will-be-sent]").textContent.startsWith("{")`)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.there("[aria-label=Result] [data-status=done]")
	p.clickText("[aria-label=Result] [role=tab]", "View")
}

// shown waits until the view has the result.
func (p *toolPage) shown() {
	p.t.Helper()
	p.there("[data-testid=app][data-phase=initialized]")
	p.there(`[data-testid=app-messages] [data-method="ui/notifications/tool-result"]`)
}

// order compares the messages between host and view with the expected ones, which must come in this order.
func (p *toolPage) order(expected ...string) {
	p.t.Helper()
	got := take(p.tab, chromedp.Evaluate[[]string](`[...document.querySelectorAll("[data-testid=app-messages] li[data-from]")]`+
		`.reverse().map((e) => e.dataset.from + " " + e.dataset.method)`))
	next := 0
	for _, message := range got {
		if next < len(expected) && message == expected[next] {
			next++
		}
	}
	if next < len(expected) {
		p.t.Errorf("messages %q, expected %q at its place", got, expected[next])
	}
}

// An appServer is an MCP server over HTTP with one view.
type appServer struct {
	html, meta string // of the view
	calls      chan string
}

// start returns the URL of the server.
func (s *appServer) start(t *testing.T) string {
	t.Helper()
	s.calls = make(chan string, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name, URI string }
		}
		w.Header().Set("Content-Type", "application/json")
		if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, s.answer(m.Method, m.Params.Name))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func (s *appServer) answer(method, tool string) string {
	const input = `"inputSchema":{"type":"object"}`
	switch method {
	case "initialize":
		return `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{}},` +
			`"serverInfo":{"name":"apps","version":"1"}}`
	case "tools/list":
		return `"result":{"tools":[{"name":"show",` + input + `,"_meta":{"ui":{"resourceUri":"ui://a/view"}}},` +
			`{"name":"helper",` + input + `,"_meta":{"ui":{"visibility":["app"]}}},` +
			`{"name":"secret",` + input + `,"_meta":{"ui":{"visibility":["model"]}}}]}`
	case "resources/list":
		return `"result":{"resources":[{"uri":"ui://a/view","name":"view","mimeType":"text/html;profile=mcp-app"}]}`
	case "resources/read":
		return `"result":{"contents":[{"uri":"ui://a/view","mimeType":"text/html;profile=mcp-app","text":` +
			quote(s.html) + `,"_meta":{"ui":{` + s.meta + `}}}]}`
	case "tools/call":
		s.calls <- tool
		return `"result":{"content":[{"type":"text","text":"result of ` + tool + `"}]}`
	}
	return `"error":{"code":-32601,"message":"no such method"}`
}

// bridge is the script of a view that talks to its host: request and notify send, onMessage receives.
const bridge = `<!doctype html><meta charset="utf-8"><title>v</title><body><script>
const waiting = new Map(); let next = 1; const got = [];
const post = (m) => parent.postMessage({jsonrpc: "2.0", ...m}, "*");
const notify = (method, params = {}) => post({method: "ui/notifications/" + method, params});
const request = (method, params = {}) => new Promise((done) => { const id = next++; waiting.set(id, done); post({id, method, params}); });
addEventListener("message", (e) => {
  const m = e.data;
  if (m.method === undefined) return waiting.get(m.id)?.(m);
  got.push(m);
  if (m.method === "ui/resource-teardown") post({id: m.id, result: {}});
  if (typeof onHost === "function") onHost(m);
});
const start = async () => {
  const answer = await request("ui/initialize", {protocolVersion: "2026-01-26", appInfo: {name: "v", version: "1"}, appCapabilities: {}});
  notify("initialized");
  return answer.result;
};
</script>
`

// The host keeps the order, answers what it offers, refuses the rest, and shows all of it.
func TestAppHost(t *testing.T) {
	server := &appServer{meta: `"csp":{"connectDomains":["http://not-tls.example"]}`, html: bridge + `<p id="p"></p><script>
const show = (text) => { document.getElementById("p").textContent += text + "\n"; notify("size-changed", {width: 300, height: document.documentElement.scrollHeight}); };
function onHost(m) { show(m.method + " " + JSON.stringify(m.params?.content ?? m.params?.theme ?? "")); }
start().then(async (host) => {
  show(Object.keys(host.hostCapabilities).join());
  const img = new Image(); img.src = "https://tiles.example/1.png";
  for (const [method, params] of [["tools/call", {name: "helper", arguments: {}}], ["tools/call", {name: "secret"}], ["tools/call", {name: "unknown"}],
    ["tools/list", {}], ["sampling/createMessage", {}], ["ui/download-file", {}], ["ping", {}], ["prompts/list", {}]]) {
    const answer = await request(method, params);
    show(method + " " + (params.name ?? "") + " " + JSON.stringify(answer.error?.code ?? answer.result.tools?.map((t) => t.name) ?? "result"));
  }
  post({id: "late", method: "ui/open-link", params: {url: "https://docs.example/page"}});
});</script>`}
	p := openTools(t, server.start(t))
	p.tab.expected = ".localhost:"
	p.showView("show")
	p.order("sandbox ui/notifications/sandbox-proxy-ready", "host ui/notifications/sandbox-resource-ready",
		"view ui/initialize", "host ui/initialize", "view ui/notifications/initialized", "host ui/notifications/tool-input",
		"host ui/notifications/tool-result")
	p.says(".app-panel .notice", "http://not-tls.example")
	p.textOf(`tools/call secret -32000 tools/call unknown -32602 `)
	p.says(".app-ask", "https://docs.example/page")
	p.clickText(".app-ask button", "Deny")
	p.there(`[data-testid=app-messages] [data-from=host][data-kind=response][data-method="ui/open-link"]`)
	close(server.calls)
	var called []string
	for tool := range server.calls {
		called = append(called, tool)
	}
	if fmt.Sprint(called) != "[show helper]" {
		t.Errorf("the server received calls of %q, expected only those of tools for apps", called)
	}
	answers := take(p.tab, chromedp.Evaluate[[]string](`[...document.querySelectorAll("[data-testid=app-messages] li[data-from=host]")]`+
		`.reverse().filter((e) => /response|error/.test(e.dataset.kind)).map((e) => e.dataset.method + " " + e.dataset.kind)`))
	expected := "[ui/initialize response tools/call response tools/call error tools/call error tools/list response " +
		"sampling/createMessage error ui/download-file error ping response prompts/list error ui/open-link response]"
	if fmt.Sprint(answers) != expected {
		t.Errorf("answers %v, expected %s", answers, expected)
	}
	p.clickText(".app-log [role=tab]", "Blocked loads 1")
	p.says("[data-testid=app-blocked]", `add "https://tiles.example" to _meta.ui.csp.resourceDomains`)
}

// A tester changes theme, width, mode and result; the view is told, and before its end asked.
func TestAppControls(t *testing.T) {
	server := &appServer{html: bridge + `<script>
function onHost(m) { if (m.method !== "ui/resource-teardown") request("ui/message", {role: "user", content: [{type: "text", text: m.method}]}); }
start().then(() => notify("size-changed", {height: 333}));</script>`}
	p := openTools(t, server.start(t))
	p.showView("show")
	p.says("[data-testid=app-size]", "333 px")
	p.click(`[aria-label="Theme of the view"] [data-value=dark]`)
	p.there(`[data-method="ui/notifications/host-context-changed"]`)
	p.click(`[aria-label="Width of the view"] [data-value="320"]`)
	p.until(`document.querySelector(".app-frame").clientWidth === 320`)
	p.clickText(".app-bar button", "Full screen")
	p.there(".app-panel.full")
	p.clickText(".app-bar button", "Exit full screen")
	p.clickText(".app-log [role=tab]", "Change the result")
	p.click("[data-testid=app-resend]")
	p.click(`.app-log [data-tab=messages]`)
	p.until(`document.querySelectorAll("[data-from=host][data-method='ui/notifications/tool-result']").length === 2`)
	if n := take(p.tab, chromedp.Evaluate[int](`document.querySelectorAll("[data-method='ui/notifications/tool-input']").length`)); n != 1 {
		t.Errorf("tool-input was sent %d times, expected once", n)
	}
	take(p.tab, chromedp.Evaluate[bool](`window.ended = [], addEventListener("message", (e) => ended.push(JSON.stringify(e.data))), true`))
	p.clickText("[aria-label=Result] [role=tab]", "Raw")
	p.until(`ended.some((m) => m.includes('"result":{}') && m.includes("host-"))`)
	p.until(`!document.querySelector(".app-frame")`)
}
