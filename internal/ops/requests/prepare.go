package requests

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Given parses arguments that were given as JSON, before anything is started; nil if there are none.
func (in *CallInput) Given(w *workbench.Workbench) (json.RawMessage, error) {
	ways := 0
	for _, used := range []bool{in.Args != "", len(in.Arg) > 0, in.Example, in.Interactive} {
		if used {
			ways++
		}
	}
	if ways > 1 {
		return nil, &workbench.UsageError{Message: "--arg, --args, --example and --interactive are mutually exclusive",
			Hint: "use one of {--arg}, {--args}, {--example} and {--interactive}"}
	}
	if in.Args == "" {
		return nil, nil
	}
	raw, err := readArguments(w, in.Args)
	if err != nil {
		return nil, err
	}
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadValue(); err != nil {
		return nil, notJSON(raw, err)
	}
	if _, err := dec.ReadValue(); !errors.Is(err, io.EOF) {
		return nil,
			&workbench.UsageError{Message: fmt.Sprintf("--args: more than one JSON value, extra data at byte %d",
				dec.InputOffset())}
	}
	return raw, nil
}

// readArguments returns JSON unchanged, and reads anything else as the name of a file.
func readArguments(w *workbench.Workbench, value string) (json.RawMessage, error) {
	if !w.Grants.Files {
		return json.RawMessage(value), nil
	}
	start := strings.TrimLeft(value, " \t\r\n")
	if value == "-" || strings.HasPrefix(value, "@") {
		data, err := readArgument(w, value)
		return bytes.TrimPrefix(data, byteOrderMark), err
	}
	if strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[") || strings.HasPrefix(start, `"`) ||
		json.Valid([]byte(value)) {
		return json.RawMessage(value), nil
	}
	file, err := os.Open(value)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--args: " + workbench.FileProblem(err),
			Hint: `pass a JSON object, a file, or - for stdin`}
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, wire.DefaultMaxFrame))
	if err != nil {
		return nil, &workbench.UsageError{Message: "--args: " + err.Error()}
	}
	return bytes.TrimSpace(bytes.TrimPrefix(data, byteOrderMark)), nil
}

// byteOrderMark is what some editors and shells put before a text. It is not part of the JSON.
var byteOrderMark = []byte("\ufeff")

func notJSON(raw []byte, err error) error {
	return &workbench.UsageError{Message: "--args: " + rawjson.Problem(raw, err).Error(),
		Hint: "to send a malformed frame on purpose, use {mcptest raw --body}"}
}

// Prepare builds the arguments of the call and validates them against the tool's schema.
func Prepare(ctx context.Context, w *workbench.Workbench, in *CallInput, tool, given json.RawMessage) (json.RawMessage,
	error) {
	input, hasSchema := schema.Get(tool, "/inputSchema")
	if !hasSchema {
		input = json.RawMessage(`{}`)
	}
	args, err := argumentsOf(ctx, w, in, input, given)
	if err != nil || in.NoValidate {
		return args, err
	}
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		w.Event(workbench.Event{Notice: "invalid input schema, so the arguments were not validated: " + err.Error()})
		return args, nil
	}
	examined := arguments.Examine(compiled, input, args)
	if examined.OK() {
		return args, nil
	}
	return nil, refuse(in.Tool, examined)
}

// argumentsOf builds the bytes to send in the selected way.
func argumentsOf(ctx context.Context, w *workbench.Workbench, in *CallInput, input,
	given json.RawMessage) (json.RawMessage,
	error) {
	switch {
	case given != nil:
		return given, nil
	case in.Example:
		sample, err := schema.Sample(input, &schema.SampleOptions{Seed: in.Seed, Style: schema.Typical})
		if err != nil {
			return nil, &workbench.UsageError{Message: "cannot generate example arguments: " + err.Error(),
				Hint: "pass the arguments with {--arg} or {--args}"}
		}
		w.Event(workbench.Event{Notice: "example arguments: " + string(sample)})
		return sample, nil
	case in.Interactive:
		if w.Ask == nil {
			return nil, &workbench.UsageError{Message: "--interactive requires a terminal",
				Hint: "pass the arguments with {--arg} or {--args}"}
		}
		return w.Ask(ctx, in.Tool, input, in.check(input))
	}
	args, wrong := arguments.Assign(input, in.Arg)
	if len(wrong) == 0 {
		return args, nil
	}
	return nil, unassigned(input, in.Arg, wrong)
}

// check returns the schema violations; nil if validation is disabled or impossible.
func (in *CallInput) check(input json.RawMessage) func(json.RawMessage) []schema.Violation {
	compiled, err := schema.Compile(input, nil)
	if in.NoValidate || err != nil {
		return func(json.RawMessage) []schema.Violation { return nil }
	}
	return compiled.Validate
}

// unassigned reports all problems with --arg at once: failed conversions, and schema violations of the rest.
func unassigned(input json.RawMessage, given []string, wrong []arguments.FieldError) error {
	var lines, unfit, rest []string
	advice := hint.Text("use k=text to convert according to the tool's schema, k:=JSON to send JSON unchanged")
	for _, e := range wrong {
		lines, unfit = append(lines, e.Message), append(unfit, e.Field)
		if e.Field != "" && !strings.Contains(e.Text, "'") {
			text, _ := jsontext.AppendQuote(nil, e.Text)
			advice = hint.Text(fmt.Sprintf("use %s:='%s' {--no-validate} to send the text unchanged", e.Field, text))
		}
	}
	for _, one := range given {
		switch _, failed := arguments.Assign(input, []string{one}); {
		case len(failed) == 0:
			rest = append(rest, one)
		case failed[0].Field != "":
			rest = append(rest, failed[0].Field+":=null") // so that it does not count as missing
		}
	}
	compiled, err := schema.Compile(input, nil)
	if args, failed := arguments.Assign(input, rest); err == nil && len(failed) == 0 {
		for _, v := range compiled.Validate(args) {
			if !slices.Contains(unfit, schema.Label(v.Path)) {
				lines = append(lines, v.Message)
			}
		}
	}
	return &workbench.UsageError{Message: strings.Join(lines, "\n"), Hint: advice}
}

// refuse lists all problems with the arguments, and the suggested corrections.
func refuse(tool string, e arguments.Examination) error {
	lines := []string{fmt.Sprintf("invalid arguments for %s; nothing was sent", tool)}
	for _, v := range e.Violations {
		lines = append(lines, "  "+v.Message)
	}
	for _, c := range e.Cautions {
		lines = append(lines, "  "+c.Message)
	}
	for _, fix := range e.Fixes {
		lines = append(lines, "  fix: "+fix.Message)
	}
	return &workbench.UsageError{Message: strings.Join(lines, "\n"), Hint: "use {--no-validate} to send them anyway"}
}
