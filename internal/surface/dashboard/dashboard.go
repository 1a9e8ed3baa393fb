// Package dashboard shows on a terminal how a gateway is doing, while it does it.
package dashboard

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
)

// A Source is what is shown, and how to end it.
type Source struct {
	Address string // where clients reach the gateway
	Token   string // that they need; empty if it is not ours to show
	Status  func() status.Status
	Notices func() []string // the last warnings, the latest last
	Stop    func()          // ends the gateway; a second call does not wait for anybody
}

// refresh is how often the figures are read.
const refresh = 500 * time.Millisecond

// Show shows the source until the context ends. Keys that end the gateway call Stop: the view stays until it has ended.
func Show(ctx context.Context, in io.Reader, out io.Writer, environment []string, color bool, s Source) error {
	p := tea.NewProgram(model{source: s, color: color, shown: s.Status()}, tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(environment),
		tea.WithoutSignalHandler())
	over := make(chan struct{})
	var feeding sync.WaitGroup
	feeding.Go(func() { feed(ctx, p, s, over) })
	defer feeding.Wait()
	defer close(over)
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramKilled) {
		return nil
	}
	return err
}

// feed gives the program what is new, and ends it with the context.
func feed(ctx context.Context, p *tea.Program, s Source, over <-chan struct{}) {
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.Send(fresh{s.Status(), s.Notices()})
		case <-ctx.Done():
			p.Quit()
			return
		case <-over:
			return
		}
	}
}

// A model is what the view depends on.
type model struct {
	source        Source
	color         bool
	shown         status.Status
	notices       []string
	width, height int
	first         int  // the first server that is shown
	token         bool // whether the token is shown
}

// A fresh status has been read.
type fresh struct {
	status  status.Status
	notices []string
}

// Init has nothing to begin with.
func (m model) Init() tea.Cmd { return nil }

// Update takes what has happened.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case fresh:
		m.shown, m.notices = msg.status, msg.notices
		m.first = min(m.first, max(len(m.shown.Servers)-1, 0))
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "ctrl+c":
			m.source.Stop()
			m.shown = m.source.Status()
		case "t":
			m.token = !m.token
		case "down", "j":
			m.first = min(m.first+1, max(len(m.shown.Servers)-1, 0))
		case "up", "k":
			m.first = max(m.first-1, 0)
		}
	}
	return m, nil
}

// View draws the screen.
func (m model) View() tea.View {
	v := tea.NewView(render(&m))
	v.AltScreen, v.WindowTitle = true, "mcptest gateway"
	return v
}
