package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// Answers are the responses of a test to server requests. Each list is used in order; the last response repeats.
type Answers struct {
	Elicitation []*document.Node `yaml:"elicitation" doc:"results of elicitation/create: action, and content for accept" example:"[{action: accept, content: {name: Ada}}]"`
	Sampling    []*document.Node `yaml:"sampling" doc:"results of sampling/createMessage: role, content, model" example:"[{role: assistant, content: {type: text, text: yes}, model: scripted}]"`
	Roots       []*document.Node `yaml:"roots" doc:"the roots to provide: uri and name" example:"[{uri: file:///srv/project, name: project}]"`
}

// A script responds to the server requests of one test.
type script struct {
	mu    sync.Mutex
	lists map[string][]json.RawMessage
}

// newScript expands the responses. A test without any has no script, and a server request fails it.
func newScript(a *Answers, in scope) (*script, error) {
	if a == nil {
		return nil, nil
	}
	s := &script{lists: map[string][]json.RawMessage{}}
	add := func(method string, nodes []*document.Node) error {
		for _, n := range nodes {
			raw, err := in.JSON(n)
			if err != nil {
				return err
			}
			s.lists[method] = append(s.lists[method], raw)
		}
		return nil
	}
	if err := add("elicitation/create", a.Elicitation); err != nil {
		return nil, err
	}
	if err := add("sampling/createMessage", a.Sampling); err != nil {
		return nil, err
	}
	if err := add("roots", a.Roots); err != nil {
		return nil, err
	}
	return s, nil
}

// respond implements mcp.Request.Input.
func (s *script) respond(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, error) {
	if s == nil {
		return nil, fmt.Errorf("the server sent %s, but the test has no answers", method)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if method == "roots/list" {
		return rootList(s.lists["roots"]), nil
	}
	list := s.lists[method]
	if len(list) == 0 {
		return nil, fmt.Errorf("the server sent %s, but the test has no answer for it", method)
	}
	if len(list) > 1 {
		s.lists[method] = list[1:]
	}
	return list[0], nil
}

func rootList(roots []json.RawMessage) json.RawMessage {
	out := []byte(`{"roots":[`)
	for i, r := range roots {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, r...)
	}
	return append(out, "]}"...)
}
