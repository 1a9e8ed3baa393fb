package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// promptArguments prompts for the arguments of a tool. End of input stops the run.
func (a *app) promptArguments(ctx context.Context, title string, inputSchema json.RawMessage,
	check checker) (json.RawMessage, error) {
	d := a.dialog()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say("%s", oneLine(title))
	raw, err := d.fill(ctx, inputSchema, check)
	return raw, stopped(err)
}

// stopped treats the end of input as an interrupt.
func stopped(err error) error {
	if errors.Is(err, io.EOF) {
		return context.Canceled
	}
	return err
}

// promptElicitation shows an elicitation and lets the user accept, decline or cancel it. End of input cancels.
func (d *dialog) promptElicitation(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say("\nElicitation request from the server:")
	d.quote(stringAt(params, "/message"))
	wanted, _ := schema.Get(params, "/requestedSchema")
	if address := stringAt(params, "/url"); stringAt(params, "/mode") == "url" || address != "" {
		d.say("Open this URL in your browser:")
		d.quote(address)
		wanted = nil
	}
	answer, err := d.agree(ctx, wanted)
	if errors.Is(err, io.EOF) {
		return json.RawMessage(`{"action":"cancel"}`), nil
	}
	return answer, err
}

// agree asks for consent and then, if there is a schema, for the content.
func (d *dialog) agree(ctx context.Context, wanted json.RawMessage) (json.RawMessage, error) {
	action, err := d.choose(ctx, "accept, decline or cancel?", "accept", "decline", "cancel")
	if err != nil {
		return nil, err
	}
	if action != "accept" || wanted == nil {
		return mcp.Object("action", action), nil
	}
	check := func(json.RawMessage) []schema.Violation { return nil }
	if compiled, err := schema.Compile(wanted, nil); err == nil {
		check = compiled.Validate
	}
	content, err := d.fill(ctx, wanted, check)
	if err != nil {
		return nil, err
	}
	return mcp.Object("action", "accept", "content", content), nil
}

// promptSampling lets the user respond in place of a model. End of input declines.
func (d *dialog) promptSampling(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say("\nSampling request from the server:")
	if system := stringAt(params, "/systemPrompt"); system != "" {
		d.quote("system: " + system)
	}
	messages, _ := schema.Get(params, "/messages")
	elements, _ := schema.Elements(messages)
	for _, m := range elements {
		content, _ := schema.Get(m, "/content")
		said := stringAt(content, "/text")
		if said == "" {
			said = string(content)
		}
		d.quote(stringAt(m, "/role") + ": " + said)
	}
	answer, err := d.prompt(ctx, "Response (leave empty to decline):")
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if answer == "" {
		return nil, declined()
	}
	return mcp.Object("role", "assistant", "content", mcp.Object("type", "text", "text", answer), "model", "human",
		"stopReason", "endTurn"), nil
}

// declined is the error that a server gets if a sampling request is declined.
func declined() *mcp.RPCError {
	return &mcp.RPCError{Code: -1, Message: "the user declined the sampling request"}
}

// promptRoots asks which directories to expose to the server. End of input ends the list.
func (d *dialog) promptRoots(ctx context.Context) (json.RawMessage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say("\nRoots request from the server. Enter one path or URI per line, then an empty line.")
	roots := []any{}
	for {
		line, err := d.prompt(ctx, "root:")
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if line == "" {
			return mcp.Object("roots", roots), nil
		}
		roots = append(roots, mcp.Object("uri", rootURI(line)))
	}
}

// rootURI converts a path to a URI.
func rootURI(given string) string {
	if strings.Contains(given, "://") {
		return given
	}
	path, err := filepath.Abs(given)
	if err != nil {
		path = given
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func stringAt(doc json.RawMessage, pointer string) string {
	raw, _ := schema.Get(doc, pointer)
	s, _ := schema.Text(raw)
	return s
}
