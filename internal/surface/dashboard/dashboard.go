// Package dashboard shows the live status of a gateway on a terminal.
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

// A Source provides the data to show, and how to stop the gateway.
type Source struct {
	Address string // where clients reach the gateway
	Token   string // the token for clients; empty if it must not be shown
	Status  func() status.Status
	Notices func() []string // the last warnings, the latest last
	Stop    func()          // stops the gateway; a second call does not wait for calls in flight
}

// refresh is how often the figures are read.
const refresh = 500 * time.Millisecond

// Show shows the source until the context ends. The quit keys call Stop: the view stays until the gateway has
// stopped.
func Show(ctx context.Context, in io.Reader, out io.Writer, environment []string, color bool, s Source) error {
	p := tea.NewProgram(model{source: s, color: color, shown: s.Status()}, tea.WithInput(in), tea.WithOutput(out),
		tea.WithEnvironment(environment),
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

// feed sends new data to the program, and ends it with the context.
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

// A model is the state of the view.
type model struct {
	source        Source
	color         bool
	shown         status.Status
	notices       []string
	width, height int
	first         int  // the first visible server
	token         bool // whether the token is shown
}

// A fresh status was read.
type fresh struct {
	status  status.Status
	notices []string
}

// Init has no initial command.
func (m model) Init() tea.Cmd { return nil }

// Update handles a message.
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
