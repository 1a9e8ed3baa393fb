package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// appsSpec is where the requirements for MCP Apps are defined.
const appsSpec = "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx"

// maxViews is how many views are read.
const maxViews = 10

// An appView is a view of MCP Apps: a ui:// resource that a tool names or the server lists.
type appView struct {
	URI    string
	Tools  []mcp.Item    // the tools that name it
	Listed *mcp.Item     // its entry in resources/list; nil if it has none
	Page   *mcp.Exchange // the page with that entry
	Read   *mcp.Exchange
}

// viewTools lists the tools that declare something for MCP Apps.
func (p *CheckContext) viewTools(ctx context.Context) (*mcp.List, []mcp.Item, error) {
	list, err := p.Offered(ctx, "tools/list")
	if err != nil {
		return nil, nil, err
	}
	var some []mcp.Item
	for _, item := range list.Items {
		if apps.Declared(item.Raw) {
			some = append(some, item)
		}
	}
	if len(some) == 0 {
		return nil, nil, p.Skip("no tool has a view (_meta.ui)")
	}
	return list, some, nil
}

// reportTools reports the problems that find finds in the tools with views.
func (p *CheckContext) reportTools(ctx context.Context, find func(json.RawMessage) []apps.Problem) error {
	list, tools, err := p.viewTools(ctx)
	if err != nil {
		return err
	}
	for _, item := range tools {
		for _, one := range find(item.Raw) {
			p.reportProblem(one, Evidence{Subject: item.Name, Pointer: one.Pointer, Exchange: pageOf(list, item)})
		}
	}
	return nil
}

func (p *CheckContext) reportProblem(one apps.Problem, at Evidence) {
	if one.Warning {
		p.Warn(at, "%s", one.Message)
		return
	}
	p.Report(at, "%s", one.Message)
}

// inform adds a finding that is only information.
func (p *CheckContext) inform(s Evidence, format string, args ...any) {
	p.report(finding.Info, s, format, args...)
}

// Views returns the views of the server, read once for all checks.
func (p *CheckContext) Views(ctx context.Context) ([]appView, error) {
	views, err := remember(ctx, p, "views", func() ([]appView, error) { return p.views(ctx) })
	if err == nil && len(views) == 0 {
		return nil, p.Skip("the server has no views (ui:// resources)")
	}
	return views, err
}

func (p *CheckContext) views(ctx context.Context) ([]appView, error) {
	tools, err := p.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	var all []appView
	find := func(uri string) *appView {
		for i := range all {
			if all[i].URI == uri {
				return &all[i]
			}
		}
		if !strings.HasPrefix(uri, apps.Scheme) || len(all) == maxViews {
			return nil
		}
		all = append(all, appView{URI: uri})
		return &all[len(all)-1]
	}
	for _, tool := range tools.Items {
		uri, _ := apps.ViewOf(tool.Raw)
		if view := find(uri); view != nil {
			view.Tools = append(view.Tools, tool)
		}
	}
	if p.round.offers("resources") {
		resources, err := p.List(ctx, "resources/list")
		if err != nil {
			return nil, err
		}
		for _, item := range resources.Items {
			if view := find(item.Name); view != nil && view.Listed == nil {
				view.Listed, view.Page = &item, pageOf(resources, item)
			}
		}
	}
	for i := range all {
		if all[i].Read, err = p.Call(ctx, "resources/read", mcp.Object("uri", all[i].URI)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// eachRead calls do for each view that could be read, with its content.
func (p *CheckContext) eachRead(ctx context.Context, do func(v appView, content json.RawMessage)) error {
	views, err := p.Views(ctx)
	if err != nil {
		return err
	}
	read := 0
	for _, v := range views {
		if content := At(v.Read.Reply.Result, "/contents/0"); v.Read.Reply.Error == nil && content != nil {
			read++
			do(v, content)
		}
	}
	if read == 0 {
		return p.Skip("no view could be read; see APP-001")
	}
	return nil
}

// eachDocument calls do for each view with HTML.
func (p *CheckContext) eachDocument(ctx context.Context, do func(v appView, html string)) error {
	return p.eachRead(ctx, func(v appView, content json.RawMessage) {
		if html, problem := apps.Document(content); problem == "" {
			do(v, html)
		}
	})
}

// eachSettings reports the problems that find finds in the settings of views, on the list and on the content.
func (p *CheckContext) eachSettings(ctx context.Context, find func(json.RawMessage) []apps.Problem) error {
	views, err := p.Views(ctx)
	if err != nil {
		return err
	}
	for _, v := range views {
		if v.Listed != nil {
			for _, one := range find(At(v.Listed.Raw, "/_meta/ui")) {
				p.reportProblem(one, Evidence{Subject: v.URI, Pointer: "/_meta/ui" + one.Pointer, Exchange: v.Page})
			}
		}
		for _, one := range find(At(v.Read.Reply.Result, "/contents/0/_meta/ui")) {
			p.reportProblem(one, Evidence{Subject: v.URI, Pointer: "/contents/0/_meta/ui" + one.Pointer,
				Exchange: v.Read})
		}
	}
	return nil
}

// settingOf returns a setting of a view: that of its content, or else that of its entry in the list.
func (v *appView) settingOf(name string) json.RawMessage {
	if raw := At(v.Read.Reply.Result, "/contents/0/_meta/ui/"+name); raw != nil {
		return raw
	}
	if v.Listed == nil {
		return nil
	}
	return At(v.Listed.Raw, "/_meta/ui/"+name)
}
