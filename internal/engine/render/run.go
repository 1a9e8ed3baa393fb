package render

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/appview"
)

// Options configure a run.
type Options struct {
	Browser   string // its executable
	Tool      json.RawMessage
	Resource  *appview.Resource
	Arguments json.RawMessage
	Result    json.RawMessage // of the call of the tool
	Version   string
	// Request sends a request of the view to the server, and returns the result or the error.
	Request func(ctx context.Context, method string, params json.RawMessage) (result, failure json.RawMessage)
	Tools   []json.RawMessage // of the server
	Start   time.Duration     // how long the view may take to start; 0 means 15 seconds
	End     time.Duration     // how long it may take to respond to its end; 0 means 3 seconds
}

// A scene is one way to show the view.
type scene struct {
	name      string // of its picture
	what      string
	theme     string
	width     int
	arguments json.RawMessage
	result    json.RawMessage // nil for none
	cancelled bool
	pictured  bool
}

// An observation is what the host has seen of the view.
type observation struct {
	Phase       string
	Initializes int
	Faults      []string
	Heights     []int
	Locked      bool
	Reports     int
	Height      int
	Dropped     int
	Refused     []string
	Mode        string
	Messages    []string
	Logged      int // messages, also those that are no longer in Messages
	Pending     int // requests of the view

	scene    *scene
	errors   []string
	blocked  []appview.Blocked
	foreign  []string // calls of tools that are not for apps
	blank    bool
	answered bool // the request for its end
}

// A Picture is a screenshot of the view.
type Picture struct {
	Name string // light, dark or 320px
	PNG  []byte
}

// Limits of one scene.
const (
	defaultStart = 15 * time.Second
	defaultEnd   = 3 * time.Second
	quiet        = 500 * time.Millisecond
	settle       = 4 * time.Second
	wide         = 800
	narrow       = 320
	tallPicture  = 2000
)

func (o *Options) start() time.Duration { return cmp.Or(o.Start, defaultStart) }

func (o *Options) scenes() []*scene {
	empty := json.RawMessage(`{}`)
	failed := json.RawMessage(`{"content":[{"type":"text","text":"simulated by mcptest"}],"isError":true}`)
	return []*scene{
		{name: "light", what: "light theme", theme: "light", width: wide, arguments: o.Arguments, result: o.Result, pictured: true},
		{name: "dark", what: "dark theme", theme: "dark", width: wide, arguments: o.Arguments, result: o.Result, pictured: true},
		{name: "320px", what: "320 pixels", theme: "light", width: narrow, arguments: o.Arguments, result: o.Result, pictured: true},
		{what: "empty arguments and a result with isError", theme: "light", width: wide, arguments: empty, result: failed},
		{what: "cancelled call", theme: "light", width: wide, arguments: o.Arguments, cancelled: true},
	}
}

// observeAll shows the view in each way.
func (o *Options) observeAll(ctx context.Context, onStep func(done, total int)) ([]*observation, []Picture, error) {
	sandbox, err := appview.NewSandbox()
	if err != nil {
		return nil, nil, err
	}
	defer sandbox.Close()
	calls := &forwarder{options: o}
	host, err := servePage(sandbox.Origin(), calls.answer)
	if err != nil {
		return nil, nil, err
	}
	defer host.close()
	tab, err := openTab(ctx, o.Browser, host.origin+host.path)
	if err != nil {
		return nil, nil, err
	}
	defer tab.browser.Close()
	var seen []*observation
	var pictures []Picture
	scenes := o.scenes()
	for n, s := range scenes {
		onStep(n, len(scenes))
		view, err := sandbox.Open(o.Resource, host.origin, nil)
		if err != nil {
			return nil, nil, err
		}
		got, picture, err := o.observe(ctx, tab, sandbox, view, s)
		view.Close()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.what, err)
		}
		got.blocked, got.foreign = view.Blocked(), calls.take()
		slices.SortStableFunc(got.blocked, func(a, b appview.Blocked) int { // a browser reports them in any order
			return cmp.Or(strings.Compare(a.Directive, b.Directive), strings.Compare(a.URI, b.URI))
		})
		seen = append(seen, got)
		if picture != nil {
			pictures = append(pictures, Picture{s.name, picture})
		}
		if n == 0 && got.Phase != "initialized" {
			break // it starts in no other way
		}
	}
	return seen, pictures, nil
}

// observe shows the view in one way.
func (o *Options) observe(ctx context.Context, t *tab, sandbox *appview.Sandbox, v *appview.View,
	s *scene) (*observation, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*o.start()+o.End+settle+longest+30*time.Second)
	defer cancel()
	if err := t.emulate(ctx, s.theme, s.width, 900); err != nil {
		return nil, nil, err
	}
	t.reset()
	app, err := json.Marshal(map[string]any{"id": v.ID, "tool": "", "tool_json": string(o.Tool), "uri": o.Resource.URI,
		"frame_url": v.FrameURL, "frame_origin": sandbox.Origin(), "csp": o.Resource.CSP,
		"permissions": append([]string{}, o.Resource.Permissions...), "features": o.Resource.Features(), "version": o.Version})
	if err != nil {
		return nil, nil, err
	}
	settings := map[string]any{"theme": s.theme, "width": s.width, "input": s.arguments, "cancelled": s.cancelled,
		"start_ms": o.start().Milliseconds(), "quiet_ms": quiet.Milliseconds(), "settle_ms": settle.Milliseconds()}
	if s.result != nil {
		settings["result"] = s.result
	}
	given, err := json.Marshal(settings)
	if err != nil {
		return nil, nil, err
	}
	var opened observation
	if err := t.eval(ctx, fmt.Sprintf("appCheck.open(%s, %s)", app, given), &opened); err != nil {
		return nil, nil, err
	}
	got, picture, err := t.look(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	got.Heights, got.Locked = opened.Heights, opened.Locked // after the result; the view may have good reasons later
	got.errors = t.takeErrors()                             // those of a view that ends have no effect
	err = t.eval(ctx, fmt.Sprintf("appCheck.end(%d)", cmp.Or(o.End, defaultEnd).Milliseconds()), &got.answered)
	return got, picture, err
}

// isBlank reports whether a picture has only one color.
func isBlank(picture []byte) bool {
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return false
	}
	area := img.Bounds()
	first := img.At(area.Min.X, area.Min.Y)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if img.At(x, y) != first {
				return false
			}
		}
	}
	return true
}
