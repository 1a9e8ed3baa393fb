package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// onServer is an operation input with an open connection.
type onServer interface{ On(*mcp.Session) }

// reportAnswer is a short schema for the result of every operation: definitions use context, and there are
// many.
const reportAnswer = `{"type":"object","required":["success","metadata"],"properties":{` +
	`"success":{"type":"boolean","description":"Whether the operation ran; if not, error has the reason."},` +
	`"report":{"description":"The report."},"failed":{"type":"boolean","description":"Whether the findings count as a failure."},` +
	`"notes":{"type":"array","items":{"type":"string"},"description":"Notes from the run."},` +
	`"error":{"type":"object","description":"type, message, details and suggestion."},"connection":{"type":"object"},"metadata":{"type":"object"}}}`

// operation creates a tool from an operation of the workbench. If it needs a server, it uses an open
// connection, so that its input contains neither connection options nor options that read or write files.
func operation(op workbench.Operation) tool {
	title, rest, _ := strings.Cut(op.Doc, "\n")
	doc, fields := title+". ", fieldsOf(reflect.TypeOf(op.NewInput()).Elem())
	_, connected := op.NewInput().(onServer)
	if _, long := op.NewInput().(workbench.Bounded); long {
		fields = append(fields, within())
	}
	if connected {
		doc = title + ", on an open connection. "
		fields = append([]property{onConnection()}, fields...)
	}
	return tool{
		name: op.Tool, title: title, open: connected, changes: op.Calls,
		doc:    doc + strings.Join(strings.Fields(rest), " "),
		input:  closed("", fields...),
		output: reportAnswer,
		run:    func(ctx context.Context, c *call) (any, error) { return c.operate(ctx, op) },
	}
}

// Hosts cancel a call after a minute, and the result would be lost.
const (
	defaultWithin = 45 * time.Second
	maxWithin     = 10 * time.Minute
)

func within() property {
	doc := fmt.Sprintf("Time limit in milliseconds (default %d); notes list what was not run. Set a higher value only if your host waits longer than a minute.", defaultWithin.Milliseconds())
	return may("within_ms", whole(doc, 100, int(maxWithin.Milliseconds())))
}

// bound sets the time limit of an operation, and returns it.
func (c *call) bound(in any) time.Duration {
	long, ok := in.(workbench.Bounded)
	if !ok {
		return 0
	}
	limit := defaultWithin
	if asked := decode[struct {
		Within int64 `json:"within_ms"`
	}](c).Within; asked > 0 {
		limit = time.Duration(asked) * time.Millisecond
	}
	long.Bound(limit)
	return limit
}

// terse reports whether results without findings are omitted, which is the default of operations with the
// option verbose.
func (c *call) terse(in any) bool {
	asked := reflect.ValueOf(in).Elem().FieldByName("Verbose")
	return asked.IsValid() && !asked.Bool()
}

// fieldsOf creates properties from the fields of an input struct, by their tags. The tag max is the maximum
// length of a string.
func fieldsOf(in reflect.Type) []property {
	var all []property
	for i := range in.NumField() {
		f := in.Field(i)
		if f.Anonymous && f.Type != reflect.TypeFor[workbench.Connection]() {
			all = append(all, fieldsOf(f.Type)...)
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "" || f.Tag.Get("surface") != "" {
			continue
		}
		doc := f.Tag.Get("jsonschema")
		doc = strings.ToUpper(doc[:1]) + doc[1:] + "."
		switch f.Type.Kind() {
		case reflect.String:
			limit := maxText
			if n, err := strconv.Atoi(f.Tag.Get("max")); err == nil {
				limit = n
			}
			all = append(all, may(name, text(doc, limit)))
		case reflect.Bool:
			all = append(all, may(name, flag(doc)))
		case reflect.Int, reflect.Int64, reflect.Uint64:
			all = append(all, may(name, whole(doc, 0, 1<<31-1)))
		case reflect.Slice:
			all = append(all, may(name, list(doc, 256, text("", maxText))))
		default:
			panic("field " + f.Name + " has an unsupported type")
		}
	}
	return all
}

func (c *call) operate(ctx context.Context, op workbench.Operation) (any, error) {
	in := op.NewInput()
	if err := json.Unmarshal(c.arguments, in); err != nil {
		return nil, &workbench.UsageError{Message: "invalid arguments: " + err.Error()}
	}
	answer := ordered{"success", true}
	if on, ok := in.(onServer); ok {
		named := decode[struct{ Connection string }](c)
		l, err := c.on(named.Connection)
		if err != nil {
			return nil, err
		}
		on.On(l.Session)
		answer = append(answer, "connection", describe(l))
	}
	limit := c.bound(in)
	notes := []string{}
	tell, told := c.progress(ctx), 0.0
	out, err := op.Run(ctx, c.desk.Bench(ctx, func(e workbench.Event) {
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
	if limit > 0 && time.Since(c.began) >= limit {
		notes = append(notes, fmt.Sprintf("stopped after within_ms = %d; increase it, or narrow the request", limit.Milliseconds()))
	}
	verdict, _ := out.(workbench.Verdict)
	report := reportOf(out)
	c.reports.add(report)
	report = shorter(report, c.terse(in))
	if len(report) > answerLimit {
		report, _ = ordered{"cut_bytes", len(report), "how", "read the resource " + reportURI + "1, or narrow the request"}.MarshalJSON()
	}
	return append(answer, "report", report, "failed", verdict != nil && verdict.Failed(), "notes", notes, "metadata", timing{c.elapsed()}), nil
}

// reportOf returns the result of an operation as JSON.
func reportOf(out any) json.RawMessage {
	if raw, ok := out.(workbench.RawJSON); ok {
		return exact(raw.RawJSON())
	}
	return serve.Encode(out)
}
