package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Answers reply to requests from a server: from the answer file if there is one, from the user if there is a
// terminal, and otherwise by declining.
type answerSource struct {
	app      *app
	mu       sync.Mutex
	script   map[string][]json.RawMessage // remaining answers by kind; the last one is reused
	notified map[string]bool              // kinds for which the user was notified that they are declined
}

// The kinds of requests, as used in an answer file.
const (
	askElicitation = "elicitation"
	askSampling    = "sampling"
	askRoots       = "roots"
)

// answers reads the answer file.
func (a *app) answers() (*answerSource, error) {
	out := &answerSource{app: a, script: map[string][]json.RawMessage{}, notified: map[string]bool{}}
	if a.view.answer == "" {
		return out, nil
	}
	data, err := os.ReadFile(a.view.answer)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--answer: " + err.Error()}
	}
	wrong := func(format string, args ...any) error {
		return &workbench.UsageError{Message: "--answer " + a.view.answer + ": " + fmt.Sprintf(format, args...),
			Hint: `use the format {"elicitation": [{"action": "accept", "content": {…}}], "sampling": [{…}], ` +
				`"roots": [{"uri": "file:///…"}]}`}
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, wrong("%v", rawjson.Problem(data, err))
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
				return nil, wrong("%s: %v", kind, rawjson.Problem(value, err))
			}
		}
		out.script[kind] = list
	}
	return out, nil
}

// scripted takes the next answer of a kind.
func (s *answerSource) scripted(kind string) (json.RawMessage, bool) {
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

// unasked reports once per kind that a request was declined, as there is no terminal.
func (s *answerSource) unasked(kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.notified[kind] {
		s.notified[kind] = true
		s.app.progress.clear()
		why := "no terminal for input; use --answer FILE to answer it"
		if !s.prompts() {
			why = "this command answers none; use mcptest inspect or mcptest tools call to answer it"
		}
		s.app.say(fmt.Sprintf("note: declined %s request: %s", kind, why))
	}
}

// prompts reports whether the command answers requests of a server. Checks and other runs of many requests do not: they
// must not wait for a user.
func (s *answerSource) prompts() bool { return s.app.uses()&workbench.Requests != 0 }

// asks reports whether the user is asked.
func (s *answerSource) asks() bool { return s.app.interactive() && s.prompts() }

// roots returns those of the answer file, or what the user enters when first asked; without either the list is
// empty.
func (s *answerSource) roots(ctx context.Context) (json.RawMessage, error) {
	if answer, ok := s.scripted(askRoots); ok {
		return answer, nil
	}
	if !s.asks() {
		return json.RawMessage(`{"roots":[]}`), nil
	}
	answer, err := s.person().promptRoots(ctx)
	if err == nil {
		s.mu.Lock()
		s.script[askRoots] = []json.RawMessage{answer}
		s.mu.Unlock()
	}
	return answer, err
}

// sampling lets the user respond in place of the model.
func (s *answerSource) sampling(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	if answer, ok := s.scripted(askSampling); ok {
		return answer, nil
	}
	if s.asks() {
		return s.person().promptSampling(ctx, params)
	}
	s.unasked(askSampling)
	return nil, declined()
}

// elicitation prompts the user.
func (s *answerSource) elicitation(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	if answer, ok := s.scripted(askElicitation); ok {
		return answer, nil
	}
	if s.asks() {
		return s.person().promptElicitation(ctx, params)
	}
	s.unasked(askElicitation)
	return json.RawMessage(`{"action":"decline"}`), nil
}

// person returns the dialog on the terminal.
func (s *answerSource) person() *dialog {
	s.app.progress.clear()
	return s.app.dialog()
}
