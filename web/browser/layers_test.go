package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mcptest-dev/mcptest/internal/appview"
)

// A layer is one defence against a view, and the attacks that it prevents without the others.
type layer struct {
	name  string
	keeps func(*answer) // undoes what off has done to this layer; nil if it cannot be turned off
	stops []string
}

// An answer is a response of the sandbox on its way to the browser. What is in it is turned off; keeps sets it again.
type answer struct {
	kind   string // view or frame
	header http.Header
	body   string
	real   http.Header
}

// restore sets a header to its real value.
func (a *answer) restore(kind, name string) {
	if a.kind == kind {
		a.header.Set(name, a.real.Get(name))
	}
}

// policy keeps the part of the policy of the view that the filter selects.
func policy(selected func(directive string) bool) func(*answer) {
	return func(a *answer) {
		if a.kind == "view" {
			all := strings.Split(a.real.Get("Content-Security-Policy"), "; ")
			a.header.Set("Content-Security-Policy", strings.Join(slices.DeleteFunc(all, func(d string) bool { return !selected(d) }), "; "))
		}
	}
}

// attribute sets an attribute for the frame of the view to its real value.
func attribute(off, real string) func(*answer) {
	return func(a *answer) {
		if a.kind == "frame" {
			a.body = strings.Replace(a.body, `"`+off+`"`, `"`+real+`"`, 1)
		}
	}
}

const everythingAllowed = appview.Sandboxed + " allow-popups allow-downloads allow-modals allow-top-navigation"

// off turns off all layers that an answer contains.
func off(a *answer) {
	for _, name := range []string{"Content-Security-Policy", "Connection-Allowlist", "Permissions-Policy"} {
		a.header.Del(name)
	}
	if a.kind == "frame" {
		a.body = strings.NewReplacer(`data-sandbox="`+appview.Sandboxed, `data-sandbox="`+everythingAllowed,
			`data-allow=""`, `data-allow="camera *"`).Replace(a.body)
	}
}

// loads are the attacks that load something from the attacker.
var loads = []string{"api", "fetch", "xhr", "websocket", "beacon", "image", "script", "media", "style", "prefetch", "preload", "iframe",
	"object", "form", "worker", "evaluated"}

var layers = []layer{
	{"policy of the view", policy(func(d string) bool { return !strings.HasPrefix(d, "sandbox ") }), loads},
	{"forms in the policy", policy(func(d string) bool { return strings.HasPrefix(d, "form-action ") }), []string{"form"}},
	{"objects in the policy", policy(func(d string) bool { return strings.HasPrefix(d, "object-src ") }), []string{"object"}},
	{"sandbox in the policy", policy(func(d string) bool { return strings.HasPrefix(d, "sandbox ") }),
		[]string{"popup", "anchor", "download"}},
	{"sandbox of the frame", attribute(everythingAllowed, appview.Sandboxed), []string{"popup", "anchor", "download"}},
	{"list of connections", func(a *answer) { a.restore("view", "Connection-Allowlist") }, append([]string{"webrtc"}, loads...)},
	{"policy of permissions", func(a *answer) { a.restore("view", "Permissions-Policy") }, []string{"camera"}},
	{"permissions of the frame", attribute("camera *", ""), []string{"camera"}},
	{"policy of the frame", func(a *answer) { a.restore("frame", "Content-Security-Policy") }, []string{"navigate"}},
	{"origin and messages", nil, []string{"page", "frame", "token", "cookie", "storage", "serviceworker", "sandbox", "flood",
		"stranger"}},
}

// Each defence prevents its attacks without the others. With none of those that can be turned off, all attacks succeed.
func TestEachLayer(t *testing.T) {
	var open []string
	for _, l := range layers {
		if l.keeps != nil {
			open = append(open, l.stops...)
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				if got := through(t, l.keeps, l.stops, nil); len(got) > 0 {
					t.Errorf("attacks that got through: %v", got)
				}
			})
		}
	}
	slices.Sort(open)
	open = slices.Compact(open)
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		always := layers[len(layers)-1].stops
		if got := through(t, func(*answer) {}, append(always, open...), open); !slices.Equal(got, open) {
			t.Errorf("attacks that got through: %v\nexpected %v", got, open)
		}
	})
}

// through makes attacks with one layer, and returns those that got through. It waits for those that are expected.
func through(t *testing.T, keeps func(*answer), attacks, expected []string) (got []string) {
	t.Helper()
	a := startAttacker(t)
	frame := ""
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, careless, frame)
	}))
	t.Cleanup(host.Close)
	sandbox, err := appview.NewSandbox()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sandbox.Close)
	view, err := sandbox.Open(&appview.Resource{HTML: []byte(a.view(t, attacks...))}, host.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	frame = weaken(t, sandbox.Origin(), keeps) + "/" + view.ID
	p := open(t, "about:blank")
	p.expected = "." // each prevented attack is an error in the console
	folder := p.downloads()
	p.do(chromedp.Navigate(host.URL))
	p.until(`heard.some((m) => m.params?.content?.[0].text === "attack end false")`)
	if slices.Contains(attacks, "navigate") { // the page of the attacker, or the one for a navigation that was prevented
		p.until(`heard.filter((m) => m.method === "ui/notifications/sandbox-view-loaded").length === 2`)
	}
	look := func() []string {
		return a.successful(take(p, chromedp.Evaluate[[]string](saidByView)), p.heardAttacks(folder))
	}
	for end := time.Now().Add(patience); len(expected) > 0 && !slices.Equal(got, expected) && time.Now().Before(end); {
		got = look()
	}
	time.Sleep(500 * time.Millisecond) // what gets through may arrive late
	return look()
}

// weaken serves the sandbox at another address with one layer alone, and returns its origin.
func weaken(t *testing.T, origin string, keeps func(*answer)) string {
	t.Helper()
	_, port, _ := strings.Cut(strings.TrimPrefix(origin, "http://"), ":")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, ours, _ := strings.Cut(r.Host, ":")
		req, err := http.NewRequestWithContext(r.Context(), r.Method, origin+r.URL.Path, r.Body)
		if err != nil {
			return
		}
		req.Host = strings.Replace(r.Host, ":"+ours, ":"+port, 1)
		req.Header.Set("Sec-Fetch-Dest", r.Header.Get("Sec-Fetch-Dest"))
		got, err := http.DefaultClient.Do(req)
		if err != nil {
			return
		}
		defer func() { _ = got.Body.Close() }()
		body, _ := io.ReadAll(got.Body)
		a := &answer{header: w.Header(), body: string(body), real: got.Header}
		if strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
			a.kind = map[bool]string{true: "view", false: "frame"}[strings.Contains(r.Host, ".localhost")]
		}
		for name := range got.Header {
			a.real.Set(name, strings.ReplaceAll(got.Header.Get(name), ":"+port, ":"+ours))
			if name != "Content-Length" {
				a.header.Set(name, a.real.Get(name))
			}
		}
		off(a)
		keeps(a)
		w.WriteHeader(got.StatusCode)
		_, _ = io.WriteString(w, strings.ReplaceAll(a.body, ":"+port, ":"+ours))
	}))
	t.Cleanup(server.Close)
	return server.URL
}
