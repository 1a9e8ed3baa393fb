package cli

import (
	"context"
	"io"

	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/surface/tapview"
	"github.com/mcptest-dev/mcptest/internal/tap"
)

// showRecording shows a recorded session on the terminal, and then prints what the user copied.
func (a *app) showRecording(ctx context.Context, dir string, s *tap.Session, method string) error {
	copied, err := tapview.Show(ctx, a.env.Stdin, a.env.Stdout, a.env.System.Environ,
		a.env.colorful(a.env.Stdout) && !a.view.noColor,
		tapview.Source{Dir: dir, Session: s, Here: a.env.System.Dir, Method: method})
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.out, report.Visible(copied))
	return err
}
