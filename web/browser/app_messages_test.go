package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mcptest-dev/mcptest/internal/appview"
)

// The page takes messages of the frame of the view only: both its window and its origin count. The frame itself allows no
// more than the document in it gives to the view.
func TestAppFrame(t *testing.T) {
	server := &appServer{html: bridge + `<script>function onHost() {} start().then(() => notify("size-changed", {height: 100}));</script>`}
	p := openTools(t, server.start(t))
	p.showView("show")
	got := take(p.tab, chromedp.Evaluate[[]string](`["sandbox", "allow", "referrerpolicy"].map((name) => document.querySelector(".app-frame").getAttribute(name))`))
	if want := []string{appview.Sandboxed, "", "no-referrer"}; !slices.Equal(got, want) {
		t.Errorf("attributes of the frame: %q, expected %q", got, want)
	}
	take(p.tab, chromedp.Evaluate[bool](`(() => {
		const frame = document.querySelector(".app-frame"), origin = new URL(frame.src).origin;
		const send = (name, source, origin) => dispatchEvent(new MessageEvent("message", {source, origin, data: {jsonrpc: "2.0", method: "notifications/" + name}}));
		send("other-window", window, origin);
		send("no-window", null, origin);
		send("other-origin", frame.contentWindow, "http://evil.example");
		return send("frame", frame.contentWindow, origin);
	})()`))
	p.there(`[data-testid=app-messages] [data-method="notifications/frame"]`)
	for _, name := range []string{"other-window", "no-window", "other-origin"} {
		if take(p.tab, chromedp.Evaluate[bool](fmt.Sprintf(`!!document.querySelector('[data-method="notifications/%s"]')`, name))) {
			t.Errorf("a message of %s was taken", name)
		}
	}
}

// family is a page with the frame of a view, a second copy of the view, and a third frame of its own origin. Both of them
// send messages into the first one.
const family = `<!doctype html><title>Family</title><body><script>
window.heard = [];
addEventListener("message", (e) => {
  heard.push(e.data);
  if (e.source === frames[0] && e.data.method?.endsWith("proxy-ready")) frames[0].postMessage({jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready"}, "*");
});
const add = (src) => { const f = document.createElement("iframe"); f.src = src; document.body.append(f); };
addEventListener("load", () => add(%[1]q));
</script>`

// The document around a view passes messages on between the page and the view, and those of nobody else.
func TestFramePassesOnlyItsOwn(t *testing.T) {
	var frame string
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sibling" {
			_, _ = fmt.Fprint(w, `<!doctype html><script>parent.frames[0].postMessage({method: "sibling"}, "*"); parent.postMessage("sibling done", "*")</script>`)
			return
		}
		_, _ = fmt.Fprintf(w, family, frame)
	}))
	t.Cleanup(host.Close)
	sandbox, err := appview.NewSandbox()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sandbox.Close)
	// In the frame, the view repeats what it hears. Outside of it, it sends a message into the frame.
	view, err := sandbox.Open(&appview.Resource{HTML: []byte(`<!doctype html><script>
		if (parent === top) { parent.frames[0].postMessage({method: "twin"}, "*"); parent.postMessage("twin done", "*"); }
		else { addEventListener("message", (e) => parent.postMessage({method: "heard " + e.data.method}, "*")); parent.postMessage({method: "ready"}, "*"); }
		</script>`)}, host.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	frame = view.FrameURL
	p := open(t, "about:blank")
	p.do(chromedp.Navigate(host.URL))
	methods := `heard.map((m) => m.method ?? m)`
	p.until(methods + `.includes("ready")`)
	take(p, chromedp.Evaluate[bool](fmt.Sprintf(`add("/sibling"), add(%q), true`, view.Origin+"/")))
	p.until(`["sibling done", "twin done"].every((m) => heard.includes(m))`)
	take(p, chromedp.Evaluate[bool](`frames[0].postMessage({method: "host"}, "*"), true`))
	p.until(methods + `.includes("heard host")`) // after all others
	got := take(p, chromedp.Evaluate[[]string](methods+`.filter((m) => !/sandbox|done/.test(m))`))
	if want := []string{"ready", "heard host"}; !slices.Equal(got, want) {
		t.Errorf("messages that the page heard: %q, expected %q", got, want)
	}
}
