package render

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/chromium"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// bridge is the script of a view that works; what follows it breaks it.
const bridge = `<!doctype html><meta charset="utf-8"><title>v</title><style>body{margin:0}p{margin:8px}</style><p id="p">loading</p><script>
let next = 1; const waiting = new Map(), on = {};
const post = (m) => parent.postMessage({jsonrpc: "2.0", ...m}, "*");
const request = (method, params = {}) => new Promise((done) => { waiting.set(next, done); post({id: next++, method, params}); });
const notify = (name, params = {}) => post({method: "ui/notifications/" + name, params});
on["ui/notifications/tool-result"] = (m) => { p.textContent = m.params.content[0].text; notify("size-changed", {height: 100}); };
on["ui/resource-teardown"] = (m) => post({id: m.id, result: {}});
addEventListener("message", ({data: m}) => { if (m.method) on[m.method]?.(m); else waiting.get(m.id)?.(m); });
const start = async () => { await request("ui/initialize", {protocolVersion: "2026-01-26", appInfo: {name: "v", version: "1"}, appCapabilities: {}}); notify("initialized"); };
</script>`

// check renders a view and returns its findings as "rule message".
func check(t *testing.T, html string, start, end time.Duration) ([]string, []Picture, []string) {
	t.Helper()
	return checkResource(t, &appview.Resource{URI: "ui://v", HTML: []byte(bridge + html)}, start, end)
}

func checkResource(t *testing.T, resource *appview.Resource, start, end time.Duration) ([]string, []Picture, []string) {
	t.Helper()
	var mu sync.Mutex
	var sent []string
	found, pictures := runWith(t, resource, start, end, func(method string, params json.RawMessage) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, method+" "+string(params))
	})
	return found, pictures, sent
}

// runWith renders a view; onRequest is called for each request to the server, before the response.
func runWith(t *testing.T, resource *appview.Resource, start, end time.Duration,
	onRequest func(method string, params json.RawMessage)) ([]string, []Picture) {
	t.Helper()
	browser, err := chromium.Find()
	if err != nil {
		if os.Getenv("MCPTEST_REQUIRE_BROWSER") != "" {
			t.Fatal(err)
		}
		t.Skip("left out: needs chromium")
	}
	out, err := Run(t.Context(), Options{Browser: browser, Start: start, End: end,
		Tool:      json.RawMessage(`{"name":"show","inputSchema":{"type":"object"}}`),
		Tools:     []json.RawMessage{json.RawMessage(`{"name":"secret","_meta":{"ui":{"visibility":["model"]}}}`), json.RawMessage(`{"name":"helper"}`)},
		Resource:  resource,
		Arguments: json.RawMessage(`{"a":1}`), Result: json.RawMessage(`{"content":[{"type":"text","text":"the result"}]}`),
		Request: func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, json.RawMessage) {
			onRequest(method, params)
			return json.RawMessage(`{}`), nil
		}}, "test", func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, f := range out.Report.Findings() {
		found = append(found, fmt.Sprint(f.Severity, " ", f.Rule, " ", f.Message))
	}
	return found, out.Pictures
}

func TestGoodView(t *testing.T) {
	t.Parallel()
	found, pictures, sent := check(t, `<script>start().then(() => request("tools/call", {name: "helper"}))</script>`, patience, patience)
	if len(found) > 0 {
		t.Errorf("findings %q, expected none", found)
	}
	var names []string
	for _, p := range pictures {
		names = append(names, p.Name)
	}
	if fmt.Sprint(names) != "[light dark 320px]" {
		t.Errorf("pictures %q", names)
	}
	if len(sent) != 5 || !strings.Contains(sent[0], "helper") {
		t.Errorf("requests to the server %q, expected one call of helper in each scene", sent)
	}
}

// The picture shows a view that has finished: it waits for the server, and then draws in steps.
func TestPictureOfSlowView(t *testing.T) {
	t.Parallel()
	slow := sync.OnceFunc(func() { time.Sleep(1500 * time.Millisecond) })
	found, pictures := runWith(t, &appview.Resource{URI: "ui://v", HTML: []byte(bridge + `<script>
		const show = on["ui/notifications/tool-result"];
		on["ui/notifications/tool-result"] = async (m) => {
			show(m);
			await request("tools/call", {name: "helper"});
			let n = 0;
			const step = () => { document.body.style.background = n++ < 12 ? "#00" + (n + 10) + "00" : "#ff0000"; if (n <= 12) setTimeout(step, 50); };
			step();
		};
		start();</script>`)}, patience, patience, func(string, json.RawMessage) { slow() })
	if len(found) > 0 {
		t.Errorf("findings %q, expected none", found)
	}
	for _, p := range pictures {
		img, err := png.Decode(bytes.NewReader(p.PNG))
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b, _ := img.At(img.Bounds().Dx()-1, 50).RGBA(); r != 0xffff || g != 0 || b != 0 {
			t.Errorf("%s: the last color is %x %x %x, expected that of the finished view", p.Name, r>>8, g>>8, b>>8)
		}
	}
}

