package tapview

import (
	tea "charm.land/bubbletea/v2"

	"github.com/mcptest-dev/mcptest/internal/tap"
)

// A model is the state of the view.
type model struct {
	feed    *feed
	source  Source
	session *tap.Session
	running bool // the session is still recorded
	color   bool
	failure error // why no more frames are read

	width, height int
	rows          []row
	bySeq         map[int]int // frame → index in rows
	last          int         // the last frame in rows
	shown         []int       // the rows that match the filter
	cursor, top   int         // in shown
	follow        bool        // the cursor stays on the last row

	filter filter
	search string
	prompt *prompt // nil unless the user types
	panel  *panel  // nil unless the list is covered
	status string  // one line about the last key
	copied string  // the last text for the clipboard
}

func newModel(f *feed, s Source, color bool) *model {
	return &model{feed: f, source: s, session: s.Session, color: color, follow: true, bySeq: map[int]int{},
		filter: filter{method: s.Method}}
}

// Init has no initial command.
func (m *model) Init() tea.Cmd { return nil }

// Update handles a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case fresh:
		m.session, m.running = msg.session, msg.session.Running()
		m.load()
	case tea.PasteMsg:
		if m.prompt != nil {
			m.prompt.add(msg.Content)
		}
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

// View draws the screen.
func (m *model) View() tea.View {
	v := tea.NewView(m.render())
	v.AltScreen, v.WindowTitle = true, "mcptest tap"
	return v
}

// load adds the rows of new frames.
func (m *model) load() {
	entries, err := m.feed.take()
	m.failure = err
	if len(entries) > 0 {
		m.addRows(entries)
	}
	m.selectRows()
}

// addRows adds entries, and pairs earlier requests with their responses.
func (m *model) addRows(entries []entry) {
	frames := m.feed.since(m.last)
	for _, e := range entries {
		if e.seq == 0 {
			one := row{stderr: e.stderr}
			one.Time = e.at
			m.rows = append(m.rows, one)
			continue
		}
		for len(frames) > 0 && frames[0].Seq < e.seq {
			frames = frames[1:]
		}
		if len(frames) == 0 || frames[0].Seq != e.seq { // it was dropped already
			continue
		}
		m.addFrame(row{Frame: frames[0]})
	}
	if len(m.rows) > maxRows {
		m.drop(len(m.rows) - maxRows*3/4)
	}
}

// drop deletes the first rows.
func (m *model) drop(n int) {
	m.rows = append([]row(nil), m.rows[n:]...)
	clear(m.bySeq)
	for i := range m.rows {
		if m.rows[i].isFrame() {
			m.bySeq[m.rows[i].Seq] = i
		}
	}
	for i := range m.shown {
		m.shown[i] = max(m.shown[i]-n, 0)
	}
}

func (m *model) addFrame(r row) {
	if at, found := m.bySeq[r.Pair]; found {
		m.rows[at].Pair, m.rows[at].Verdict = r.Seq, r.Verdict
	}
	m.bySeq[r.Seq] = len(m.rows)
	m.rows, m.last = append(m.rows, r), r.Seq
}

// selectRows applies the filter, and keeps the cursor on its row, or on the one before it.
func (m *model) selectRows() {
	at := 0
	if m.cursor < len(m.shown) {
		at = m.shown[m.cursor]
	}
	m.shown, m.cursor = m.shown[:0], 0
	for i := range m.rows {
		if !m.filter.matches(&m.rows[i], m.running) {
			continue
		}
		if i <= at {
			m.cursor = len(m.shown)
		}
		m.shown = append(m.shown, i)
	}
	if m.follow {
		m.cursor = max(len(m.shown)-1, 0)
	}
}

// current returns the row of the cursor; nil if there is none.
func (m *model) current() *row {
	if m.cursor >= len(m.shown) {
		return nil
	}
	return &m.rows[m.shown[m.cursor]]
}
