package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A dialog asks a person questions on a terminal, one at a time. Questions stand on standard error, so that the result
// can be piped.
type dialog struct {
	mu    sync.Mutex
	out   io.Writer
	lines chan string // what the person types; closed at the end of input
}

// dialog returns the one dialog of this run. Its reader waits for the terminal and ends with the process: a blocked
// read of a terminal cannot be taken back.
func (a *app) dialog() *dialog {
	a.talkOnce.Do(func() {
		d := &dialog{out: a.env.Stderr, lines: make(chan string)}
		go func() {
			defer close(d.lines)
			in := bufio.NewScanner(a.env.Stdin)
			in.Buffer(nil, 1<<20)
			for in.Scan() {
				d.lines <- in.Text()
			}
		}()
		a.talk = d
	})
	return a.talk
}

// say writes a line; text of a server's is made visible.
func (d *dialog) say(format string, args ...any) {
	fmt.Fprintln(d.out, report.Visible(fmt.Sprintf(format, args...)))
}

// ask writes a question and waits for a line.
func (d *dialog) ask(ctx context.Context, format string, args ...any) (string, error) {
	fmt.Fprint(d.out, report.Visible(fmt.Sprintf(format, args...)), " ")
	select {
	case line, ok := <-d.lines:
		if !ok {
			return "", io.EOF
		}
		return strings.TrimRight(line, "\r"), nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// confirm asks a question that is answered with yes or no; anything but yes is no.
func (d *dialog) confirm(ctx context.Context, format string, args ...any) (bool, error) {
	answer, err := d.ask(ctx, format+" [y/N]", args...)
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", err
}

// askArguments asks for the arguments of a tool.
func (a *app) askArguments(ctx context.Context, title string, inputSchema json.RawMessage) (json.RawMessage, error) {
	d := a.dialog()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say("%s", title)
	return d.fill(ctx, inputSchema)
}

// askElicitation shows what a server wants to know and lets the person answer, decline or cancel.
func (a *app) askElicitation(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	d := a.dialog()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say("\nThe server asks: %s", stringAt(params, "/message"))
	if address := stringAt(params, "/url"); stringAt(params, "/mode") == "url" || address != "" {
		d.say("It wants you to open this address yourself, in a browser:\n  %s", address)
		return d.agree(ctx, "Have you opened it and agree to go on?", nil)
	}
	wanted, _ := schema.Get(params, "/requestedSchema")
	return d.agree(ctx, "Answer it?", wanted)
}

// agree asks for consent and then, if there is a schema, for the content.
func (d *dialog) agree(ctx context.Context, question string, wanted json.RawMessage) (json.RawMessage, error) {
	yes, err := d.confirm(ctx, "%s", question)
	if err != nil {
		return nil, err
	}
	if !yes {
		return json.RawMessage(`{"action":"decline"}`), nil
	}
	if wanted == nil {
		return json.RawMessage(`{"action":"accept"}`), nil
	}
	content, err := d.fill(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return mcp.Object("action", "accept", "content", content), nil
}

// askSampling lets the person answer in the place of a model.
func (a *app) askSampling(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	d := a.dialog()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say("\nThe server asks for a model's answer to:")
	if system := stringAt(params, "/systemPrompt"); system != "" {
		d.say("  system: %s", system)
	}
	raw, _ := schema.Get(params, "/messages")
	messages, _ := schema.Elements(raw)
	for _, m := range messages {
		content, _ := schema.Get(m, "/content")
		said := stringAt(content, "/text")
		if said == "" {
			said = string(content)
		}
		d.say("  %s: %s", stringAt(m, "/role"), said)
	}
	answer, err := d.ask(ctx, "Your answer (empty declines):")
	if err != nil {
		return nil, err
	}
	if answer == "" {
		return nil, &mcp.RPCError{Code: -1, Message: "the user declined to sample"}
	}
	return mcp.Object("role", "assistant", "content", mcp.Object("type", "text", "text", answer), "model", "a person", "stopReason", "endTurn"), nil
}

func stringAt(doc json.RawMessage, pointer string) string {
	raw, _ := schema.Get(doc, pointer)
	s, _ := schema.Text(raw)
	return s
}
