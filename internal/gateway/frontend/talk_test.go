package frontend

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A talk is a server's side of a conversation with one client, written as lines.
type talk struct {
	out io.Writer

	mu      sync.Mutex
	asked   int
	answers map[string]chan string // by the id of what the client was asked
}

func newTalk(out io.Writer) *talk { return &talk{out: out, answers: map[string]chan string{}} }

// listen hands on what the client says until it is gone. What it answers goes to who asked.
func (t *talk) listen(in io.Reader, hear func(method string, m map[string]json.RawMessage)) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		m := serve.Members(line)
		method := serve.Text(m["method"])
		if method != "" || m["id"] == nil {
			hear(method, m)
			continue
		}
		t.mu.Lock()
		answer := t.answers[string(m["id"])]
		t.mu.Unlock()
		answer <- string(m["result"])
	}
}

// say writes a message.
func (t *talk) say(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = io.WriteString(t.out, line+"\n")
}

// ask asks the client, and returns what it answers; "" if it is gone.
func (t *talk) ask(ctx context.Context, method, params string) string {
	t.mu.Lock()
	t.asked++
	id, answer := fmt.Sprintf(`"ask-%d"`, t.asked), make(chan string, 1)
	t.answers[id] = answer
	t.mu.Unlock()
	t.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	select {
	case text := <-answer:
		return text
	case <-ctx.Done():
		return ""
	}
}
