package metatools

import (
	"context"
	"path"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

func describeServer(_ context.Context, h *Host, in *input) (any, error) {
	for _, s := range h.Servers() {
		if s.Name != in.Server {
			continue
		}
		for _, t := range h.Catalog.List(catalog.Filter{Server: s.Name, Allow: h.allow, Own: h.Listings()}) {
			s.ToolNames = append(s.ToolNames, h.Name(&t))
		}
		return map[string]any{"server": s}, nil
	}
	return nil, &catalog.NotFoundError{Key: catalog.Key{Server: in.Server, Name: "*"}}
}

func searchServers(_ context.Context, h *Host, in *input) (any, error) {
	found := map[string]bool{}
	if in.Query != "" {
		for _, hit := range h.Catalog.Search([]string{in.Query}, catalog.Filter{Allow: h.allow,
			AllowKey: h.allowKey(), Own: h.Listings(), Limit: 100}) {
			found[hit.Tool.Server] = true
		}
	}
	out := []Server{}
	for _, s := range h.Servers() {
		if in.Query == "" || found[s.Name] || strings.Contains(strings.ToLower(s.Name), strings.ToLower(in.Query)) {
			out = append(out, s)
		}
	}
	return map[string]any{"servers": out, "count": len(out)}, nil
}

func resources(_ context.Context, h *Host, in *input) (any, error) {
	out := filtered(h.Resources(), in)
	return map[string]any{"resources": out, "count": len(out)}, nil
}

func prompts(_ context.Context, h *Host, in *input) (any, error) {
	out := filtered(h.Prompts(), in)
	return map[string]any{"prompts": out, "count": len(out)}, nil
}

func filtered(items []Item, in *input) []Item {
	out := []Item{}
	for _, item := range items {
		name, filter := strings.ToLower(item.Name), strings.ToLower(in.Filter)
		fits, _ := path.Match(strings.ReplaceAll(filter, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
		if (in.Server == "" || in.Server == item.Server) && (fits || strings.Contains(name, filter)) {
			out = append(out, item)
		}
	}
	return out
}

func health(_ context.Context, h *Host, _ *input) (any, error) {
	servers := h.Servers()
	status := "healthy"
	up := 0
	for _, s := range servers {
		if s.State == "ready" {
			up++
		}
	}
	switch {
	case up == 0 && len(servers) > 0:
		status = "unhealthy"
	case up < len(servers):
		status = "degraded"
	}
	return map[string]any{"status": status, "servers": servers}, nil
}
