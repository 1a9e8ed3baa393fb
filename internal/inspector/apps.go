package inspector

import (
	"context"
	"encoding/json"
	"slices"

	"golang.org/x/time/rate"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// An openApp is an open view of a connection.
type openApp struct {
	tool     string
	raw      json.RawMessage // the definition of the tool
	uri      string
	resource *appview.Resource
	scope    appview.Scope // what it may use of the connection
	view     *appview.View
	limiter  *rate.Limiter // of its requests
	running  chan struct{} // its requests in flight
}

// Limits of the requests of one view.
const (
	maxAppRunning = 8
	appRate       = 20 // per second
	appBurst      = 60
)

// OpenApp opens the view of a tool, for a page of the origin.
func (i *Inspector) OpenApp(ctx context.Context, id, origin string, in view.NewApp) (view.App, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.App{}, err
	}
	if i.sandbox == nil {
		return view.App{}, view.Usage("this page cannot show views")
	}
	tool, err := c.tool(ctx, in.Tool)
	if err != nil {
		return view.App{}, err
	}
	a := &openApp{tool: in.Tool, raw: tool, uri: appview.ReadTool(tool).ResourceURI,
		limiter: rate.NewLimiter(appRate, appBurst), running: make(chan struct{}, maxAppRunning)}
	if a.uri == "" {
		return view.App{}, view.Usage("the tool %q declares no view", in.Tool).WithHint(
			"set _meta.ui.resourceUri in the definition of the tool")
	}
	a.scope = appview.ScopeOf(in.Tool, a.uri)
	if a.resource, err = c.appResource(ctx, a.uri); err != nil {
		return view.App{}, err
	}
	a.resource.CSP.Reference = in.Reference
	a.view, err = i.sandbox.Open(a.resource, origin, func() { c.notifyApp(a) })
	if err != nil {
		return view.App{}, view.Usage("%s", err.Error())
	}
	c.mu.Lock()
	c.apps = append(c.apps, a)
	c.mu.Unlock()
	return a.display(i), nil
}

// appResource reads the resource of a view, and the entry of it in the list.
func (c *conn) appResource(ctx context.Context, uri string) (*appview.Resource, error) {
	link, err := c.session()
	if err != nil {
		return nil, err
	}
	var entry json.RawMessage
	if list, err := c.list(ctx, "resources", false); err == nil { // a list is not required
		if item, ok := list.Find(uri); ok {
			entry = item.Raw
		}
	}
	ex, err := link.Session.Do(ctx, mcp.Request{Method: "resources/read", Params: mcp.Object("uri", uri)})
	switch {
	case err != nil:
		return nil, err
	case ex.Reply == nil:
		return nil, view.Usage("cannot read %s: no response", uri)
	case ex.Reply.Error != nil:
		return nil, view.Usage("cannot read %s: error %d: %s", uri, ex.Reply.Error.Code, ex.Reply.Error.Message)
	}
	r, err := appview.ReadResource(uri, entry, ex.Reply.Result)
	if err != nil {
		return nil, view.Usage("cannot show the view: %s", err.Error())
	}
	return r, nil
}

func (a *openApp) display(i *Inspector) view.App {
	r := a.resource
	return view.App{ID: a.view.ID, Tool: a.tool, ToolJSON: string(a.raw), URI: a.uri, FrameURL: a.view.FrameURL,
		FrameOrigin: i.sandbox.Origin(), Bytes: len(r.HTML), Policy: a.view.Policy(), CSP: r.CSP,
		Permissions: append([]string{}, r.Permissions...), Features: r.Features(),
		Problems: append([]string{}, r.Problems...), Blocked: a.view.Blocked(), Version: i.bench.Version}
}

// notifyApp reports that a load was blocked.
func (c *conn) notifyApp(a *openApp) {
	c.notify("app/"+a.view.ID, func() (view.Event, bool) {
		if _, err := c.app(a.view.ID); err != nil {
			return view.Event{}, false
		}
		shown := a.display(c.inspector)
		shown.ToolJSON = ""
		return view.Event{Kind: "app", Link: c.id, App: &shown}, true
	})
}

// App returns an open view.
func (i *Inspector) App(id, app string) (view.App, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.App{}, err
	}
	a, err := c.app(app)
	if err != nil {
		return view.App{}, err
	}
	return a.display(i), nil
}

// CloseApp closes a view.
func (i *Inspector) CloseApp(id, app string) error {
	c, err := i.conn(id)
	if err != nil {
		return err
	}
	a, err := c.app(app)
	if err != nil {
		return err
	}
	a.view.Close()
	c.mu.Lock()
	c.apps = slices.DeleteFunc(c.apps, func(other *openApp) bool { return other == a })
	c.mu.Unlock()
	return nil
}

func (c *conn) app(id string) (*openApp, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.apps {
		if a.view.ID == id {
			return a, nil
		}
	}
	return nil, view.NotFound("unknown view")
}

// endApps closes all views.
func (c *conn) endApps() {
	c.mu.Lock()
	apps := c.apps
	c.apps = nil
	c.mu.Unlock()
	for _, a := range apps {
		a.view.Close()
	}
}
