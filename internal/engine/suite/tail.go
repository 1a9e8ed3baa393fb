package suite

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// A tail stores the last output of a command.
type tail struct {
	awaited *regexp.Regexp // may be nil

	mu      sync.Mutex
	text    []byte
	matched bool // the output matched what is awaited
}

const tailBytes = 4 << 10

// Write stores the last bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.matched = t.matched || t.awaited != nil && t.awaited.Match(t.text)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = bytes.Clone(t.text[extra:])
	}
	return len(p), nil
}

// said reports whether the output that is awaited was written.
func (t *tail) said() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.awaited == nil || t.matched
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
