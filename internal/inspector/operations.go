package inspector

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/ops"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Hello returns the initial data for a page. The latest event is read before the state, so that a reader of the
// events after it misses none.
func (i *Inspector) Hello() view.Hello {
	h := view.Hello{Version: i.bench.Version, Revisions: spec.IDs(), LogLevels: workbench.LogLevels,
		Directory:    i.bench.System.Dir,
		Capabilities: workbench.CapabilitiesOf(workbench.SurfacePage), Operations: []view.Operation{},
		Hosts:  []view.HostInfo{},
		Inline: view.Inline, Event: i.journal.Last()}
	for _, op := range operations() {
		h.Operations = append(h.Operations, describeOperation(op))
	}
	for _, p := range hosts.Profiles() {
		h.Hosts = append(h.Hosts, view.HostInfo{ID: p.ID, Name: p.Name})
	}
	h.Servers, h.Links = i.Servers(), i.Links()
	return h
}

// operations are those that a page may run.
func operations() []workbench.Operation {
	return slices.DeleteFunc(ops.All(),
		func(op workbench.Operation) bool { return !op.Page })
}

func describeOperation(op workbench.Operation) view.Operation {
	title, rest, _ := strings.Cut(op.Doc, "\n")
	in := reflect.TypeOf(op.NewInput()).Elem()
	_, linked := op.NewInput().(interface{ On(*mcp.Session) })
	return view.Operation{Name: op.Name, Path: strings.ReplaceAll(op.Name, " ", "/"), Title: title,
		Doc: strings.TrimSpace(rest), Linked: linked, Fields: operationFields(in)}
}

// operationFields are the fields that a page may set: connection options and options that read or write files
// are excluded.
func operationFields(in reflect.Type) []view.OperationField {
	all := []view.OperationField{}
	for _, f := range workbench.FieldsOf(in) {
		if !f.OfServer && f.Audience != workbench.CommandOnly {
			all = append(all, view.OperationField{Name: f.Name, Type: fieldType(f.Type), Doc: f.Doc,
				Hint:     f.Placeholder,
				Required: f.Required})
		}
	}
	return all
}

func fieldType(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "duration"
	case t.Kind() == reflect.Slice:
		return "list"
	case t.Kind() == reflect.Bool:
		return "flag"
	case t.Kind() == reflect.String:
		return "text"
	}
	return "number"
}

// Run runs an operation, on a connection if it needs one, and reports its events.
func (i *Inspector) Run(ctx context.Context, path string, in view.RunInput, tell func(view.RunEvent)) {
	started := time.Now()
	out, err := i.operate(ctx, path, in, tell)
	if err != nil {
		tell(view.RunEvent{Kind: "error", Error: i.Problem(err), ElapsedNS: time.Since(started).Nanoseconds()})
		return
	}
	result := view.RunEvent{Kind: "result", ResultJSON: resultJSON(out), ElapsedNS: time.Since(started).Nanoseconds()}
	if v, ok := out.(workbench.Verdict); ok {
		result.Failed = v.Failed()
	}
	if r, ok := out.(workbench.Remarks); ok {
		result.Remarks = r.Remarks()
	}
	tell(result)
}

func (i *Inspector) operate(ctx context.Context, path string, in view.RunInput, tell func(view.RunEvent)) (any, error) {
	all := operations()
	at := slices.IndexFunc(all, func(op workbench.Operation) bool {
		return strings.ReplaceAll(op.Name, " ",
			"/") == path
	})
	if at < 0 {
		return nil, view.NotFound("unknown operation %q", path)
	}
	input := all[at].NewInput()
	if err := readInput(input, in.InputJSON); err != nil {
		return nil, err
	}
	bench := &workbench.Workbench{Version: i.bench.Version, System: i.bench.System, Builtins: i.bench.Builtins,
		Secrets: i.bench.Secrets, Grants: workbench.ForPage,
		Notify: func(e workbench.Event) { i.notifyEvent(e, tell) }}
	yielded := false
	if on, ok := input.(interface{ On(*mcp.Session) }); ok {
		c, err := i.conn(in.Link)
		if err != nil {
			return nil, err
		}
		link, err := c.session()
		if err != nil {
			return nil, err
		}
		bench.Log = c.log
		on.On(link.Session)
		bench.Yield = func() { yielded = true; c.close() }
	}
	out, err := all[at].Run(ctx, bench, input)
	if yielded {
		_, _ = i.Reconnect(in.Link) // the connection reports the outcome
	}
	return out, err
}

// readInput decodes the input of an operation. A field that a page may not set is rejected, not ignored.
func readInput(input any, text string) error {
	if text == "" {
		return nil
	}
	members, err := schema.Members(json.RawMessage(text))
	if err != nil {
		return view.Usage("the input is not a JSON object")
	}
	fields := operationFields(reflect.TypeOf(input).Elem())
	for _, m := range members {
		if !slices.ContainsFunc(fields, func(f view.OperationField) bool { return f.Name == m.Name }) {
			return view.Usage("unknown input field %q", m.Name)
		}
	}
	if err := json.Unmarshal([]byte(text), input); err != nil {
		return view.Usage("invalid input: %v", rawjson.Problem([]byte(text), err))
	}
	return nil
}

func (i *Inspector) notifyEvent(e workbench.Event, tell func(view.RunEvent)) {
	switch {
	case e.Step != nil:
		tell(view.RunEvent{Kind: "step", Step: &view.RunStep{Done: e.Step.Done, Total: e.Step.Total,
			Findings: e.Step.Findings,
			Text:     e.Step.Text}})
	case e.Progress != nil:
		tell(view.RunEvent{Kind: "progress", Progress: &view.Progress{Done: e.Progress.Done, Total: e.Progress.Total,
			Message: e.Progress.Message}})
	case e.Notice != "":
		tell(view.RunEvent{Kind: "notice", Notice: i.bench.Secrets.Exact(e.Notice)})
	}
}

// resultJSON returns a result as the command line prints it with --json.
func resultJSON(out any) string {
	if raw, ok := out.(workbench.RawJSON); ok {
		return string(raw.RawJSON())
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return ""
	}
	return strings.TrimSuffix(text.String(), "\n")
}
