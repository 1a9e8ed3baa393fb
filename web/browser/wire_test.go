package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A frame that is typed goes out byte for byte; its answer leads back to it, and both are found again.
func TestWire(t *testing.T) {
	p := openView(t, "Wire", "--protocol", "2025-11-25", "demo")
	p.there(`#frames [role=option]`)
	p.press("Send raw frame")
	const typed = `{"jsonrpc":"2.0","id":"by hand","method":"ping","params":{"_meta":{"n":1.0}}}`
	p.fill(`[aria-label="Frame to send"]`, typed)
	p.clickText(".send-box button", "Send Ctrl ↵")
	p.fill(`[aria-label="Search frames"]`, "by hand")
	p.until(`document.querySelectorAll("#frames [role=option]").length === 2`)
	p.click(`#frames .vrow:last-child [role=option]`)
	p.says(".frame-facts", "Response to")
	p.says(".frame-facts", "ping")
	p.says(".frame-facts", "Duration")
	p.clickOn(`[...document.querySelectorAll(".frame-facts a")].at(-1)`)
	p.says(".frame-facts", "Sent")
	p.clickText(".segments button", "Raw")
	p.says("[aria-label=Frame] .text-view", typed)
	seq := p.text(`#frames [aria-selected=true] .seq`)
	if got := string(p.inspector.get(t, "/links/"+p.link+"/frames/"+seq+"/raw")); got != typed {
		t.Errorf("frame %s is %s, want what was typed", seq, got)
	}
	p.clickText(".segments button", "Received")
	p.until(`document.querySelectorAll("#frames [role=option]").length === 1`)
	const room = `document.querySelector("[aria-label=Timeline]").clientWidth / document.querySelector("main").clientWidth`
	p.until(room + " < 0.7")
	p.click(`[aria-label="Close frame"]`) // without a frame, the timeline has all the room
	p.until(room + " > 0.95")
}

// The timeline stays at its end whatever is added while it scrolls there, until a person scrolls back.
func TestTimelineStaysAtItsEnd(t *testing.T) {
	p := openView(t, "Wire", "demo")
	p.there(`#frames [role=option]`)
	const follows = `[...document.querySelectorAll(".pane-foot button")].find((b) => b.textContent === ` +
		`"Follow").ariaPressed`
	got := take(p.tab, chromedp.Evaluate[string](`(async () => {
		const box = document.querySelector("#frames").closest(".scroll"), more = document.createElement("div");
		more.style.height = "3000px";
		box.append(more); // the end is far away when the page hears that it scrolled
		box.dispatchEvent(new Event("scroll"));
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		return `+follows+`;
	})()`, chromedp.EvalAwaitPromise))
	if got != "true" {
		t.Errorf("follow is %s once more was added, want true", got)
	}
	take(p.tab, chromedp.Evaluate[bool](`new Promise((done) => {
		const box = document.querySelector("#frames").closest(".scroll");
		box.addEventListener("scroll", () => (box.scrollTop = 100, done(true)), {once: true});
		box.scrollTop = 2000;
	})`, chromedp.EvalAwaitPromise))
	p.until(follows + ` === "false"`)
}

