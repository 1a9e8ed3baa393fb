package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// An attacker is the server that hostile views try to reach.
type attacker struct {
	url, stun string
	mu        sync.Mutex
	reached   map[string]bool
}

// stranger is the document that replaces the view, if it can navigate. It sends messages as the view.
const stranger = `<!doctype html><script>parent.postMessage({jsonrpc: "2.0", id: "stranger", method: "ui/message",
params: {content: [{text: "attack stranger true"}]}}, "*")</script>`

func startAttacker(t *testing.T) *attacker {
	t.Helper()
	a := &attacker{reached: map[string]bool{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.hit(strings.Trim(r.URL.Path, "/"))
		if r.URL.Path == "/navigate" {
			_, _ = io.WriteString(w, stranger)
		}
	}))
	t.Cleanup(server.Close)
	a.url = server.URL
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	a.stun = udp.LocalAddr().String()
	go func() {
		if _, _, err := udp.ReadFrom(make([]byte, 1500)); err == nil {
			a.hit("webrtc")
		}
	}()
	return a
}

func (a *attacker) hit(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reached[name] = true
}

// view is the hostile view, for this attacker, with all attacks or the given ones.
func (a *attacker) view(t *testing.T, only ...string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/hostile.html")
	if err != nil {
		t.Fatal(err)
	}
	names := `"ONLY"`
	if len(only) > 0 {
		raw, _ := json.Marshal(only)
		names = string(raw)
	}
	return strings.NewReplacer(`"EVIL"`, quote(a.url), `"STUN"`, quote(a.stun), `"ONLY"`, names).Replace(string(text))
}

// everyAttack lists the attacks, and the host that each is about.
var everyAttack = []string{"page", "frame", "token", "api", "cookie", "storage", "serviceworker", "camera", "fetch", "xhr",
	"websocket", "beacon", "image", "script", "media", "style", "prefetch", "preload", "iframe", "object", "form", "popup",
	"anchor", "top", "download", "webrtc", "worker", "evaluated", "forged", "sandbox", "tools", "unknown", "methods", "links", "resize", "flood",
	"navigate", "stranger"}

// successful returns the attacks that got through: by what the view says, by what reached the attacker, and by the state of
// the page, which look returns.
func (a *attacker) successful(reports, look []string) []string {
	var all []string
	for _, r := range reports {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(r, "attack "), " true"); ok {
			all = append(all, name)
		}
	}
	a.mu.Lock()
	for name := range a.reached {
		all = append(all, name)
	}
	a.mu.Unlock()
	all = append(all, look...)
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return !slices.Contains(everyAttack, name) })
}

// downloads lets the browser store downloads in a folder.
func (p *tab) downloads() (folder string) {
	p.t.Helper()
	folder = p.t.TempDir()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
			BrowserContextID: chromedp.FromContext(ctx).BrowserContextID})
		return err
	}))
	return folder
}

