// Package expression asks questions about JSON values in the language of jq: what validators of the gateway and suites
// are written in.
package expression

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"github.com/itchyny/gojq"
)

// An Expression is a question about a JSON value in the language of jq. It is true of the value if its first output
// is true; a text that it puts out instead says what is wrong.
type Expression struct{ code *gojq.Code }

// Compile reads an expression. It can neither read files nor the environment nor further input.
func Compile(source string) (*Expression, error) {
	query, err := gojq.Parse(source)
	if err != nil {
		return nil, fmt.Errorf("the expression %q: %w", source, err)
	}
	code, err := gojq.Compile(query, gojq.WithEnvironLoader(func() []string { return nil }))
	if err != nil {
		return nil, fmt.Errorf("the expression %q: %w", source, err)
	}
	return &Expression{code}, nil
}

// Holds asks the expression about a value. The text says what is wrong if it does not hold.
func (e *Expression) Holds(ctx context.Context, value json.RawMessage) (holds bool, text string, err error) {
	output, ok, err := e.first(ctx, value)
	if err != nil {
		return false, "", err
	}
	if !ok {
		return false, "the expression has no output", nil
	}
	switch v := output.(type) {
	case bool:
		return v, "the expression is false", nil
	case string:
		return false, v, nil
	case nil:
		return false, "the expression is null", nil
	}
	return false, "", fmt.Errorf("the expression gave %T, expected true, false or a text", output)
}

// First returns the first output for a value as JSON; nil if there is none.
func (e *Expression) First(ctx context.Context, value json.RawMessage) (json.RawMessage, error) {
	output, ok, err := e.first(ctx, value)
	if err != nil || !ok {
		return nil, err
	}
	return gojq.Marshal(output)
}

// first returns the first output, and whether there is one.
func (e *Expression) first(ctx context.Context, value json.RawMessage) (output any, ok bool, err error) {
	input, err := jqValue(value)
	if err != nil {
		return nil, false, err
	}
	ctx, release := bounded(ctx)
	defer release()
	output, ok = e.code.RunWithContext(ctx, input).Next()
	if failed, isError := output.(error); isError {
		if context.Cause(ctx) == errTooLong {
			failed = errTooLong
		}
		return nil, false, failed
	}
	return output, ok, nil
}

// jqValue is a JSON value as gojq has it, with integers exact.
func jqValue(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return exact(v), nil
}

func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		if n, ok := new(big.Int).SetString(v.String(), 10); ok {
			return n
		}
		f, _ := v.Float64()
		return f
	case map[string]any:
		for key, item := range v {
			v[key] = exact(item)
		}
	case []any:
		for i, item := range v {
			v[i] = exact(item)
		}
	}
	return v
}
