package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// The nine official examples show their content in the page. What the specification does not allow them is blocked and
// named, and works with the policy of the reference host.
func TestOfficialApps(t *testing.T) {
	in := npm.Require(t)
	network := in.Network(t)
	useBrowser(t, network.Flags())
	for _, e := range npm.Examples {
		if e.Slow && os.Getenv("MCPTEST_FULL") == "" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			argv, given := in.Command(t, e, network)
			p := openTools(t, append([]string{"--"}, argv...)...)
			p.tab.expected = ".localhost:" // what the policy of a view blocks
			arguments := map[string]string{}
			if given != "" && json.Unmarshal([]byte(given), &arguments) != nil {
				t.Fatalf("arguments %s", given)
			}
			p.openViewWith(e.Tool, arguments)
			if e.Blocked != "" {
				p.blocks(e)
				p.click(".app-log [data-tab=policy]")
				p.click(`[aria-label="Policy of the view"] [data-value=reference]`)
				p.says(".app-panel .notice", "the policy of the reference host")
			}
			p.shown()
			p.order("view ui/initialize", "host ui/initialize", "view ui/notifications/initialized",
				"host ui/notifications/tool-input", "host ui/notifications/tool-result")
			p.until(`/^[1-9]/.test(document.querySelector("[data-testid=app-size]").textContent)`)
			p.draws(e)
			p.save("app-" + e.Name)
		})
	}
}

// useBrowser starts another browser for the rest of the test.
func useBrowser(t *testing.T, flags map[string]any) {
	t.Helper()
	flags["enable-unsafe-swiftshader"] = true // draws without a graphics card
	before := chromium
	other, stop, err := startBrowser(findBrowser(), filepath.Join(t.TempDir(), "profile"), flags)
	if err != nil {
		t.Fatal(err)
	}
	chromium = other
	t.Cleanup(func() { stop(); chromium = before })
}

// blocks waits until the page names what the view lacks.
func (p *toolPage) blocks(e npm.Example) {
	p.t.Helper()
	p.until(`[...document.querySelectorAll(".app-log [role=tab]")].some((e) => /^Blocked loads [1-9]/.test(e.textContent))`)
	p.click(".app-log [data-tab=blocked]")
	usual := 0
	if e.Blocked == "eval" {
		usual = 1 // zod, a part of the SDK, tries it once and goes on without
	}
	p.until(fmt.Sprintf(`[...document.querySelectorAll("[data-testid=app-blocked] li")].filter((e) => e.querySelector("code").textContent `+
		`=== %s && e.textContent.includes("No entry of _meta.ui.csp can allow it")).reduce((n, e) => n + `+
		`(Number(/(\d+) times/.exec(e.textContent)?.[1]) || 1), 0) > %d`, quote(e.Blocked), usual))
	if e.Refused != "" {
		p.textOf(regexp.QuoteMeta(e.Refused))
	}
	if n := e.Pixels(p.t, take(p.tab, chromedp.Screenshot(chromedp.CSS(".app-frame")))); n > 0 {
		p.t.Errorf("%d pixels have the color of the content, although %s is blocked", n, e.Blocked)
	}
}

// draws waits until the view has the text and the color of its content.
func (p *toolPage) draws(e npm.Example) {
	p.t.Helper()
	if e.Text != "" {
		p.textOf(e.Text)
	}
	seen := 0
	for end := time.Now().Add(patience); seen < npm.Enough; {
		if time.Now().After(end) {
			p.save("app-failed-" + e.Name)
			p.t.Fatalf("%d pixels have the color of the content, want at least %d", seen, npm.Enough)
		}
		seen = e.Pixels(p.t, take(p.tab, chromedp.Screenshot(chromedp.CSS(".app-frame"))))
	}
}

// textOf waits until the text of the view matches a pattern.
func (p *toolPage) textOf(pattern string) {
	p.t.Helper()
	want := regexp.MustCompile(pattern)
	text := ""
	for end := time.Now().Add(patience); !want.MatchString(text); {
		if time.Now().After(end) {
			p.t.Fatalf("the text of the view is %.500q, want %s", text, pattern)
		}
		text = p.viewText()
	}
}

// viewText reads the text of the view, which runs in a process of its own.
func (p *toolPage) viewText() string {
	p.t.Helper()
	id := take(p.tab, chromedp.Evaluate[string](`new URL(document.querySelector(".app-frame").src).pathname.slice(1)`))
	targets, err := chromedp.Targets(p.tab.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, one := range targets {
		if one.Type == "iframe" && strings.HasPrefix(one.URL, "http://"+id+".localhost:") {
			ctx, cancel := chromedp.NewContext(p.tab.ctx, chromedp.WithTargetID(one.TargetID), chromedp.WithDetachOnCancel())
			defer cancel()
			text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body?.innerText ?? ""`))
			if err != nil && !leaving(err) {
				p.t.Fatal(err)
			}
			return text
		}
	}
	return ""
}

// save stores a picture of the page, if they are wanted.
func (p *toolPage) save(name string) {
	p.t.Helper()
	if *look == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*look, name+".png"), take(p.tab, chromedp.CaptureScreenshot()), 0o644); err != nil {
		p.t.Fatal(err)
	}
}