// look returns the attacks of which the page itself has traces.
func (p *tab) traces(folder, frame string) []string {
	p.t.Helper()
	var found []string
	for name, expression := range map[string]string{
		"cookie": `document.cookie.includes("attack")`, "storage": `localStorage.getItem("attack") !== null`,
		"top": `location.hash === "#attacked"`, "resize": `document.querySelector(` + quote(frame) + `).clientHeight > 4000`,
	} {
		if take(p, chromedp.Evaluate[bool](expression)) {
			found = append(found, name)
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
		found = append(found, "download")
	}
	return found
}

// A hostile view gets nothing through, with neither policy.
func TestHostileView(t *testing.T) {
	a := startAttacker(t)
	server := &appServer{html: a.view(t)}
	p := openTools(t, server.start(t))
	p.tab.expected = "." // each prevented attack is an error in the console
	folder := p.downloads()
	take(p.tab, chromedp.Evaluate[bool](`window.heard = [], addEventListener("message", (e) => heard.push(e.data)), true`))
	p.call("show")
	p.clickText("[aria-label=Result] [role=tab]", "View")
	for _, policy := range []string{"specification", "reference"} {
		if policy == "reference" {
			p.click(".app-log [data-tab=policy]")
			take(p.tab, chromedp.Evaluate[bool](`heard.length = 0, true`))
			p.click(`[aria-label="Policy of the view"] [data-value=reference]`)
		}
		// the view is loaded, and then replaced by the page for the navigation that was prevented
		p.until(`heard.filter((m) => m.method === "ui/notifications/sandbox-view-loaded").length === 2`)
		p.says(".app-panel", "of the view dropped")
		if got := a.successful(p.attacked(server, folder)); len(got) > 0 {
			t.Errorf("attacks that got through with the policy of the %s: %v", policy, got)
		}
		if got := p.text("[data-testid=app-size]"); got != "4000 px" {
			t.Errorf("the height is %q, expected that it stays within 4000 px", got)
		}
	}
}

// saidByView are the messages of the view for the user.
const saidByView = `heard.filter((m) => m.method === "ui/message").map((m) => m.params.content[0].text)`

// attacked returns what the view reports about its attacks, and those of which the page and the server have traces.
func (p *toolPage) attacked(server *appServer, folder string) (reports, look []string) {
	p.t.Helper()
	reports = take(p.tab, chromedp.Evaluate[[]string](saidByView))
	if made := len(reports) - 1; made < len(everyAttack)-3 { // besides the end, it does not report the flood and what replaces it
		p.t.Fatalf("the view made %d attacks, expected %d: %q", made, len(everyAttack)-3, reports)
	}
	look = p.traces(folder, ".app-frame")
	if n := take(p.tab, chromedp.Evaluate[int](`heard.filter((m) => m.method === "ui/notifications/flood").length`)); n > 1000 {
		look = append(look, "flood")
	}
	if take(p.tab, chromedp.Evaluate[bool](`heard.some((m) => m.params?.count === 4711)`)) {
		look = append(look, "sandbox")
	}
	for len(server.calls) > 0 {
		switch <-server.calls {
		case "helper":
			look = append(look, "forged")
		case "show":
		default:
			look = append(look, "tools")
		}
	}
	return reports, look
}

// careless is a host without any defence, for one frame. Its only purpose is to show that the attacks are real.
const careless = `<!doctype html><title>Careless</title><body><script>
sessionStorage.setItem("mcptest-token", "x");
window.heard = [];
addEventListener("message", (e) => {
  const m = e.data;
  heard.push(m);
  if (m.method?.endsWith("proxy-ready")) e.source.postMessage({jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready"}, "*");
  if (m.method?.endsWith("size-changed")) document.querySelector("iframe").style.height = m.params.height + "px";
  if (m.id !== undefined) e.source.postMessage({jsonrpc: "2.0", id: m.id, result: {}}, "*");
});
</script><iframe src="%s" allow="camera *" width="300" height="100"></iframe>`

// Without the defences, the same attacks succeed: each of them can fail the test above.
func TestHostileViewWithoutDefence(t *testing.T) {
	a := startAttacker(t)
	view := a.view(t)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/view":
			_, _ = fmt.Fprint(w, view)
		case "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
		default:
			_, _ = fmt.Fprintf(w, careless, "/view")
		}
	}))
	t.Cleanup(host.Close)
	p := open(t, "about:blank")
	p.expected = "."
	folder := p.downloads()
	p.do(chromedp.Navigate(host.URL))
	p.until(`heard.filter((m) => m.method === "ui/notifications/flood").length === 5000`)
	deadline := time.Now().Add(patience)
	p.until(`heard.some((m) => m.id === "stranger")`)
	reports := take(p, chromedp.Evaluate[[]string](saidByView))
	for files := 0; files == 0 && time.Now().Before(deadline); { // a file is written some time after the click
		entries, _ := os.ReadDir(folder)
		files = len(entries)
	}
	got := a.successful(reports, p.heardAttacks(folder))
	for _, name := range everyAttack {
		if !slices.Contains(got, name) {
			t.Errorf("%s does not succeed without defence: the attack proves nothing", name)
		}
	}
}

// heardAttacks returns the attacks of which the careless host has traces.
func (p *tab) heardAttacks(folder string) []string {
	p.t.Helper()
	found := p.traces(folder, "iframe")
	for name, expression := range map[string]string{"forged": `heard.some((m) => m.id === "forged")`,
		"sandbox": `heard.some((m) => m.params?.count === 4711)`,
		"flood":   `heard.filter((m) => m.method === "ui/notifications/flood").length > 1000`} {
		if take(p, chromedp.Evaluate[bool](expression)) {
			found = append(found, name)
		}
	}
	return found
}
