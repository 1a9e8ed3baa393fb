package mcpserver

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// operation makes a tool of an operation of the workbench. It works on an open connection, so that how to reach a server
// is no part of its input, and neither is what reads or writes files.
func operation(op workbench.Operation) tool {
	title, rest, _ := strings.Cut(op.Doc, "\n")
	return tool{
		name: op.Tool, title: title, open: true,
		doc: title + ", on an open connection. " + strings.Join(strings.Fields(forTools(rest)), " "),
		input: closed("", append([]property{onConnection()},
			fieldsOf(reflect.TypeOf(op.NewInput()).Elem())...)...),
		output: answers(connectionAnswer(), need("report", value("What the operation found.")), need("failed", flag("Whether what was found counts as a failure.")),
			need("notes", rows("Remarks on the way.", line(""))), metadataAnswer()),
		run: func(ctx context.Context, c *call) (any, error) { return c.operate(ctx, op) },
	}
}

// forTools leaves paragraphs out that speak of files and exits: they are for the command line.
func forTools(doc string) string {
	var kept []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(doc), "\n\n") {
		if !strings.Contains(paragraph, "TARGET") && !strings.Contains(paragraph, "--") {
			kept = append(kept, paragraph)
		}
	}
	return strings.Join(kept, " ")
}

// fieldsOf makes properties of the fields of an input struct, by their tags.
func fieldsOf(in reflect.Type) []property {
	var all []property
	for i := range in.NumField() {
		f := in.Field(i)
		if f.Anonymous && f.Type != reflect.TypeFor[workbench.Connection]() {
			all = append(all, fieldsOf(f.Type)...)
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "" || f.Tag.Get("surface") == "cli" {
			continue
		}
		doc := f.Tag.Get("jsonschema")
		doc = strings.ToUpper(doc[:1]) + doc[1:] + "."
		switch f.Type.Kind() {
		case reflect.String:
			all = append(all, may(name, text(doc, maxText)))
		case reflect.Bool:
			all = append(all, may(name, flag(doc)))
		case reflect.Int, reflect.Int64, reflect.Uint64:
			all = append(all, may(name, whole(doc, 0, 1<<31-1)))
		case reflect.Slice:
			all = append(all, may(name, list(doc, 256, text("", maxText))))
		default:
			panic("field " + f.Name + " has a type that no tool can have")
		}
	}
	return all
}

func (c *call) operate(ctx context.Context, op workbench.Operation) (any, error) {
	named := decode[struct{ Connection string }](c)
	l, err := c.on(named.Connection)
	if err != nil {
		return nil, err
	}
	in := op.NewInput()
	if err := json.Unmarshal(c.arguments, in); err != nil {
		return nil, &workbench.UsageError{Message: "the arguments cannot be read: " + err.Error()}
	}
	if on, ok := in.(interface{ On(*mcp.Session) }); ok {
		on.On(l.Session)
	}
	notes := []string{}
	tell, told := c.progress(ctx), 0.0
	out, err := op.Run(ctx, c.desk.Bench(func(e workbench.Event) {
		if e.Notice != "" {
			notes = append(notes, e.Notice)
		}
		switch {
		case tell == nil:
		case e.Step != nil:
			tell(e.Step.Progress())
		case e.Notice != "":
			told++
			tell(mcp.Progress{Done: told, Message: e.Notice})
		}
	}), in)
	if err != nil {
		return nil, err
	}
	verdict, _ := out.(workbench.Verdict)
	report := reportOf(out)
	c.reports.add(report)
	if len(report) > answerLimit {
		report, _ = ordered{"cut_bytes", len(report), "how", "read the resource " + reportURI + "1, or narrow the question"}.MarshalJSON()
	}
	return ordered{"success", true, "connection", describe(l), "report", report, "failed", verdict != nil && verdict.Failed(), "notes", notes, "metadata", timing{c.elapsed()}}, nil
}

// reportOf is what an operation found, as JSON.
func reportOf(out any) json.RawMessage {
	if raw, ok := out.(workbench.RawJSON); ok {
		return exact(raw.RawJSON())
	}
	return serve.Encode(out)
}
