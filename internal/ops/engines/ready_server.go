package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/ops/signin"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// maxReadyViews is how many views of a server are read.
const maxReadyViews = 20

// server lists the tools and views of a server, and what it requires of clients. A server that requires a sign-in is
// judged by that alone.
func (in *ReadyInput) server(ctx context.Context, w *workbench.Workbench, opts *ready.Options) error {
	s, err := w.Open(ctx, &in.Connection)
	if err == nil {
		opts.Tools, err = listed(ctx, s, "tools/list")
	}
	if refused := rejection(err); refused != nil {
		found, findErr := w.Find(&in.Connection)
		if findErr != nil || found.Target.URL == "" {
			return err
		}
		opts.NoTools = "the tools are not known: the server requires a sign-in; run: mcptest auth " + redact.URL(in.Target)
		opts.Authorizations = append(opts.Authorizations, in.authorization(ctx, w, found.Target, refused))
		return nil
	}
	if err != nil {
		return err
	}
	if opts.Views, err = viewsOf(ctx, s, opts.Tools); err != nil {
		return err
	}
	if t := s.Target(); t.URL != "" {
		opts.Authorizations = append(opts.Authorizations, in.authorization(ctx, w, t, nil))
	}
	return nil
}

// authorization returns what a server requires. If it is not known how it rejects clients without credentials, it is
// asked.
func (in *ReadyInput) authorization(ctx context.Context, w *workbench.Workbench, t wire.Target,
	refused *wire.Frame) *ready.Authorization {
	out := &ready.Authorization{Server: redact.URL(t.URL)}
	if refused == nil {
		refused, _ = signin.Rejection(ctx, w, t, signin.Options{Protocol: in.Protocol, Timeout: in.Timeout})
	}
	if refused == nil {
		return out
	}
	out.Required = true
	flow, err := auth.New(auth.Options{Server: t.URL, Insecure: t.Insecure, DialContext: t.DialContext, Secrets: w.Secrets})
	if err != nil {
		out.Problem = err.Error()
		return out
	}
	defer flow.Close()
	offers, err := flow.Offers(ctx, *refused)
	if err != nil {
		out.Problem = err.Error()
		if failed := (*auth.Error)(nil); errors.As(err, &failed) {
			out.Problem = failed.Step.Title() + ": " + failed.Problem
		}
		return out
	}
	out.Metadata, out.Registers, out.Users = offers.Metadata, offers.Registration || offers.Documents, offers.Code
	return out
}

// rejection returns the response of a server that requires credentials; nil for other errors.
func rejection(err error) *wire.Frame {
	var status *wire.StatusError
	if errors.As(err, &status) && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden) {
		return &wire.Frame{From: wire.Server, Status: status.Status, Header: status.Header, Body: status.Body}
	}
	return nil
}

// viewsOf reads the views that tools declare. A view that cannot be read is left to conform.
func viewsOf(ctx context.Context, s *mcp.Session, tools []json.RawMessage) ([]ready.View, error) {
	var all []ready.View
	var entries *mcp.List
	seen := map[string]bool{}
	for _, tool := range tools {
		uri, _ := apps.ViewOf(tool)
		if !strings.HasPrefix(uri, apps.Scheme) || seen[uri] || len(all) == maxReadyViews {
			continue
		}
		seen[uri] = true
		if entries == nil {
			var err error
			if entries, err = s.List(ctx, "resources/list"); err != nil {
				return nil, fmt.Errorf("resources/list: %w", err)
			}
		}
		result, failure := sender(s)(ctx, "resources/read", mcp.Object("uri", uri))
		if failure != nil {
			continue
		}
		view := ready.View{URI: uri}
		view.Content, _ = schema.Get(result, "/contents/0")
		if entry, ok := entries.Find(uri); ok {
			view.Entry = entry.Raw
		}
		all = append(all, view)
	}
	return all, ctx.Err()
}
