package browser

import (
	"bufio"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A session of other programs is in the Wire view while it goes on; its requests can be copied as commands.
func TestRecordingOnThePage(t *testing.T) {
	home := t.TempDir()
	cmd := exec.Command(program, "tap", "--", program, "demo")
	cmd.Dir, cmd.Env = home, homeEnv(home)
	to, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { to.Close(); _ = cmd.Wait() })
	answers, id := bufio.NewReader(from), 0
	request := func(method, params string) {
		t.Helper()
		id++
		fmt.Fprintf(to, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		if _, err := answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}`)
	in, _ := pageOf(t, home, "tap", "view", "--page")
	p := &viewPage{tab: open(t, in.address), inspector: in}
	p.there(`main[aria-label=Wire]`)
	const rows = `[...document.querySelectorAll("#frames [role=option]")]`
	p.until(rows + `.length === 2`)
	request("tools/call", `{"name":"echo","arguments":{"message":"<b>live</b>"}}`)
	request("tools/call", `{"name":"nosuch","arguments":{}}`)
	request("tools/call", `{"name":"echo","arguments":{"wrong":1}}`)
	p.until(rows + `.length === 8`)

	p.press("Fold")
	p.until(rows + `.length === 4 && ` + rows + `[3].textContent.includes("tool error")`)
	p.press("Fold")
	choose := func(kind string) {
		take(p.tab, chromedp.Evaluate[bool](`(() => { const kind = document.querySelector("[aria-label=Kind]"); `+
			`kind.value = "`+kind+`"; return kind.dispatchEvent(new Event("change", {bubbles: true})); })()`))
	}
	choose("problem")
	p.until(rows + `.length === 4`)
	choose("")
	p.fill(`[aria-label="ID"]`, "2")
	p.until(rows + `.length === 2`)
	p.click(`#frames .vrow:last-child [role=option]`)
	p.says(".frame-facts", "Verdict")
	p.link = in.link(t)
	got := string(in.get(t, "/links/"+p.link+"/frames/4/copy?as=mcptest"))
	if !strings.Contains(got, `mcptest tools call echo --no-validate --args '{\"message\":\"`) {
		t.Errorf("the call is copied as %s", got)
	}
	p.click(`[aria-label=Frame] [title="Copy as"]`)
	p.clickText(`[role=menuitem]`, "suite test")
	p.says(".toasts", "Copied")
}
