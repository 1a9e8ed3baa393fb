package suite

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// A tail stores the last output of a command.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 4 << 10

// Write stores the last bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = bytes.Clone(t.text[extra:])
	}
	return len(p), nil
}

// explain adds the last output of the command to an error.
func (t *tail) explain(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if said := strings.TrimSpace(string(t.text)); said != "" {
		return fmt.Errorf("%w; output: %s", err, clip.Sized(said, maxDisplayed))
	}
	return err
}
