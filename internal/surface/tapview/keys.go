package tapview

import (
	tea "charm.land/bubbletea/v2"
)

// maxTyped is the maximum length of what a user types.
const maxTyped = 200

// A prompt is a line that the user types.
type prompt struct {
	label string
	text  string
	done  func(text string)
}

// add adds typed or pasted text.
func (p *prompt) add(text string) {
	if len(p.text)+len(text) <= maxTyped {
		p.text += text
	}
}

// key handles a key.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	m.status = ""
	switch {
	case name == "ctrl+c":
		return tea.Quit
	case name == "ctrl+z":
		return tea.Suspend
	case m.prompt != nil:
		m.promptKey(name, k.Text)
	case m.panel != nil:
		return m.panelKey(name)
	default:
		return m.listKey(name)
	}
	return nil
}

func (m *model) promptKey(name, text string) {
	p := m.prompt
	switch name {
	case "enter":
		m.prompt = nil
		p.done(p.text)
	case "esc":
		m.prompt = nil
	case "backspace":
		if letters := []rune(p.text); len(letters) > 0 {
			p.text = string(letters[:len(letters)-1])
		}
	default:
		p.add(text)
	}
}

// listKey handles a key in the list.
func (m *model) listKey(name string) tea.Cmd {
	switch name {
	case "q":
		return tea.Quit
	case "enter", "right", "l", "space":
		m.openDetail()
	case "/":
		m.prompt = &prompt{"search: ", "", func(text string) { m.search = text; m.find(1) }}
	case "n":
		m.find(1)
	case "N":
		m.find(-1)
	case "m":
		m.prompt = &prompt{"method contains: ", m.filter.method, func(text string) {
			m.filter.method = text
			m.selectRows()
		}}
	case "i":
		m.prompt = &prompt{"id: ", m.filter.id, func(text string) { m.filter.id = text; m.selectRows() }}
	case "d":
		m.filter = m.filter.nextFrom()
		m.selectRows()
	case "e":
		m.filter.errors = !m.filter.errors
		m.selectRows()
	case "esc":
		m.filter, m.search = filter{}, ""
		m.selectRows()
	case "p", "tab":
		m.toPair()
	case "r":
		m.openReport()
	case "?":
		m.openHelp()
	case "c", "t":
		return m.copyAs(name)
	default:
		m.move(name)
	}
	return nil
}

// move moves the cursor. On the last row, it follows new rows.
func (m *model) move(name string) {
	last, page := max(len(m.shown)-1, 0), max(m.listHeight()-1, 1)
	switch name {
	case "down", "j":
		m.cursor++
	case "up", "k":
		m.cursor--
	case "pgdown", "ctrl+d":
		m.cursor += page
	case "pgup", "ctrl+u":
		m.cursor -= page
	case "home", "g":
		m.cursor = 0
	case "end", "G":
		m.cursor = last
	default:
		return
	}
	m.cursor = min(max(m.cursor, 0), last)
	m.follow = m.cursor == last
}

// toPair moves the cursor to the response of a request, or to the request of a response.
func (m *model) toPair() {
	r := m.current()
	if r == nil || r.Pair == 0 {
		m.status = "no pair: not a request with a response"
		return
	}
	for i, at := range m.shown {
		if m.rows[at].Seq == r.Pair {
			m.cursor, m.follow = i, false
			return
		}
	}
	m.status = "the pair is hidden by the filter; press esc to clear it"
}

// panelKey handles a key over a panel.
func (m *model) panelKey(name string) tea.Cmd {
	p, page := m.panel, max(m.height-3, 1)
	switch name {
	case "q", "esc", "left", "h", "enter":
		m.panel = nil
	case "down", "j":
		p.top++
	case "up", "k":
		p.top--
	case "pgdown", "space":
		p.top += page
	case "pgup":
		p.top -= page
	case "home", "g":
		p.top = 0
	case "end", "G":
		p.top = len(p.text)*4 + 1<<20 // the rendering limits it
	case "p", "tab":
		if p.detail {
			m.toPair()
			m.openDetail()
		}
	case "c", "t":
		if p.detail {
			return m.copyAs(name)
		}
	}
	p.top = max(p.top, 0)
	return nil
}
