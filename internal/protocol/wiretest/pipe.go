package wiretest

import (
	"io"
	"strconv"
	"sync"
)

// A pipe is the output of a server on stdout and stderr, or on pipes.
type pipe struct {
	stderr io.Writer
	exit   func(status int)

	mu   sync.Mutex
	out  io.Writer
	deaf bool
}

func (p *pipe) message(text string) { p.bytes(text + "\n") }

func (p *pipe) bytes(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.out, text)
}

func (p *pipe) other(st step) {
	switch st.verb {
	case "stderr":
		_, _ = io.WriteString(p.stderr, st.text)
	case "exit":
		status, _ := strconv.Atoi(st.text)
		p.exit(status)
	case "close":
		p.mu.Lock()
		defer p.mu.Unlock()
		if closer, ok := p.out.(io.Closer); ok {
			_ = closer.Close()
		}
	case "deaf":
		p.mu.Lock()
		defer p.mu.Unlock()
		p.deaf = true
	}
}

func (p *pipe) isDeaf() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.deaf
}
