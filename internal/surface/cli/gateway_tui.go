package cli

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/surface/dashboard"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// showGateway shows a gateway on the terminal.
func (a *app) showGateway(ctx context.Context, b workbench.GatewayBoard) error {
	return dashboard.Show(ctx, a.env.Stdin, a.env.Stdout, a.env.System.Environ,
		a.env.colorful(a.env.Stdout) && !a.view.noColor,
		dashboard.Source{Address: b.Address, Token: b.Token, Status: b.Status, Notices: b.Notices, Stop: b.Stop})
}