// What a process writes to its standard error stands between the frames, each line where it came, and can be filtered.
func TestStandardErrorInTheTimeline(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := openView(t, "Wire", "--", self, fixture)
	p.says(`#frames [data-key=e1]`, "fixture: ready")
	p.press("Send raw frame")
	p.fill(`[aria-label="Frame to send"]`, `{"jsonrpc":"2.0","id":"by hand","method":"tools/call",`+
		`"params":{"name":"markdown"}}`)
	p.clickText(".send-box button", "Send Ctrl ↵")
	const line = `[...document.querySelectorAll("#frames [role=option]")].find((o) => ` +
		`o.textContent.includes("fixture: called"))`
	p.until(line)
	p.until(`[...document.querySelectorAll("#frames [role=option]")].some((o) => o.textContent.includes("at markdown"))`)
	p.until(`[...document.querySelectorAll("#frames [role=option]")].some((o) => o.textContent.includes("✓ ` +
		`tools/call"))`)
	p.checkOrder()

	p.clickOn(line)
	p.says(`[aria-label=Frame] .text-view`, "fixture: called\n\tat markdown")
	p.there(`#frames [aria-selected=true][data-key^=e]`)
	p.do(chromedp.Reload())
	p.says(`[aria-label=Frame] .text-view`, "fixture: called")

	const rows = `[...document.querySelectorAll("#frames [role=option]")]`
	p.clickText(".segments button", "stderr")
	p.until(rows + `.length > 1 && ` + rows + `.every((o) => o.dataset.key.startsWith("e"))`)
	p.clickText(".segments button", "All")
	p.fill(`[aria-label="Search frames"]`, "AT MARK")
	p.until(rows + `.length === 1 && ` + rows + `[0].textContent.includes("at markdown")`)
	p.fill(`[aria-label="Search frames"]`, "")
	take(p.tab, chromedp.Evaluate[bool](`(() => { const kind = document.querySelector("[aria-label=Kind]"); `+
		`kind.value = "message"; return kind.dispatchEvent(new Event("change", {bubbles: true})); })()`))
	p.until(rows + `.length > 1 && ` + rows + `.every((o) => !o.dataset.key.startsWith("e"))`)

	exported := filepath.Join(t.TempDir(), "fixture.jsonl")
	if err := os.WriteFile(exported, p.inspector.get(t, "/links/"+p.link+"/export?format=jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS(`[aria-label="Import transcript"]`), []string{exported}))
	p.there(`.rail [aria-label=Connections] a[aria-current=page] .dot.offline`)
	p.says(`#frames [data-key=e1]`, "fixture: ready")
}

// checkOrder compares the rows with what the API tells: each line stands behind the frame that it came after.
func (p *viewPage) checkOrder() {
	p.t.Helper()
	var known struct {
		Lines []struct{ N, After int }
	}
	p.inspector.decode(p.t, "/links/"+p.link+"/stderr/lines", &known)
	after := map[string]int{}
	for _, line := range known.Lines {
		after["e"+strconv.Itoa(line.N)] = line.After
	}
	last := 0
	for _, key := range strings.Fields(take(p.tab,
		chromedp.Evaluate[string](`[...document.querySelectorAll("#frames [role=option]")].map((o) => `+
			`o.dataset.key).join(" ")`))) {
		if seq, err := strconv.Atoi(key); err == nil {
			last = seq
		} else if want, ok := after[key]; !ok || want != last {
			p.t.Errorf("line %s stands behind frame %d, want %d", key, last, want)
		}
	}
}

// A call's result leads to its frames.
func TestFramesOfAResult(t *testing.T) {
	p := openView(t, "Resources", "demo")
	p.click(`#resources [data-key="demo://welcome"]`)
	p.clickOn(`[...document.querySelectorAll("[aria-label=Content] a")].find((a) => a.textContent === "2 frames")`)
	p.there(`main[aria-label=Wire]`)
	p.says(".frame-facts", "resources/read demo://welcome")
}

// Ten thousand frames of a transcript scroll and filter with little work: only what is in sight exists, and each step
// takes less than 100 ms of the page's own time, as its processor time is counted.
func TestTenThousandFrames(t *testing.T) {
	p := openView(t, "Wire", "demo")
	p.there(`[aria-label="Import transcript"]`)
	p.do(chromedp.SetUploadFiles(chromedp.CSS(`[aria-label="Import transcript"]`), []string{longTranscript(t, 10_000)}))
	p.until(`document.querySelector("#frames [role=option]")?.getAttribute("aria-setsize") === "10000"`)
	p.there(`.rail [aria-label=Connections] .dot.offline`)
	if n := p.count("#frames [role=option]"); n > 120 {
		t.Errorf("%d rows are in the document, want those in sight", n)
	}
	const steps = 20
	scrolled := p.work(func() {
		for i := range steps {
			take(p.tab, chromedp.Evaluate[bool](fmt.Sprintf(`new Promise((done) => {
				const box = document.querySelector("#frames").closest(".scroll");
				box.scrollTop = box.scrollHeight * %d / %d;
				requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
			})`, i, steps), chromedp.EvalAwaitPromise))
		}
	})
	if per := scrolled / steps; per > 100*time.Millisecond {
		t.Errorf("a scroll takes %v of the page's time, want at most 100ms", per)
	}
	p.click(`[aria-label="Search frames"]`)
	filtered := p.work(func() {
		p.typed("needle-77")
		p.there(`[data-shown="11"]`) // 77, and 770 to 779
	})
	if per := filtered / time.Duration(len("needle-77")); per > 100*time.Millisecond {
		t.Errorf("a key in the filter takes %v of the page's time, want at most 100ms", per)
	}
	t.Logf("of the page's time: %v a scroll, %v a key in the filter", scrolled/steps,
		filtered/time.Duration(len("needle-77")))
}

// longTranscript writes a transcript of n frames. Each request has a needle of its own, far behind what a row shows.
func longTranscript(t *testing.T, n int) string {
	t.Helper()
	var out strings.Builder
	start := time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	for i := range n / 2 {
		padding := strings.Repeat("x", 400)
		at := start.Add(time.Duration(i) * time.Millisecond)
		fmt.Fprintf(&out, `{"seq":%d,"time":%q,"from":"client","stream":"stdio","body":%q}`+"\n", 2*i+1,
			at.Format(time.RFC3339Nano),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo",`+
				`"arguments":{"message":"%s needle-%d."}}}`, i, padding, i))
		fmt.Fprintf(&out, `{"seq":%d,"time":%q,"from":"server","stream":"stdio","body":%q}`+"\n", 2*i+2,
			at.Add(300*time.Microsecond).Format(time.RFC3339Nano),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, i))
	}
	path := filepath.Join(t.TempDir(), "long.jsonl")
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is exported can be imported again and looked at without a server: the same frames, and nothing to send.
func TestExportAndImport(t *testing.T) {
	p := openView(t, "Wire", "demo")
	p.there(`#frames [role=option]`)
	exported := filepath.Join(t.TempDir(), "demo.jsonl")
	if err := os.WriteFile(exported, p.inspector.get(t, "/links/"+p.link+"/export?format=jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	const rows = `[...document.querySelectorAll("#frames [role=option] .what")].map((e) => e.textContent).join("\n")`
	before := take(p.tab, chromedp.Evaluate[string](rows))
	p.do(chromedp.SetUploadFiles(chromedp.CSS(`[aria-label="Import transcript"]`), []string{exported}))
	p.there(`.rail [aria-label=Connections] a[aria-current=page] .dot.offline`)
	p.until(rows + ".length > 0")
	if after := take(p.tab, chromedp.Evaluate[string](rows)); after != before {
		t.Errorf("imported\n%s\nwant\n%s", after, before)
	}
	p.there(`.pane-foot button:disabled`) // there is nobody to send to
	archive := filepath.Join(t.TempDir(), "demo.har")
	if err := os.WriteFile(archive, p.inspector.get(t, "/links/"+p.link+"/export?format=har"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS(`[aria-label="Import transcript"]`), []string{archive}))
	p.there(`.rail [aria-label=Connections] a:nth-child(3)[aria-current=page]`)
	p.until(rows + " === " + quote(before))

	p.size(260, 700) // where there is no room for all connections, the one in use is in sight
	p.reload()
	p.until(`document.querySelector(".rail [aria-label=Connections] ` +
		`a[aria-current=page]").getBoundingClientRect().right <= innerWidth`)
}
