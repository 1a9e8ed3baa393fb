// Package tapview shows a recorded session on a terminal, also while it is recorded. It only reads the files of the
// recording: whatever happens to it, the recorded programs do not notice.
package tapview

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/mcptest-dev/mcptest/internal/tap"
)

// A Source is the session to show.
type Source struct {
	Dir     string       // of all recordings
	Session *tap.Session // as it was when the view started
	Here    string       // the current directory
	Method  string       // the initial filter
}

// refresh is how often new frames are shown.
const refresh = 200 * time.Millisecond

// Show shows a session until the user quits or the context ends. It returns the text that the user copied last, to
// print it after the view; empty if there is none.
func Show(ctx context.Context, in io.Reader, out io.Writer, environ []string, color bool, s Source) (string, error) {
	feed := newFeed()
	p := tea.NewProgram(newModel(feed, s, color), tea.WithInput(in), tea.WithOutput(out),
		tea.WithEnvironment(environ), tea.WithoutSignalHandler())
	ctx, cancel := context.WithCancel(ctx)
	var tasks sync.WaitGroup
	tasks.Go(func() { feed.read(ctx, s.Dir, s.Session) })
	tasks.Go(func() { notify(ctx, p, s) })
	last, err := p.Run()
	cancel()
	tasks.Wait()
	if errors.Is(err, tea.ErrProgramKilled) {
		err = nil
	}
	if m, ok := last.(*model); ok {
		return m.copied, err
	}
	return "", err
}

// notify sends the state of the session to the program, and ends it with the context.
func notify(ctx context.Context, p *tea.Program, s Source) {
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for session := s.Session; ; {
		if now, err := tap.Read(s.Dir, session.ID); err == nil {
			session = now
		}
		p.Send(fresh{session})
		select {
		case <-tick.C:
		case <-ctx.Done():
			p.Quit()
			return
		}
	}
}

// fresh is the current state of the session: there may be new frames.
type fresh struct{ session *tap.Session }
