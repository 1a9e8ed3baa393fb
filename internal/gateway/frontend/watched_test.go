package frontend

import (
	"io"
	"strings"
)

// A watched reader tells when a word has passed.
type watched struct {
	io.Reader
	word   string
	passed chan string
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if strings.Contains(string(p[:n]), w.word) {
		select {
		case w.passed <- w.word:
		default:
		}
	}
	return n, err
}
