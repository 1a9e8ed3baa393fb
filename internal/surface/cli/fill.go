package cli

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A checker returns the schema violations of a value.
type checker = func(json.RawMessage) []schema.Violation

// fill prompts for the fields of a form one by one and returns the arguments. Violations are shown and prompted
// for again, with the previous input as the value that Enter keeps.
func (d *dialog) fill(ctx context.Context, inputSchema json.RawMessage, check checker) (json.RawMessage, error) {
	form := arguments.Model(inputSchema)
	if form.Mode == arguments.ModeJSON {
		d.say("Cannot prompt for individual fields (%s).", oneLine(form.Reason))
		return d.promptJSON(ctx, check)
	}
	if len(form.Fields) == 0 && len(form.Variants) == 0 {
		return json.RawMessage(`{}`), nil
	}
	form, err := d.promptVariant(ctx, form)
	if err != nil {
		return nil, err
	}
	d.say(`Press Enter to keep the value shown; "" sends an empty string, null sends null, - omits the field.`)
	values := form.Start().Items
	for {
		if values, err = d.promptForm(ctx, form, values, check); err != nil {
			return nil, err
		}
		raw, wrong := form.Encode(arguments.Value{State: arguments.Set, Items: values})
		for _, e := range wrong {
			d.say("✗ %s", oneLine(e.Message))
		}
		if len(wrong) == 0 && d.fits(raw, check, "") {
			return raw, nil
		}
		d.say("Invalid input, try again. Press Enter to keep the value shown.")
	}
}

// fits shows the violations of the value at a path, and reports whether there are none.
func (d *dialog) fits(raw json.RawMessage, check checker, path string) bool {
	fits := true
	for _, v := range check(raw) {
		if path == "" || v.Path == path || strings.HasPrefix(v.Path, path+"/") {
			d.say("✗ %s", oneLine(v.Message))
			fits = false
		}
	}
	return fits
}

func (d *dialog) promptJSON(ctx context.Context, check checker) (json.RawMessage, error) {
	for {
		line, err := d.prompt(ctx, "Arguments as JSON:")
		if err != nil {
			return nil, err
		}
		if !json.Valid([]byte(line)) {
			d.say("✗ not valid JSON")
		} else if d.fits(json.RawMessage(line), check, "") {
			return json.RawMessage(line), nil
		}
	}
}

// promptForm prompts for the fields of the form. A value that is invalid by itself is prompted for again
// immediately.
func (d *dialog) promptForm(ctx context.Context, form *arguments.Form, begun []arguments.Value,
	check checker) ([]arguments.Value, error) {
	var values []arguments.Value
	for i := range form.Fields {
		f := &form.Fields[i]
		v := defaultValue(begun, f.Name)
		for {
			var err error
			if v, err = d.promptField(ctx, f, v, oneLine(f.Name)); err != nil {
				return nil, err
			}
			v.Name = f.Name
			raw, wrong := form.Encode(arguments.Value{State: arguments.Set, Items: []arguments.Value{v}})
			if f.Kind == arguments.KindNull || len(wrong) > 0 || d.fits(raw, check, "/"+schema.Token(f.Name)) {
				break
			}
		}
		values = append(values, v)
	}
	return values, nil
}

// defaultValue returns the initial value of a field.
func defaultValue(begun []arguments.Value, name string) arguments.Value {
	for _, v := range begun {
		if v.Name == name {
			return v
		}
	}
	return arguments.Value{Name: name}
}
