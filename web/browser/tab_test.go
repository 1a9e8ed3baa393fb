package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A tab is one page in the browser, with storage of its own, and a person in front of it.
type tab struct {
	t   *testing.T
	ctx context.Context

	complaints []string // of the console
	expected   string   // part of a complaint that belongs to the test; empty for none
	close      func()   // before the test ends
}

// open shows an address in a new tab. A test fails if the console had anything to complain about.
func open(t *testing.T, address string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	p := &tab{t: t, ctx: ctx}
	console := chromedp.Console(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		for message, err := range console {
			if err != nil {
				return
			}
			p.hear(message)
		}
	})
	p.close = sync.OnceFunc(func() {
		cancel()
		wg.Wait()
		for _, complaint := range p.complaints {
			if p.expected == "" || !strings.Contains(complaint, p.expected) {
				t.Errorf("console: %s", complaint)
			}
		}
	})
	t.Cleanup(p.close)
	p.size(1440, 900)
	p.theme("light")
	p.do(chromedp.Navigate(address))
	return p
}

// hear notes exceptions, what the page writes as an error, and what the browser itself reports, such as refusals of the
// content security policy.
func (p *tab) hear(m chromedp.ConsoleMessage) {
	switch m.Type {
	case chromedp.ConsoleError, chromedp.ConsoleException, chromedp.ConsoleWarning:
		p.complaints = append(p.complaints, m.String()+" "+m.URL)
	}
}

// in is the same tab for a part of a test.
func (p *tab) in(t *testing.T) *tab { return &tab{t: t, ctx: p.ctx} }

// do takes steps and fails the test if one does not end.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	for _, action := range actions {
		take(p, action)
	}
}

// take takes one step and returns what it brought.
func take[T any](p *tab, action chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	got, err := chromedp.Run(ctx, action)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.sight())
	}
	return got
}

// sight is what is on the page, for the message of a failure.
func (p *tab) sight() string {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`location.hash + "\n" + document.body.innerText`))
	if len(text) > 3000 {
		text = text[:3000] + "…"
	}
	return text
}

// until waits for an expression to become true.
func (p *tab) until(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err != nil && !leaving(err) {
			p.t.Fatalf("waited for %s: %v\n%s", expression, err, p.sight())
		}
		if is && err == nil {
			return
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("waited in vain for %s; the page shows\n%s", expression, p.sight())
		case <-time.After(10 * time.Millisecond): // between two looks
		}
	}
}

// leaving tells the error of a look at a page that is loaded anew just then.
func leaving(err error) bool {
	return strings.Contains(err.Error(), "Inspected target navigated") ||
		strings.Contains(err.Error(), "Execution context was destroyed") ||
		strings.Contains(err.Error(), "Cannot find context")
}

// there waits for an element.
func (p *tab) there(selector string) {
	p.t.Helper()
	p.until("document.querySelector(" + quote(selector) + ")")
}

// gone waits for an element to be away.
func (p *tab) gone(selector string) {
	p.t.Helper()
	p.until("!document.querySelector(" + quote(selector) + ")")
}

// says waits for an element to have a text.
func (p *tab) says(selector, want string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.querySelector(%s)?.textContent.includes(%s)", quote(selector), quote(want)))
}

// click presses the mouse in the middle of an element, once it is in sight and nothing covers it.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.clickOn("document.querySelector(" + quote(selector) + ")")
}

// clickText presses the one of the elements that has the text.
func (p *tab) clickText(selector, text string) {
	p.t.Helper()
	p.clickOn(fmt.Sprintf("[...document.querySelectorAll(%s)].find(e => e.textContent.trim() === %s && "+
		"e.checkVisibility())", quote(selector), quote(text)))
}

func (p *tab) clickOn(element string) {
	p.t.Helper()
	where := `(() => {
		const e = ` + element + `;
		if (!e || document.querySelector("[aria-busy=true]")) return null; // what is shown may move yet
		e.scrollIntoView({block: "nearest", inline: "nearest"});
		const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		const top = document.elementFromPoint(x, y);
		if (!top || !e.contains(top)) return null;
		window.clickArrived = false;
		e.addEventListener("click", () => (window.clickArrived = true), {once: true, capture: true});
		return [x, y];
	})()`
	hit := false
	for end := time.Now().Add(patience); !hit && time.Now().Before(end); {
		p.until(where)
		if at := take(p, chromedp.Evaluate[[]float64](where)); len(at) == 2 {
			p.do(chromedp.MouseClickXY(at[0], at[1]))
			hit = p.clicked()
		}
	}
	if !hit {
		p.t.Fatalf("%s moves away from the mouse", element)
	}
}

// clicked reports whether the element got the click. A page that is being left did: the click on a link left it.
func (p *tab) clicked() bool {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for end := time.Now().Add(time.Second); ; { // a click that comes late must not be repeated
		arrived, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.clickArrived !== false"))
		if err != nil && !leaving(err) {
			p.t.Fatalf("%v\n%s", err, p.sight())
		}
		if arrived || err != nil || time.Now().After(end) {
			return arrived || err != nil
		}
		time.Sleep(10 * time.Millisecond) // between two looks
	}
}

// typed presses the keys of a text, one by one.
func (p *tab) typed(text string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(text))
}

// key presses one key that the page takes for itself. The browser gets key and character as one event, as from a
// keyboard: then no character is left over when the page took the key.
func (p *tab) key(key string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent,
			input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, t, input.DispatchKeyEvent,
			input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key})
		return err
	}))
}

// paste puts a text where the cursor is, all at once.
func (p *tab) paste(text string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// fill clicks into an input, empties it and types.
func (p *tab) fill(selector, text string) {
	p.t.Helper()
	p.click(selector)
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.do(chromedp.KeyEvent(kb.Backspace))
	if text != "" {
		p.typed(text)
	}
}

// quote writes a string as JavaScript has it.
func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// size changes the window.
func (p *tab) size(width, height int64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
}

// theme makes the system light or dark. The person in front of it wants nothing to move, so that whatever is there is
// there at once and in its own colours.
func (p *tab) theme(scheme string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme},
				{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
}

// text is what an element shows.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return strings.TrimSpace(take(p, chromedp.Evaluate[string]("document.querySelector("+quote(selector)+
		")?.textContent ?? ''")))
}
