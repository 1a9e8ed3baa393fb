package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The same call and the same tool of two servers are compared, as lines and side by side.
func TestCompareServers(t *testing.T) {
	servers := make([]string, 2)
	for i, list := range []string{approvedMail, changedMail} {
		var tools atomic.Pointer[string]
		tools.Store(&list)
		servers[i] = changingServer(t, &tools)
	}
	config := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(config, fmt.Appendf(nil, `{"mcpServers":{"other":{"url":%q}}}`, servers[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	p := openView(t, "Servers", "--config", config, servers[0])
	p.clickOn(`[...document.querySelectorAll("#servers [role=option]")].find((e) => e.querySelector("strong").textContent === "other")`)
	p.click(`[data-testid=connect]`)
	p.there(`.rail [aria-label=Connections] a:nth-child(2) .dot.open`)
	p.use(1)
	tools := p.tools()
	tools.choose("list_mail")
	tools.click(`[data-testid=run]`)
	p.there(`[aria-label=Result] [data-status=done]`)
	first, second := len(approvedMail), len(changedMail)
	compare := func(action string) {
		t.Helper()
		p.click(`[title="Compare with"]`)
		p.clickText(`[role=menuitem]`, action)
	}
	compare("Run the same call on mail 2")
	p.says(`[data-testid=diff] .minus`, fmt.Sprintf("%d bytes", first))
	p.says(`[data-testid=diff] .plus`, fmt.Sprintf("%d bytes", second))
	p.clickText(`[role=dialog] [role=radio]`, "Side by side")
	p.says(`[data-layout=side] .diff-pair .minus`, fmt.Sprintf("%d bytes", first))
	p.says(`[data-layout=side] .diff-pair .minus + .plus`, fmt.Sprintf("%d bytes", second))
	p.typed(kb.Escape)
	p.gone(`[role=dialog]`)
	compare("Definition on mail 2")
	p.says(`[data-layout=side] .plus`, "the newest first")
	p.accessible(checker(t), "a comparison, side by side")
}
