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

// servePage serves the page with a recorded session, and opens it if stdout is a terminal.
func (a *app) servePage(ctx context.Context, dir string, recorded *tap.Session) error {
	s := &inspecting{app: a, open: terminal(a.env.Stdout)}
	listener, err := s.bind()
	if err != nil {
		return err
	}
	i := s.newInspector(nil, nil)
	defer i.Shutdown()
	link, err := i.OpenRecording(dir, recorded)
	if err != nil {
		_ = listener.Close()
		return problemError(err)
	}
	s.view = "/wire/" + link.ID + "?"
	return s.serve(ctx, listener, i, false, "")
}
