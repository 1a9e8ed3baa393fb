package render

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/chromium"
	"github.com/mcptest-dev/mcptest/internal/clip"
)

// A tab is the page of the host in the browser, with the errors of everything in it.
type tab struct {
	browser *chromium.Browser
	session string

	mu     sync.Mutex
	errors []string // of scripts, and in the console
	loads  loads
}

// openTab starts the browser and opens an address.
func openTab(ctx context.Context, path, address string) (*tab, error) {
	t := &tab{}
	t.reset()
	var err error
	if t.browser, err = chromium.Start(ctx, path, t.onEvent); err != nil {
		return nil, err
	}
	var target struct{ TargetID string }
	var attached struct{ SessionID string }
	call := func(session, method string, params, result any) {
		if err == nil {
			err = t.browser.Call(ctx, session, method, params, result)
		}
	}
	call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	t.session = attached.SessionID
	call(t.session, "Runtime.enable", nil, nil)
	call(t.session, "Page.enable", nil, nil)
	call(t.session, "Target.setAutoAttach", autoAttach, nil)
	call(t.session, "Page.navigate", map[string]any{"url": address}, nil)
	if err == nil {
		err = t.eval(ctx, `new Promise((done) => { const look = () => window.appCheck ? done() : setTimeout(look, 10); look(); })`,
			nil)
	}
	if err != nil {
		t.browser.Close()
		return nil, err
	}
	return t, nil
}

// autoAttach makes the browser report frames that run in other processes.
var autoAttach = map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}

// onEvent notes errors. It must not wait.
func (t *tab) onEvent(e chromium.Event) {
	switch e.Method {
	case "Target.attachedToTarget":
		var p struct {
			SessionID  string
			TargetInfo struct{ Type string }
		}
		if json.Unmarshal(e.Params, &p) == nil {
			_, _ = t.browser.Send(p.SessionID, "Runtime.enable", nil)
			_, _ = t.browser.Send(p.SessionID, "Network.enable", nil)
			_, _ = t.browser.Send(p.SessionID, "Target.setAutoAttach", autoAttach)
			t.attached(p.SessionID, p.TargetInfo.Type)
		}
	case "Network.requestWillBeSent", "Network.dataReceived", "Network.loadingFinished", "Network.loadingFailed":
		t.loading(e)
	case "Runtime.exceptionThrown":
		var p struct {
			ExceptionDetails struct {
				Text      string
				Exception struct{ Description string }
			}
		}
		if json.Unmarshal(e.Params, &p) == nil {
			text, _, _ := strings.Cut(p.ExceptionDetails.Exception.Description, "\n")
			t.note(strings.TrimSpace(p.ExceptionDetails.Text + " " + text))
		}
	case "Runtime.consoleAPICalled":
		var p struct {
			Type string
			Args []struct {
				Value       any
				Description string
			}
		}
		if json.Unmarshal(e.Params, &p) == nil && p.Type == "error" {
			var words []string
			for _, a := range p.Args {
				if a.Value != nil {
					words = append(words, fmt.Sprint(a.Value))
				} else {
					words = append(words, a.Description)
				}
			}
			t.note("console.error: " + strings.Join(words, " "))
		}
	}
}

func (t *tab) note(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.errors) < maxPerRule {
		t.errors = append(t.errors, clip.Text(text, maxConsoleLen))
	}
}

// takeErrors returns the errors since the last time.
func (t *tab) takeErrors() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.errors
	t.errors = nil
	return all
}

// eval evaluates an expression in the page of the host, and decodes what its promise returns.
func (t *tab) eval(ctx context.Context, expression string, result any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := t.browser.Call(ctx, t.session, "Runtime.evaluate", map[string]any{"expression": expression,
		"awaitPromise": true, "returnByValue": true}, &answer)
	switch {
	case err != nil:
		return err
	case answer.ExceptionDetails != nil:
		return fmt.Errorf("page of the host: %s %s", answer.ExceptionDetails.Text,
			answer.ExceptionDetails.Exception.Description)
	case result == nil:
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// emulate sets the theme of the system and the size of the window.
func (t *tab) emulate(ctx context.Context, theme string, width, height int) error {
	if err := t.browser.Call(ctx, t.session, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
		{"name": "prefers-color-scheme", "value": theme}}}, nil); err != nil {
		return err
	}
	return t.browser.Call(ctx, t.session, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width,
		"height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// picture returns a PNG of the view.
func (t *tab) picture(ctx context.Context, width, height int) ([]byte, error) {
	var shot struct{ Data []byte }
	err := t.browser.Call(ctx, t.session, "Page.captureScreenshot", map[string]any{"format": "png",
		"captureBeyondViewport": true, "clip": map[string]any{"x": 0, "y": 0, "width": width, "height": height,
			"scale": 1}}, &shot)
	return shot.Data, err
}
