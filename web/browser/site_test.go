package browser

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The documentation as static HTML works from a server and from a disk: a search finds a rule by its ID and a page by
// words of its text, its result leads there, and the navigation shows where that is.
func TestSite(t *testing.T) {
	axe := checker(t)
	out := filepath.Join(t.TempDir(), "site")
	cmd := exec.Command("go", "run", "../../tools/site", "-docs", "../../docs", "-o", out)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the site: %v\n%s", err, output)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(out)))
	t.Cleanup(server.Close)
	published := open(t, server.URL)
	published.there("nav details")
	published.accessible(axe, "home")
	published.fill("#query", "baseline accept")
	published.until(`[...document.querySelectorAll("#results a")].some((a) => a.href.includes("howto/ci.html#"))`)
	published.accessible(axe, "results")
	published.do(chromedp.Navigate(server.URL + "/howto/ci.html"))
	published.until(`document.querySelector("h1")?.textContent === "Test a server in CI"`)
	published.accessible(axe, "a page")
	published.do(chromedp.Navigate(server.URL + "/rules/STDIO-001.html"))
	published.until(`document.querySelector("h1")?.textContent.startsWith("STDIO-001")`)

	home := url.URL{Scheme: "file", Path: filepath.ToSlash(out) + "/index.html"}
	p := open(t, home.String())
	p.fill("#query", "STDIO-001")
	p.until(`document.querySelector("#results a")?.textContent.startsWith("STDIO-001")`)
	p.fill("#query", "xyzzy")
	p.until(`document.querySelector("#results .empty")`)
	p.fill("#query", "test a server in CI")
	p.until(`document.querySelector("#results a")?.href.endsWith("howto/ci.html")`)
	p.clickOn(`document.querySelector("#results a")`)
	p.until(`document.querySelector("h1")?.textContent === "Test a server in CI"`)
	p.until(`document.querySelector("nav details[open] a[aria-current]")?.textContent === "Test a server in CI"`)
}
