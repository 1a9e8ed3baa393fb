package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Answers are what we reply when a server asks: from a script if there is one, from the person if there is one, and
// otherwise no.
type answers struct {
	app    *app
	mu     sync.Mutex
	script map[string][]json.RawMessage // what is left, by kind; the last one is used again and again
}

// The kinds of questions, as they stand in an answer file.
const (
	askElicitation = "elicitation"
	askSampling    = "sampling"
	askRoots       = "roots"
)

// answers reads the answer file.
func (a *app) answers() (*answers, error) {
	out := &answers{app: a, script: map[string][]json.RawMessage{}}
	if a.view.answer == "" {
		return out, nil
	}
	data, err := os.ReadFile(a.view.answer)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--answer: " + err.Error()}
	}
	wrong := func(format string, args ...any) error {
		return &workbench.UsageError{Message: "--answer " + a.view.answer + ": " + fmt.Sprintf(format, args...),
			Hint: `it wants {"elicitation": [{"action": "accept", "content": {…}}], "sampling": [{…}], "roots": [{"uri": "file:///…"}]}`}
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, wrong("%v", err)
	}
	for kind, value := range file {
		if kind != askElicitation && kind != askSampling && kind != askRoots {
			return nil, wrong("unknown key %q", kind)
		}
		if kind == askRoots {
			out.script[kind] = []json.RawMessage{mcp.Object("roots", value)}
			continue
		}
		list := []json.RawMessage{value}
		if bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
			if err := json.Unmarshal(value, &list); err != nil {
				return nil, wrong("%s: %v", kind, err)
			}
		}
		out.script[kind] = list
	}
	return out, nil
}

// scripted takes the next answer of a kind.
func (s *answers) scripted(kind string) (json.RawMessage, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.script[kind]
	if len(list) == 0 {
		return nil, false
	}
	if len(list) > 1 {
		s.script[kind] = list[1:]
	}
	return list[0], true
}

// roots are those of the script; without one we offer none.
func (s *answers) roots(context.Context) (json.RawMessage, error) {
	if answer, ok := s.scripted(askRoots); ok {
		return answer, nil
	}
	return json.RawMessage(`{"roots":[]}`), nil
}

// sampling lets the person play the model.
func (s *answers) sampling(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	if answer, ok := s.scripted(askSampling); ok {
		return answer, nil
	}
	if s.app.interactive() {
		return s.app.askSampling(ctx, params)
	}
	return nil, &mcp.RPCError{Code: -1, Message: "the user declined to sample"}
}

// elicitation asks the person.
func (s *answers) elicitation(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	if answer, ok := s.scripted(askElicitation); ok {
		return answer, nil
	}
	if s.app.interactive() {
		return s.app.askElicitation(ctx, params)
	}
	return json.RawMessage(`{"action":"decline"}`), nil
}
