package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// onServer is an operation input with an open connection.
type onServer interface{ On(*mcp.Session) }

// operation creates a tool from an operation of the workbench. If it needs a server, it uses an open
// connection, so that its input contains neither connection options nor options that read or write files.
func operation(op workbench.Operation) tool {
	title, rest, _ := strings.Cut(op.Doc, "\n")
	words := definitions[op.Tool]
	fields := properties(reflect.TypeOf(op.NewInput()).Elem(), words.fields)
	_, connected := op.NewInput().(onServer)
	if _, long := op.NewInput().(workbench.Bounded); long {
		fields = append(fields, within())
	}
	if connected {
		fields = append([]property{onConnection()}, append(fields, withVerbosity())...)
	}
	return tool{
		name: op.Tool, open: connected, changes: op.Calls,
		doc:   cmp.Or(words.doc, title+". "+strings.Join(strings.Fields(rest), " ")),
		input: closed("", fields...),
		run:   func(ctx context.Context, c *call) (any, error) { return c.operate(ctx, op) },
	}
}

// Hosts cancel a call after a minute, and the result would be lost.
const (
	defaultWithin = 45 * time.Second
	maxWithin     = 10 * time.Minute
)

func within() property {
	doc := fmt.Sprintf("Default %d.", defaultWithin.Milliseconds())
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

// properties creates properties from the fields of an operation's input that everyone may set. Words replace the
// documentation of fields; an empty one omits the field.
func properties(in reflect.Type, words map[string]string) []property {
	var all []property
	for _, f := range workbench.FieldsOf(in) {
		doc, worded := words[f.Name]
		if f.OfServer || f.Audience != workbench.Everyone || worded && doc == "" {
			continue
		}
		if !worded {
			doc = strings.ToUpper(f.Doc[:1]) + f.Doc[1:] + "."
		}
		all = append(all, may(f.Name, propertySchema(f, doc)))
	}
	return all
}

// propertySchema returns the schema of a field.
func propertySchema(f workbench.Field, doc string) string {
	switch f.Type.Kind() {
	case reflect.String:
		return text(doc, cmp.Or(f.MaxLength, maxText))
	case reflect.Bool:
		return flag(doc)
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return whole(doc, 0, 1<<31-1)
	case reflect.Slice:
		return list(doc, 256, line(""))
	}
	panic("field " + f.Name + " has an unsupported type")
}

func (c *call) operate(ctx context.Context, op workbench.Operation) (any, error) {
	in := op.NewInput()
	if err := json.Unmarshal(c.arguments, in); err != nil {
		return nil, &workbench.UsageError{Message: "invalid arguments: " + rawjson.Problem(c.arguments, err).Error()}
	}
	answer := ordered{"success", true}
	if on, ok := in.(onServer); ok {
		named := decode[struct{ Connection string }](c)
		l, err := c.on(named.Connection)
		if err != nil {
			return nil, err
		}
		on.On(l.Session)
	}
	how := decode[struct{ Verbosity verbosity }](c).Verbosity
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
		notes = append(notes, fmt.Sprintf("stopped after within_ms = %d; increase it, or narrow the request",
			limit.Milliseconds()))
	}
	return c.reported(answer, out, how, notes), nil
}

// reported adds the result of an operation to an answer, and stores it as a resource.
func (c *call) reported(answer ordered, out any, how verbosity, notes []string) ordered {
	verdict, _ := out.(workbench.Verdict)
	report := reportOf(out)
	c.reports.add(report)
	if how == full {
		report = withoutUnusedRules(report)
	} else {
		report = compact(report)
	}
	if len(report) > how.limit() {
		report, _ = ordered{"cut_bytes", len(report), "how",
			"use verbosity full, read the resource " + reportURI + "1, or narrow the request"}.MarshalJSON()
	}
	answer = append(answer, "failed", verdict != nil && verdict.Failed(), "report", report)
	if len(notes) > 0 {
		answer = append(answer, "notes", notes)
	}
	return append(answer, "metadata", timing{c.elapsed()})
}

// reportOf returns the result of an operation as JSON.
func reportOf(out any) json.RawMessage {
	if raw, ok := out.(workbench.RawJSON); ok {
		return rawOrBase64(raw.RawJSON())
	}
	return serve.Encode(out)
}
