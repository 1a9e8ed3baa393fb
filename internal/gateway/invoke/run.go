package invoke

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// A Func is a tool that is part of the program. It returns any JSON value, stops when its context ends, and cleans up
// after itself.
type Func func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error)

// run executes the tool as its Run specifies.
func (v *Invoker) run(ctx context.Context, i Invocation, limit time.Duration) (json.RawMessage, error) {
	how := i.Tool.Run
	arguments := i.Arguments
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	switch {
	case how.Upstream != nil && i.Upstream != nil:
		return i.Upstream(ctx, how.Upstream, limit)
	case how.HTTP != nil:
		return v.runHTTP(ctx, i.Tool, how.HTTP, arguments)
	case how.Func != "":
		return v.runFunc(ctx, i.Tool, how.Func, arguments)
	}
	return nil, errors.New("the catalog entry has no run field")
}

// runFunc runs a function and stops waiting for it at its timeout; the function cleans up when it notices.
func (v *Invoker) runFunc(ctx context.Context, t *catalog.Tool, name string,
	arguments json.RawMessage) (json.RawMessage, error) {
	f, ok := v.Funcs[name]
	if !ok {
		return nil, fmt.Errorf("unknown function %q", name)
	}
	type outcome struct {
		result json.RawMessage
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o = outcome{err: &ToolExecutionError{Tool: t.Key().String(), Message: fmt.Sprint(p),
					Stack: debug.Stack()}}
			}
			done <- o
		}()
		o.result, o.err = f(ctx, arguments)
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return resultOf(o.result)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// resultOf converts a JSON value to a tool result: text for a model, and structured content if it is an object.
func resultOf(value json.RawMessage) (json.RawMessage, error) {
	if !json.Valid(value) {
		return nil, errors.New("the function returned invalid JSON")
	}
	text := string(value)
	var plain string
	if json.Unmarshal(value, &plain) == nil {
		text = plain
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	b := append(append([]byte(`{"content":[{"type":"text","text":`), quoted...), "}]"...)
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) {
		b = append(append(b, `,"structuredContent":`...), value...)
	}
	return append(b, '}'), nil
}

func containsIsError(result json.RawMessage) bool { return bytes.Contains(result, []byte(`"isError"`)) }

// Runnable returns why a tool could never be run: it refers to an unknown function or validator, or to a host that the
// config does not allow.
func (v *Invoker) Runnable(t *catalog.Tool) error {
	for _, validator := range t.Validators {
		if _, ok := v.Validators[validator.Name]; validator.Expression == "" && !ok {
			return fmt.Errorf("unknown validator %q", validator.Name)
		}
	}
	if t.Parameters != nil {
		if _, err := v.schemas.Compile(t.Parameters, optionsFor(t)); err != nil {
			return fmt.Errorf("cannot check its parameters: %w", err)
		}
	}
	switch how := t.Run; {
	case how.Func != "":
		if _, ok := v.Funcs[how.Func]; !ok {
			return fmt.Errorf("unknown function %q", how.Func)
		}
	case how.HTTP != nil:
		_, err := v.address(how.HTTP.URL, json.RawMessage("{}"))
		return err
	case how.Upstream == nil:
		return errors.New("missing run field")
	}
	return nil
}
