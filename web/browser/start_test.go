package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// What a person waits for before the page can be used is the work of the page's main thread, and one request after the
// other. Both are counted, and neither depends on what else the machine does: the work as processor time, of which a
// second would be too much, and the requests by number and size.
const (
	maxWork     = 500 * time.Millisecond
	maxRequests = 9
	maxWeight   = 80_000 // bytes on the wire, of page and API
)

// The page can be used soon after it is opened, at the list of servers and deep inside.
func TestSoonUsable(t *testing.T) {
	in := inspect(t, "demo-guide")
	link := in.opened(t)
	for _, start := range []struct{ name, address, usable string }{
		{"servers", in.base + "/#/servers?token=" + in.token,
			`document.querySelector("[data-testid=connection][data-state=open]")`},
		{"tools", in.base + "/#token=" + in.token, `document.querySelector("#tools [role=option]")`},
		{"a tool", in.base + "/#/tools/" + link + "/basic_string?token=" + in.token,
			`document.querySelector("[data-testid=run]:enabled") && document.querySelector("[data-path=v] textarea") ` +
				`&& !document.querySelector("[aria-busy=true]")`},
	} {
		p := open(t, "about:blank") // of nothing that was loaded before is anything left
		p.countWork()
		p.do(chromedp.Navigate(start.address))
		p.until(start.usable)
		spent := p.taskTime()
		requests := take(p, chromedp.Evaluate[int](`1 + performance.getEntriesByType("resource").length`))
		weight := take(p, chromedp.Evaluate[int](`performance.getEntries().reduce((all, e) => all + (e.transferSize ?? 0), 0)`))
		if weight > maxWeight {
			t.Errorf("%s: %d bytes until it can be used, want at most %d", start.name, weight, maxWeight)
		}
		waited := take(p, chromedp.Evaluate[float64](`performance.now()`))
		if spent > maxWork {
			t.Errorf("%s: %v of the page's time until it can be used, want at most %v", start.name, spent, maxWork)
		}
		if requests > maxRequests {
			t.Errorf("%s: %d requests until it can be used, want at most %d", start.name, requests, maxRequests)
		}
		t.Logf("%s: usable after %v of the page's time and %d requests of %d bytes (%.0f ms on the wall)", start.name,
			spent, requests, weight, waited)
	}
}