// A view learns from the code that a tool is unknown, and may send requests before it has sent initialized.
func TestRequestsOfView(t *testing.T) {
	t.Parallel()
	found, _, _ := check(t, `<script>(async () => {
		const hello = request("ui/initialize", {protocolVersion: "2026-01-26", appInfo: {name: "v", version: "1"}, appCapabilities: {}});
		const early = request("ui/update-model-context", {});
		await hello; await early;
		notify("initialized");
		console.error((await request("tools/call", {name: "missing"})).error.code, (await request("tools/call", {name: "secret"})).error.code);
	})()</script>`, patience, patience)
	want := []string{"warning APP-021 console.error: -32602 -32000",
		`warning APP-024 call of "missing": not a tool of this server with the visibility app`,
		`warning APP-024 call of "secret": not a tool of this server with the visibility app`}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings (-expected +got):\n%s", diff)
	}
}

// The policy of the reference host allows eval and workers of the view, and no other origin.
func TestReferencePolicy(t *testing.T) {
	t.Parallel()
	view := &appview.Resource{URI: "ui://v", CSP: appview.CSP{Reference: true}, HTML: []byte(bridge + `<script>
		new Function('')(); new Function('start')(start);
		new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))).onmessage = () => {
			const img = new Image(); img.src = "https://tiles.example/a.png"; start(); };</script>`)}
	found, _, _ := checkResource(t, view, patience, patience)
	want := []string{`warning APP-021 img-src blocked https://tiles.example/a.png: add "https://tiles.example" to _meta.ui.csp.resourceDomains`}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("findings (-expected +got):\n%s", diff)
	}
}

// Each fault is found, and nothing else.
func TestFaultyViews(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		html string
		want []string
	}{
		"request first": {`<script>request("tools/list"); start();</script>`, []string{"error APP-018 tools/list before ui/initialize"}},
		"no start":      {`<script></script>`, []string{"error APP-018 ui/initialize: expected within 1s, got none"}},
		"many": {`<img src="https://tiles.example/a.png" hidden><script>
			on["ui/resource-teardown"] = () => {};
			const show = on["ui/notifications/tool-result"];
			on["ui/notifications/tool-result"] = (m) => { if (m.params.isError) throw new Error("no rows"); p.hidden = true; };
			start().then(() => { start(); request("sampling/createMessage"); request("ui/request-display-mode", {mode: "pip"});
				request("tools/call", {name: "secret"}); console.error("oh no"); });</script>`,
			[]string{"error APP-018 ui/initialize was sent more than once: the view may be mounted twice",
				"warning APP-019 the view is blank after the result: its picture has one color",
				"warning APP-019 ui/notifications/size-changed: expected after the result, got none",
				`warning APP-021 img-src blocked https://tiles.example/a.png: add "https://tiles.example" to _meta.ui.csp.resourceDomains`,
				"warning APP-021 console.error: oh no",
				"error APP-022 sampling/createMessage: not in hostCapabilities",
				`error APP-022 ui/request-display-mode: "pip" is not in availableDisplayModes`,
				"warning APP-023 ui/resource-teardown: expected a response, got none",
				"warning APP-023 empty arguments and a result with isError: Uncaught Error: no rows",
				`warning APP-024 call of "secret": not a tool of this server with the visibility app`}},
		"eval and a script of others": {"<script src='https://cdn.example/a.js'></script><script>try { new Function('') } catch {}\ntry { new Function('') } catch {}\nstart();</script>",
			[]string{"warning APP-021 script-src blocked eval: no entry of _meta.ui.csp can allow it",
				`warning APP-021 script-src-elem blocked https://cdn.example/a.js: add "https://cdn.example" to _meta.ui.csp.resourceDomains`}},
		"height": {`<script>start(); addEventListener("resize", () => notify("size-changed", {height: innerHeight + 20}));
			</script>`, []string{"warning APP-020 the height changed more than 10 times after one result"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, end := patience, patience // where nothing comes, it is not worth waiting for
			if name == "no start" {
				start = time.Second
			}
			if name == "many" {
				end = 100 * time.Millisecond
			}
			got, _, _ := check(t, c.html, start, end)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-expected +got):\n%s", diff)
			}
		})
	}
}
